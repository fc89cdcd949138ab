// expect: needs_an_election__with_id_and_is_leader
// SPDX-License-Identifier: MIT
#include <caucus/election/complete/bully.hpp>
#include <caucus/exclusion/suzuki_kasami.hpp>
#include <caucus/layer/supervised.hpp>

#include "parts.hpp"

#include <vector>

using process = std::conditional_t<CAUCUS_CONTROL, caucus::bully<int>, caucus::suzuki_kasami<int>>;

caucus::supervised self{process{7, std::vector{9}}};
