// SPDX-License-Identifier: MIT
#pragma once

#include <caucus/core/error.hpp>
#include <caucus/core/fields.hpp>
#include <caucus/core/model.hpp>
#include <caucus/core/port.hpp>
#include <caucus/core/text.hpp>
#include <caucus/core/time.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

namespace caucus {

/// Why a run ended: nothing is left to happen, a limit was reached, or the predicate said so. The
/// end of time is a limit too: what is under way or armed until `never` has not come to rest.
enum class stop : std::uint8_t { quiescent, limit, predicate };

/// How far a run may go. By default a livelock ends, after a minute or two.
struct limits {
    ticks max_rounds = never;                     // counted from the simulation's beginning
    ticks max_ticks = never;                      // the same in the words of `events`: less counts
    std::uint64_t max_messages = 1'000'000'000;   // sent, likewise
    std::uint64_t max_busy_ticks = 500'000'000;   // at which anything happened, in this run

    constexpr ticks end() const { return max_rounds < max_ticks ? max_rounds : max_ticks; }
};

/// Whether a simulation also counts by node and by link and follows causal chains: 12 bytes a node
/// and 8 a link. `automatic` does up to 4,096 links, where nobody will feel it.
enum class detail_level : std::uint8_t { automatic, off, on };

namespace detail {
/// Its address stands for the type: two kinds may have the same name.
template <class Kind>
struct kind_tag {
    static constexpr char here = 0;
};
}  // namespace detail

/// What a simulation has cost since it was made. A message counts when it is sent, per link.
struct report {
    struct kind_count {
        text name;
        std::uint64_t messages = 0;
        const char* tag = nullptr;        // which type it is
    };
    /// Empty unless counted in detail; then reading a place refuses, and does not read past it.
    struct counts : std::vector<std::uint64_t> {
        constexpr std::uint64_t operator[](std::size_t i) const {
            if (empty())
                refuse("report: nothing was counted by node or link; make the simulation with "
                       "detail_level::on");
            if (i >= size()) refuse("report: there is no place ", i, " among ", size());
            return begin()[static_cast<std::ptrdiff_t>(i)];
        }
    };

    std::uint64_t messages = 0;
    std::uint64_t bits = 0;               // of payload: every field, and one byte for the kind
    ticks rounds = 0;                     // the last tick at which anything happened
    stop stopped = stop::quiescent;
    std::uint64_t seed = 0;
    std::uint64_t in_flight_most = 0;     // the largest number of messages under way at once
    std::uint64_t outcomes = 0;
    std::uint64_t lost = 0;               // messages: to whoever is not there, or by the fault plan
    std::uint64_t doubled = 0;            // messages that arrive twice, by the fault plan
    std::uint64_t late = 0;               // under way for longer than the algorithm was told
    std::size_t alive = 0;                // nodes, at the end: not crashed, not absent, not left
    caucus::size size;                    // initiators: starts that had an effect, or entries asked
    std::optional<cost> proven;           // by the card, for this size: of one election, or entries
    bool detailed = false;                // whether the next three were counted: see detail_level
    std::uint64_t longest_chain = never;  // of messages, each sent after the last came; or never
    counts by_node;                       // sent by each node; or empty
    counts by_link;                       // sent over each arc of the topology; or empty
    std::vector<kind_count> kinds;

    constexpr ticks time() const { return rounds; }

private:
    constexpr std::uint64_t count(text name, auto is_it) const {
        std::uint64_t sum = 0;
        bool found = false;
        for (const kind_count& kind : kinds) {
            if (!is_it(kind)) continue;
            sum += kind.messages;
            found = true;
        }
        if (!found) refuse_kind(name);
        return sum;
    }
    [[noreturn]] void refuse_kind(text name) const {
        std::vector<char> asked(name.begin(), name.end());
        asked.push_back('\0');
        std::vector<char> known;
        for (const kind_count& kind : kinds) {
            if (!known.empty()) known.insert(known.end(), {',', ' '});
            known.insert(known.end(), kind.name.begin(), kind.name.end());
        }
        if (known.empty()) refuse("report: no message kind ", asked.data(), "; there are none");
        known.push_back('\0');
        refuse("report: no message kind ", asked.data(), "; there are ", known.data());
    }

public:
    /// Messages of the kinds with that name, or of that type. One that the process does not have
    /// is refused: it would count none, whatever happens.
    constexpr std::uint64_t by_kind(text name) const {
        return count(name, [&](const kind_count& kind) { return kind.name == name; });
    }
    template <class Kind>
    constexpr std::uint64_t by_kind() const {
        return count(kind_name<Kind>(), [](const kind_count& kind) {
            return kind.tag == &detail::kind_tag<Kind>::here;
        });
    }

    /// Is the number of messages within what the card says is proven? False where it says nothing.
    constexpr bool within_proven() const { return proven && proven->contains(messages); }
};

namespace detail {

/// Has every value of the type the same width on the wire?
template <class T>
constexpr bool fixed_width() {
    if constexpr (scalar<T>) {
        return true;
    } else if constexpr (is_variant<T> || maybe<T> || sequence<T>) {
        return false;
    } else {
        return []<class... Fields>(const std::tuple<Fields&...>*) {
            return (... && fixed_width<std::remove_const_t<Fields>>());
        }(static_cast<decltype(fields_of(std::declval<const T&>()))*>(nullptr));
    }
}

}  // namespace detail

/// An outcome, and who reported it when.
template <class Outcome>
struct reported {
    caucus::node node;
    ticks at = 0;
    Outcome outcome;
};

}  // namespace caucus
