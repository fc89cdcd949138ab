// SPDX-License-Identifier: MIT
#pragma once

#include <caucus/core/print.hpp>
#include <caucus/topology/topology.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace caucus::exploration {

/// The nodes that two values with one description were made for; the same node if make was called
/// twice, and none if the values were not made so but became so on two ways.
struct makers {
    std::optional<node> first = {};
    std::optional<node> second = {};

    bool are_two_nodes() const { return first && second && first->index != second->index; }
    std::string text() const {
        if (!first || !second) return "two processes";
        std::string words = are_two_nodes() ? "nodes " : "two makes of node ";
        caucus::print(words, first->index);
        if (are_two_nodes()) caucus::print(words += " and ", second->index);
        return words;
    }
};

/// Of some known processes, other values that have the same description. They are one to an
/// exploration, which goes on with the known ones; if others act differently, `fields` leaves
/// something out.
///
/// What nodes begin with is all kept. Of what came about later, a sample: one for each process, the
/// last that stems from another node's beginning, or else the last of all; and 4096 in all.
template <class P>
class lookalikes_of {
public:
    enum class origin : std::uint8_t { made, inherited, met };
    static constexpr std::size_t any_degree = ~std::size_t{0};
    struct lookalike {
        std::optional<P> value;   // optional: a P need not be assignable
        makers made_by;
        origin from;
        std::size_t degree = any_degree;   // of the node whose it is
        std::uint32_t next = 0;   // of the same process, + 1; 0: there is none

        bool fits(std::size_t d) const { return degree == any_degree || degree == d; }
    };

    void add(std::uint32_t process, P&& value, makers by, origin from,
             std::size_t degree = any_degree) {
        if (process >= first_.size()) first_.resize(process + 1, 0);
        std::uint32_t* end = &first_[process];
        for (; *end != 0; end = &all_[*end - 1].next) {
            lookalike& known = all_[*end - 1];
            if (known.from == origin::made || from == origin::made) continue;
            if (known.from == origin::inherited && from == origin::met) return;
            known.value.emplace(std::move(value));
            known.made_by = by;
            known.from = from;
            known.degree = degree;
            return;
        }
        if (from != origin::made && size() >= samples_most) return;
        *end = static_cast<std::uint32_t>(all_.size() + 1);
        all_.push_back({std::move(value), by, from, degree});
    }
    std::size_t count(std::uint32_t process) const {
        std::size_t found = 0;
        for (std::uint32_t at = first(process); at != 0; at = all_[at - 1].next) ++found;
        return found;
    }
    /// The i-th of a process, in the order in which they came; nullptr if there are not so many.
    const lookalike* find(std::uint32_t process, std::size_t i) const {
        std::uint32_t at = first(process);
        for (; at != 0 && i != 0; --i) at = all_[at - 1].next;
        return at == 0 ? nullptr : &all_[at - 1];
    }
    std::size_t size() const { return all_.size(); }
    std::size_t bytes() const { return sizeof(lookalike) * all_.size() + 4 * first_.capacity(); }

private:
    static constexpr std::size_t samples_most = 4096;

    std::uint32_t first(std::uint32_t process) const {
        return process < first_.size() ? first_[process] : 0;
    }

    std::vector<std::uint32_t> first_;   // of each process, + 1; 0: it has none
    std::vector<lookalike> all_;
};

}  // namespace caucus::exploration
