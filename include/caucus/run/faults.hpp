// SPDX-License-Identifier: MIT
#pragma once

#include <caucus/core/time.hpp>

#include <cstddef>
#include <utility>
#include <vector>

namespace caucus {

/// What goes wrong, and when: crashes and restarts of nodes, written down before the run.
///     fault_plan{}.crash(2, 100).restart(2, 500)
class fault_plan {
public:
    enum class kind : unsigned char { crash, restart };
    struct fault {
        ticks at;
        std::size_t node;
        kind what;
    };

    fault_plan& crash(std::size_t node, ticks at) { return add({at, node, kind::crash}); }
    fault_plan& restart(std::size_t node, ticks at) { return add({at, node, kind::restart}); }

    /// In the order in which they were written.
    const std::vector<fault>& faults() const { return faults_; }

private:
    fault_plan& add(fault f) {
        faults_.push_back(f);
        return *this;
    }

    std::vector<fault> faults_;
};

}  // namespace caucus
