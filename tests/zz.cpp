#include <support/group_runs.hpp>
#include <iostream>
#include <cstring>
using namespace caucus;
using namespace support;
template <class... Q>
verdict run(const group_story& s, explore_options<group_client<Q..., all_but>> how, all_but rules) {
    constexpr bool maj = sizeof...(Q) == 1;
    how.properties = {always("views", keeps_views{maj}), finally("settled", settles_views{maj})};
    how.remember_dead = true;
    how.timers = timers::any_time;
    how.count_messages = false;
    how.reduce = reduction::none;
    return explore(complete{s.slots}, groups(s, Q{}..., rules), how);
}
const char* names[] = {"P1","P2","P3","P4","F1","F2","F3","F4","B1","B2","D1","D2","D3","D4","D5","D8","D9","D10","D11","D12","D13","N1","N2","N3","J1","J2","J3","J4","J5","J6","J7","I1","I2"};
struct scen { const char* name; group_story s; int crashes; int restarts; bool late; int wrong; int views; int attempts; };
template <class... Q>
void sweep(const std::vector<scen>& list, unsigned long long cap, bool removals, const char* only) {
    for (auto& sc : list) {
        if (only && !std::strstr(sc.name, only)) continue;
        auto how = [&] { explore_options<group_client<Q..., all_but>> h{.faults = {.crashes = (uint8_t)sc.crashes, .restarts = (uint8_t)sc.restarts, .fragile = sc.crashes != 0, .late_suspicions = sc.late}, .detector = eventual{.wrong = (size_t)sc.wrong}, .max_states = cap};
            if (sc.views) h.within = [v = sc.views, a = sc.attempts](const auto& g) { for (size_t i = 0; i < g.nodes(); ++i) if (detail::innermost(g[i]).current().number > (unsigned)v || detail::innermost(g[i]).attempts() > (unsigned)a) return false; return true; };
            return h; };
        auto v = run<Q...>(sc.s, how(), {});
        std::cout << sc.name << ": states " << v.states << " complete " << v.complete << " limit " << v.limit << " cx " << v.counterexample.size() << " " << v.counterexample.property << "\n"; if (std::getenv("TEXT")) std::cout << v.counterexample.text() << "\n";
        
        if (removals) { for (int r = 0; r < 33; ++r) { if (std::getenv("RULES") && !std::strstr(std::getenv("RULES"), (std::string(",")+names[r]+",").c_str())) continue;
            auto w = run<Q...>(sc.s, how(), {rule(r)});
            if (!w.holds) std::cout << "   " << names[r] << " " << w.counterexample.size() << (w.counterexample.property[0]=='s' ? "f" : "") << std::flush;
        } std::cout << "\n"; }
    }
}
int main(int argc, char** argv) {
    const bool rem = argc > 1 && argv[1][0] == 'r';
    const bool maj = argc > 2 && argv[2][0] == 'm';
    const unsigned long long cap = argc > 3 ? std::atoll(argv[3]) : 300000;
    const char* only = argc > 4 ? argv[4] : nullptr;
    const group_story all3{3, {0,1,2}, {{}, {cast}, {}}};
    const group_story all3b{3, {0,1,2}, {{cast}, {cast}, {}}};
    const group_story join3{3, {0,1}, {{}, {cast}, {join}}};
    const group_story join3c{3, {0,1}, {{cast}, {}, {join}}};
    const group_story join2{3, {0}, {{}, {join}, {join}}};
    const group_story leavejoin{3, {0,1}, {{depart}, {}, {join}}};
    const group_story leavejoin1{3, {0,1}, {{}, {depart}, {join}}};
    const group_story leave3{3, {0,1,2}, {{depart}, {}, {}}};
    const group_story leave3b{3, {0,1,2}, {{}, {depart}, {cast}}};
    const group_story again{3, {0,1}, {{}, {}, {join, depart, join}}};
    const group_story rejoin{3, {0,1,2}, {{join}, {join}, {join}}};
    const group_story four{4, {0,1,2,3}, {{}, {cast}, {}, {}}};
    if (!maj) sweep<>({{"all3/2", all3, 2,0,0,0,0,0}, {"all3b/2", all3b, 2,0,0,0,0,0}, {"join3/1", join3, 1,0,0,0,0,0}, {"join3c/1", join3c,1,0,0,0,0,0}, {"join3/2", join3, 2,0,0,0,0,0}, {"join2/1", join2, 1,0,0,0,0,0},
        {"leavejoin/2", leavejoin,2,0,0,0,0,0}, {"leavejoin1/2", leavejoin1,2,0,0,0,0,0}, {"leave3/1", leave3,1,0,0,0,0,0}, {"leave3b/2", leave3b,2,0,0,0,0,0}, {"again/1", again,1,0,0,0,0,0}, {"rejoin/1r", rejoin,1,1,1,0,0,0}, {"X9 four/2", four,2,0,0,0,0,0}, {"X10 leave4/2", {4,{0,1,2,3},{{},{depart},{},{}}},2,0,0,0,0,0}, {"X11", {4,{0,1,2},{{},{},{},{join}}},2,0,0,0,0,0}, {"X12", {4,{0,1},{{},{},{join},{join}}},1,0,0,0,0,0}}, cap, rem, only);
    else sweep<majority>({{"all3/1", all3,1,0,0,0,3,3}, {"all3/0w1", all3,0,0,0,1,3,3}, {"all3/0w2", all3,0,0,0,2,3,3}, {"all3/1w1", all3,1,0,0,1,3,3}, {"join3/1", join3,1,0,0,0,3,3}, {"join3/w1", join3,0,0,0,1,3,3}, {"join3c/w1", join3c,0,0,0,1,3,3}, {"leavejoin/w1", leavejoin,0,0,0,1,4,3}, {"rejoin/w1", rejoin,0,0,0,1,4,3}, {"again/w1", again,0,0,0,1,4,3},{"rejoin/1r", rejoin,1,1,1,0,4,3}, {"X0 leavejoin/1", leavejoin,1,0,0,0,4,3},{"X00 leavejoin1/1", leavejoin1,1,0,0,0,4,3},{"X000 leave3b/1", leave3b,1,0,0,0,4,3},{"X0000 join3c/2", join3c,2,0,0,0,4,3},{"X1 join3/1w1", join3,1,0,0,1,3,3}, {"X2 join2/1w1", join2,1,0,0,1,4,3}, {"X3 leave3/1w1", leave3,1,0,0,1,3,3},  {"X4 leavejoin/1w1", leavejoin,1,0,0,1,4,3}, {"X5 four/1w1", four,1,0,0,1,3,3}, {"X6 all3/0w2", all3,0,0,0,2,3,4}, {"X7 leave3", leave3b,0,0,0,2,3,3},{"X8 leave3", leave3,0,0,0,2,3,3}}, cap, rem, only);
}
