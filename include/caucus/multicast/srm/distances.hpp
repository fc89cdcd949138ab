// SPDX-License-Identifier: MIT
#pragma once

#include <caucus/core/environment.hpp>
#include <caucus/core/error.hpp>
#include <caucus/core/storage.hpp>
#include <caucus/core/time.hpp>

#include <cstddef>
#include <optional>
#include <tuple>

namespace caucus {

/// The role of what says how far away the other members are, in ticks, one way. Such a policy has a
/// `table<Id, Storage>`, made from the policy and how many members it is to know at most, with
///   stamps           what it adds to a session message, made by stamped(env)
///   hear(from, stamps, self, env)   of another member's session message
///   to(id)           the distance; of whom it knows none, that of unknown ones
///   forget()         what it has measured: of another life
struct distances {};

namespace detail {
/// Longer ones are taken for that: whatever they are multiplied by, ticks can count it.
inline constexpr ticks distance_max = ticks{1} << 30;

/// From 1 on: 0 never doubles, and a short delay would outlast all rounds of requests.
constexpr ticks bounded_distance(ticks d, ticks most = distance_max) {
    if (d == 0) return 1;
    return d < most ? d : most;
}
}  // namespace detail

struct measured_options {
    ticks unknown = 10;       // how far away somebody is of whom nothing was measured yet
    ticks most = 1'000'000;   // nobody is further away, whatever was measured
};

/// Half of the last round trip: a session message says when it was sent, and of every member that
/// was heard when that one had sent its last, and how long ago that came. Clocks need not agree.
///
/// Source    Mills, RFC 958, 1985; Floyd, Jacobson, Liu, McCanne & Zhang, ToN 5(6), 1997
class measured_distances {
public:
    using decides = distances;
    static constexpr bool reads_clock = true;

    constexpr explicit measured_distances(measured_options options = {}) : options_(options) {
        if (options.unknown == 0 || options.unknown > options.most ||
            options.most > detail::distance_max)
            refuse("measured_distances: ", options.unknown, " ticks to the unknown, and at most ",
                   options.most);
    }

    template <class Id, class Storage>
    class table {
    public:
        struct echo {
            Id whose{};
            ticks at = 0;     // when it said that, by its clock
            ticks held = 0;   // since then, at the one who says it again
        };
        struct stamps {
            ticks at = 0;
            typename Storage::template sequence<echo> echoes{};
        };

        constexpr table(const measured_distances& how, std::size_t members)
            : options_(how.options_), members_max_(members) {}

        constexpr stamps stamped(timepiece auto& env) const {
            stamps said{env.now(), {}};
            for (const acquaintance& a : known_)
                said.echoes.push_back(echo{a.who, a.at, said.at - a.heard});
            return said;
        }
        constexpr void hear(const Id& from, const stamps& said, const Id& self,
                            timepiece auto& env) {
            acquaintance* a = find(from);
            if (a == nullptr) {
                if (known_.size() == members_max_) return;
                known_.push_back(acquaintance{from, 0, 0, std::nullopt});
                a = &known_[known_.size() - 1];
            }
            const ticks now = env.now();
            a->at = said.at;
            a->heard = now;
            for (const echo& e : said.echoes)
                if (e.whose == self) measure(*a, e, now);
        }
        constexpr ticks to(const Id& whom) const {
            for (const acquaintance& a : known_)
                if (a.who == whom) return a.distance.value_or(options_.unknown);
            return options_.unknown;
        }
        constexpr void forget() { known_.clear(); }
        /// Has a distance been measured?
        constexpr bool knows(const Id& whom) const {
            for (const acquaintance& a : known_)
                if (a.who == whom) return a.distance.has_value();
            return false;
        }

        static constexpr auto fields(auto& self) { return std::tie(self.known_); }

    private:
        struct acquaintance {
            Id who{};
            ticks at = 0;      // what its last session message said
            ticks heard = 0;   // when that came, by the own clock
            std::optional<ticks> distance{};
        };

        constexpr acquaintance* find(const Id& whom) {
            for (acquaintance& a : known_)
                if (a.who == whom) return &a;
            return nullptr;
        }
        /// An echo from the future is of another life, or forged.
        constexpr void measure(acquaintance& a, const echo& e, ticks now) {
            if (now < e.at || now - e.at < e.held) return;
            const ticks half = (now - e.at - e.held) / 2;
            a.distance = detail::bounded_distance(half, options_.most);
        }

        measured_options options_;
        std::size_t members_max_;
        typename Storage::template sequence<acquaintance> known_{};
    };

private:
    measured_options options_;
};

/// Known from somewhere else, once and for all: by id, or the same for all.
///
/// `Storage` of those that are listed.
template <class Id = int, class Storage = heap_storage>
class given_distances {
public:
    using decides = distances;
    static constexpr bool reads_clock = false;
    struct distance {
        Id to{};
        ticks is = 1;
    };
    struct stamps {};

    /// Everybody is so far away.
    constexpr explicit given_distances(ticks others = 1)
        : others_(detail::bounded_distance(others)) {}
    /// Those are as far away as listed, all others as far as said.
    template <class Range>
        requires requires(const Range& r) { r.begin(); }
    constexpr explicit given_distances(const Range& listed, ticks others = 1)
        : given_distances(others) {
        static_assert(needs_peers_that_fit__give_a_std_array<Storage, Range>,
                      "needs_peers_that_fit__give_a_std_array");
        for (const distance& d : listed)
            listed_.push_back(distance{d.to, detail::bounded_distance(d.is)});
    }

    template <class, class>
    using table = given_distances;
    constexpr given_distances(const given_distances& how, std::size_t) : given_distances(how) {}

    static constexpr stamps stamped(auto&) { return {}; }
    static constexpr void hear(const Id&, const stamps&, const Id&, auto&) {}
    constexpr ticks to(const Id& whom) const {
        for (const distance& d : listed_)
            if (d.to == whom) return d.is;
        return others_;
    }
    static constexpr void forget() {}

    static constexpr auto fields(auto& self) { return std::tie(self.listed_, self.others_); }

private:
    typename Storage::template sequence<distance> listed_{};
    ticks others_;
};

}  // namespace caucus
