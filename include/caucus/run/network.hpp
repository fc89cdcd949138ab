// SPDX-License-Identifier: MIT
#pragma once

// Moved: include what stands here instead.
#include <caucus/run/report.hpp>
#include <caucus/trace/observer.hpp>
