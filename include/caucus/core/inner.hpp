// SPDX-License-Identifier: MIT
#pragma once

// Moved: include what stands here instead.
#include <caucus/core/inner_environment.hpp>
#include <caucus/core/layer.hpp>
