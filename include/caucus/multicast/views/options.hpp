// SPDX-License-Identifier: MIT
#pragma once

#include <caucus/core/error.hpp>

#include <cstddef>

namespace caucus {

struct views_options {
    /// Of each member, in one view: then the view ends, and a new one of the same members begins.
    std::size_t messages_max = 1024;

    constexpr views_options checked() const {
        if (messages_max == 0) refuse("views: messages_max is 0; nobody could send");
        return *this;
    }
};

}  // namespace caucus
