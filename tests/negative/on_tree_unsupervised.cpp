// expect: needs_a_process_that_hides_suspects__wrap_it_in_supervised
// SPDX-License-Identifier: MIT
#include <caucus/election/tree/tree_wave.hpp>
#include <caucus/layer/on_tree.hpp>
#include <caucus/layer/supervised.hpp>

#if CAUCUS_CONTROL
const caucus::on_tree hung{caucus::supervised{caucus::tree_wave{1}}, caucus::spanning_tree{}};
#else
const caucus::on_tree hung{caucus::tree_wave{1}, caucus::spanning_tree{}};
#endif
