// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>

namespace caucus {

/// An outcome: the server has heard the wish, and so many are to leave before.
struct queued {
    std::size_t ahead = 0;
};

/// Whether the server answers a wish that it cannot grant at once.
struct answering_wishes {};
struct grants_only { using decides = answering_wishes; };   // a long queue is as silent as the dead
struct tells_place { using decides = answering_wishes; };   // `queued`: one message more

}  // namespace caucus
