// SPDX-License-Identifier: MIT
// Does whoever can elect also agree? Yes: on the last bit of the leader's id. And if nodes die, and
// nobody can tell the dead from the slow? Then no agreement always ends (Fischer, Lynch & Paterson
// 1985), so no election does. All that a detector may say is tried, at any time.
#include <caucus/run/explore.hpp>
#include <caucus/topology/ring.hpp>

#include <cstdio>
#include <optional>
#include <variant>

enum class detector { none, errs_once, keeps_erring };

/// An id goes round a ring, greater ones replace it, and its owner leads when it comes home. It
/// would never if that node were dead: whoever holds an id and suspects its owner replaces it, too.
struct asking {
    struct election { int candidate; };
    struct elected { int leader; };
    struct other_opinion { static constexpr bool is_decision = true; };   // may come at any time
    using message = std::variant<election, elected>;
    using timer = other_opinion;
    using outcome = caucus::nothing;

    int self;
    detector ear;
    bool dead_3;         // a detector that does not err knows it
    bool errs = false;   // suspects everybody, until it is of another opinion
    std::optional<int> known = std::nullopt;

    bool suspects(int id) const {
        return ear != detector::none && (errs || (dead_3 && id == 3));
    }
    void start(auto& env) {
        env.send(caucus::next, election{dead_3 ? 3 : self});
        if (ear != detector::none) env.arm(other_opinion{}, 1);
    }
    void on(other_opinion, auto& env) {
        errs = !errs;
        if (errs || ear == detector::keeps_erring) env.arm(other_opinion{}, 1);
    }
    void on(election m, caucus::port, auto& env) {
        if (known) return;
        if (m.candidate == self) return decide(self, env);
        if (m.candidate < self || suspects(m.candidate)) m.candidate = self;
        env.send(caucus::next, m);
    }
    void on(elected m, caucus::port, auto& env) {
        if (!known) decide(m.leader, env);
    }
    void decide(int leader, auto& env) {
        known = leader;
        env.send(caucus::next, elected{leader});
    }
    std::optional<int> bit() const { return known ? std::optional{*known % 2} : std::nullopt; }
};

constexpr auto those_who_know_agree = [](const auto& g) {
    for (std::size_t v = 0; v < g.nodes(); ++v)
        for (std::size_t u = 0; u < v; ++u)
            if (g[u].bit() && g[v].bit() && g[u].bit() != g[v].bit()) return false;
    return true;
};
constexpr auto all_know = [](const auto& g) {
    for (std::size_t v = 0; v < g.nodes(); ++v)
        if (!g[v].bit()) return false;
    return true;
};

/// 1, 2 and 3 on a ring; or 3 has died, the ring is closed over it, and 1 has its id in hand.
caucus::verdict check(detector ear, bool dead_3, caucus::property<asking> p) {
    const auto make = [=](caucus::node v) {
        return asking{static_cast<int>(v.index) + 1, ear, dead_3};
    };
    return caucus::explore(caucus::ring{dead_3 ? 2u : 3u}, make,
                           {.initiators = {0}, .properties = {p}});
}

void row(const char* name, detector ear, bool dead_3) {
    const auto zero = [](const auto& g) { return g[0].bit() == 0; };
    const auto one = [](const auto& g) { return g[0].bit() == 1; };
    const caucus::verdict ends = check(ear, dead_3, caucus::finally("all know", all_know));
    std::printf("%-13s %-6s %-7s %s%s   %s\n", name, dead_3 ? "dead" : "alive",
                check(ear, dead_3, caucus::always(those_who_know_agree)).verified() ? "yes" : "no",
                check(ear, dead_3, caucus::sometimes(zero)).holds ? "0" : " ",
                check(ear, dead_3, caucus::sometimes(one)).holds ? "1" : " ",
                ends.verified() ? "always" : ends.counterexample.how.c_str());
}

int main() {
    std::puts("detector      3 is   agree?  bit  all know it");
    for (const bool dead_3 : {false, true}) {
        row("none", detector::none, dead_3);
        row("errs once", detector::errs_once, dead_3);
        row("keeps erring", detector::keeps_erring, dead_3);
    }
    const auto v = check(detector::keeps_erring, false, caucus::finally("all know", all_know));
    std::printf("\n%s", v.counterexample.text().c_str());
}

/* Output:
detector      3 is   agree?  bit  all know it
none          alive  yes      1   always
errs once     alive  yes      1   always
keeps erring  alive  yes      1   can be avoided for ever
none          dead   yes          can be avoided for ever
errs once     dead   yes     0    always
keeps erring  dead   yes     0    can be avoided for ever

all know can be avoided for ever:
  at first node 0 starts
  from here on, again and again:
  1. node 1 receives election{1} from node 0
  2. node 0 decides: other_opinion and is now asking{1, 2, false, true, none}
  3. node 2 receives election{2} from node 1
  4. node 0 receives election{3} from node 2
  5. node 0 decides: other_opinion and is now asking{1, 2, false, false, none}
*/
