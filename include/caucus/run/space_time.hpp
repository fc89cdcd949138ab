// SPDX-License-Identifier: MIT
#pragma once

// Moved: include what stands here instead.
#include <caucus/trace/space_time.hpp>
