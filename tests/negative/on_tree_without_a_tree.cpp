// expect: needs_a_process_for_trees_or_graphs
// SPDX-License-Identifier: MIT
#include <caucus/election/graph/extinction.hpp>
#include <caucus/election/ring/chang_roberts.hpp>
#include <caucus/layer/on_tree.hpp>
#include <caucus/layer/supervised.hpp>

#if CAUCUS_CONTROL
const caucus::on_tree hung{caucus::supervised{caucus::extinction{1}}, caucus::spanning_tree{}};
#else
const caucus::on_tree hung{caucus::supervised{caucus::chang_roberts{1}}, caucus::spanning_tree{}};
#endif
