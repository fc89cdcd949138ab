// SPDX-License-Identifier: MIT
// The catalogue beside the headers is made of their own words, and those are true to the cards; the
// README's program is the first example.
#include <caucus/caucus.hpp>

#include <doctest/doctest.h>

#include <cstring>
#include <filesystem>
#include <fstream>
#include <map>
#include <set>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

using namespace caucus;

namespace {

const std::string root = CAUCUS_SOURCE_DIR;
const std::string catalogue = root + "/include/caucus/README.md";
const std::string mark = "<!-- from here on: the first comments of the headers -->\n";

std::string slurp(const std::string& path) {
    std::ifstream file(path);
    std::ostringstream text;
    text << file.rdbuf();
    return text.str();
}

bool says(const std::string& text, const std::string& words) {
    return text.find(words) != std::string::npos;
}

constexpr const char* labels[] = {"Model", "Safety", "Liveness", "Cost", "Faults", "Source"};

/// A header's first comment: what it says before the labelled lines, and after each label.
struct data_sheet {
    std::string statement;
    std::vector<std::pair<std::string, std::string>> lines;

    explicit data_sheet(const std::string& path) {
        std::istringstream text(slurp(root + "/include/caucus/" + path));
        bool inside = false;   // the labelled lines
        for (std::string line; std::getline(text, line);) {
            if (line.rfind("///", 0) != 0) {
                if (inside) return;
                statement.clear();   // that was about something else
                continue;
            }
            const std::string words = line.size() > 4 ? line.substr(4) : "";
            if (const char* label = label_of(words)) {
                inside = true;
                lines.emplace_back(label, after_blanks(words, std::strlen(label)));
            } else if (inside && words.rfind("          ", 0) == 0) {
                lines.back().second += " " + after_blanks(words, 0);
            } else if (inside) {
                return;
            } else {
                statement += words.empty() ? "\n" : words + "\n";
            }
        }
    }

    std::string operator[](const std::string& label) const {
        for (const auto& [name, words] : lines)
            if (name == label) return words;
        return "";
    }

private:
    static const char* label_of(const std::string& words) {
        for (const char* label : labels)
            if (words.rfind(label + std::string("  "), 0) == 0) return label;
        return nullptr;
    }
    static std::string after_blanks(const std::string& words, std::size_t from) {
        return words.substr(words.find_first_not_of(' ', from));
    }
};

struct family {
    const char* title;
    std::vector<const char*> headers;
};
const std::vector<family> families = {
    {"Rings",
     {"election/ring/le_lann.hpp", "election/ring/chang_roberts.hpp",
      "election/ring/replacing.hpp", "election/ring/renewed.hpp", "election/ring/two_way.hpp",
      "election/ring/peterson.hpp", "election/ring/peterson_alternating.hpp",
      "election/ring/franklin.hpp", "election/ring/hirschberg_sinclair.hpp",
      "election/ring/time_slice.hpp", "election/ring/variable_speeds.hpp",
      "election/ring/itai_rodeh.hpp"}},
    {"Trees", {"election/tree/tree_wave.hpp", "election/tree/firewire.hpp"}},
    {"Graphs",
     {"election/graph/traversal_election.hpp", "election/graph/extinction.hpp",
      "election/graph/adoption.hpp", "election/graph/waiting.hpp", "election/graph/ghs.hpp"}},
    {"Complete networks",
     {"election/complete/bully.hpp", "election/complete/invitation.hpp",
      "election/complete/afek_gafni.hpp", "election/ring/roll_call.hpp"}},
    {"Waves", {"wave/echo.hpp", "wave/traversal.hpp", "wave/spanning_tree.hpp"}},
    {"Detectors",
     {"detector/heartbeat.hpp", "detector/phi_accrual.hpp", "detector/swim.hpp"}},
    {"Layers",
     {"layer/supervised.hpp", "layer/repaired_ring.hpp", "layer/on_tree.hpp",
      "layer/reliable.hpp", "layer/candid.hpp", "layer/synchronizer.hpp", "layer/grouped.hpp",
      "layer/stamped.hpp", "layer/bus.hpp"}},
    {"Exclusion",
     {"exclusion/coordinator.hpp", "election/appointed.hpp", "exclusion/lamport.hpp",
      "exclusion/ricart_agrawala.hpp", "exclusion/maekawa.hpp", "exclusion/suzuki_kasami.hpp",
      "exclusion/raymond.hpp", "exclusion/token_ring.hpp"}},
    {"Multicast",
     {"multicast/best_effort.hpp", "multicast/acked.hpp", "multicast/nacked.hpp",
      "multicast/srm.hpp", "multicast/fifo_order.hpp", "multicast/causal_order.hpp",
      "multicast/total_order.hpp", "multicast/views.hpp"}},
    {"Clocks",
     {"logical/lamport_clock.hpp", "logical/vector_clock.hpp", "logical/hybrid_clock.hpp"}},
};

/// How Markdown shows the words as they are: nothing in them is a tag.
std::string as_text(const std::string& words) {
    std::string shown;
    bool code = false;
    for (const char c : words) {
        code = code != (c == '`');
        if (c == '<' && !code) shown += "&lt;";
        else shown += c;
    }
    return shown;
}

std::string part_of_catalogue(const std::string& path) {
    const data_sheet sheet(path);
    const std::string name = std::filesystem::path(path).stem().string();
    std::string text = "### [`" + name + "`](" + path + ")\n\n" + as_text(sheet.statement);
    for (const auto& [label, words] : sheet.lines)
        text += "- **" + label + "** " + as_text(words) + "\n";
    return text + "\n";
}

std::string words_for(winner w) {
    switch (w) {
        case winner::best_of_all: return "the best of all";
        case winner::best_caller: return "the best caller";
        case winner::some_caller: return "a caller";
        default: return "any node";
    }
}

/// One row of the table of who leads: by default, and with each wake policy that it takes.
struct who_leads {
    const char* name;
    winner by_default;
    std::vector<std::string> by_waking{"", "", ""};   // join, suppress, relay_only
    const char* remark = "";

    std::string row() const {
        std::string text = "| `" + std::string(name) + "` | " + words_for(by_default);
        for (const std::string& each : by_waking) text += " | " + each;
        return text + " | " + remark + " |\n";
    }
};
/// Of an election that takes all three, or all but suppress.
template <template <class...> class Election>
who_leads three_ways(const char* name) {
    return {name, Election<int>::elects,
            {words_for(Election<int, join>::elects), words_for(Election<int, suppress>::elects),
             words_for(Election<int, relay_only>::elects)}};
}
template <template <class...> class Election>
who_leads two_ways(const char* name, const char* remark = "") {
    return {name, Election<int>::elects,
            {words_for(Election<int, join>::elects), "",
             words_for(Election<int, relay_only>::elects)},
            remark};
}
template <class P>
who_leads one_way(const char* name, const char* remark = "") {
    return {name, P::elects, {"", "", ""}, remark};
}
std::vector<who_leads> winners() {
    return {
        two_ways<le_lann>("le_lann"),
        three_ways<chang_roberts>("chang_roberts"),
        one_way<replacing<int>>("replacing"),
        one_way<renewed<int>>("renewed", "of those that live"),
        three_ways<two_way>("two_way"),
        two_ways<peterson>("peterson"),
        two_ways<peterson_alternating>("peterson_alternating"),
        three_ways<franklin>("franklin"),
        three_ways<hirschberg_sinclair>("hirschberg_sinclair"),
        one_way<time_slice<unsigned>>("time_slice", "the least is the best"),
        one_way<variable_speeds<unsigned>>("variable_speeds", "the least is the best"),
        one_way<itai_rodeh<>>("itai_rodeh", "by lot"),
        one_way<tree_wave<int>>("tree_wave", "silent: the better of the two that meet"),
        one_way<firewire<>>("firewire", "where two meet, by coin; by id the better of the two"),
        three_ways<traversal_election>("traversal_election"),
        three_ways<extinction>("extinction"),
        three_ways<adoption>("adoption"),
        three_ways<waiting>("waiting"),
        one_way<ghs<int>>("ghs", "the better end of the last edge that joined two fragments"),
        one_way<bully<int>>("bully", "of those that live; non_preemptive: who leads, stays"),
        one_way<invitation<int>>("invitation", "one for each group: who invited it"),
        two_ways<afek_gafni>("afek_gafni", "captures count before ids; join: not the worst"),
        one_way<roll_call<int>>("roll_call", "of those that live"),
    };
}

std::string table_of_winners() {
    std::string text =
        "\n## Who leads\n\n"
        "Where it is the best of all, the result does not depend on who calls. A caller is who "
        "starts before it is reached.\n\n"
        "| election | default | `join` | `suppress` | `relay_only` | |\n"
        "|---|---|---|---|---|---|\n";
    for (const who_leads& each : winners()) text += each.row();
    return text;
}

std::string generated() {
    std::string text = table_of_winners();
    for (const family& each : families) {
        text += "\n## " + std::string(each.title) + "\n\n";
        for (const char* path : each.headers) text += part_of_catalogue(path);
        text.pop_back();
    }
    return text;
}

template <class P>
void check_card(const std::string& path) {
    CAPTURE(path);
    const std::string name(kind_name<P>().data(), kind_name<P>().size());
    CHECK(std::filesystem::path(path).stem() == name);

    const std::string model = data_sheet(path)["Model"];
    const caucus::model assumed = P::assumes;
    CAPTURE(model);
    CHECK(says(model, "one-way ring") == (assumed.topology == shape::one_way_ring));
    CHECK(says(model, "two-way ring") == (assumed.topology == shape::two_way_ring));
    CHECK(says(model, "tree") == (assumed.topology == shape::tree));
    CHECK(says(model, "connected graph") == (assumed.topology == shape::graph));
    CHECK(says(model, "complete network") == (assumed.topology == shape::complete));
    CHECK(says(model, "unique ids") == (assumed.names == naming::distinct));
    CHECK(says(model, "no ids") == (assumed.names == naming::anonymous));
    CHECK(says(model, "reliable links") == covers(assumed.links, caucus::guarantee::reliable));
    CHECK(says(model, "fifo") == covers(assumed.links, caucus::guarantee::fifo));
    CHECK(says(model, "bounded delay") == (assumed.time == timing::bounded_delay));
    CHECK(says(model, "synchronous") == (assumed.time == timing::synchronous));
    CHECK((says(model, "of known size") || says(model, "known to all")) == !assumed.uniform);
}

/// For layers: assumes nothing.
struct least_process {
    using message = nothing;
    using timer = nothing;
    using outcome = nothing;
};

}  // namespace

TEST_CASE("catalogue: it says what the headers say") {
    const std::string page = slurp(catalogue);
    REQUIRE(says(page, mark));
    const std::string written = page.substr(page.find(mark) + mark.size());
    for (const family& each : families) {
        CHECK(says(written, "\n## " + std::string(each.title) + "\n"));
        for (const char* path : each.headers) {
            INFO("expected: ", part_of_catalogue(path));
            CHECK(says(written + "\n", part_of_catalogue(path)));
        }
    }
    INFO("test.catalogue --no-skip -tc='regenerate: *' writes it anew");
    CHECK((written == generated()));
}

TEST_CASE("catalogue: every algorithm and layer is in it, and each sheet has its lines") {
    std::set<std::string> listed{"layer/client.hpp",         // an application, for tests
                                 "exclusion/arbiter.hpp"};   // a part of maekawa
    for (const family& each : families)
        for (const char* path : each.headers) {
            CAPTURE(path);
            CHECK(listed.insert(path).second);
            CHECK_FALSE(data_sheet(path).statement.empty());
            CHECK(data_sheet(path)["Model"].empty() ==
                  (std::string(path).rfind("logical/", 0) == 0));
        }
    for (const char* folder : {"election", "wave", "detector", "layer", "exclusion",
                               "multicast"})
        for (const auto& file : std::filesystem::recursive_directory_iterator(
                 root + "/include/caucus/" + folder)) {
            if (file.path().extension() != ".hpp") continue;
            const std::string path =
                std::filesystem::relative(file.path(), root + "/include/caucus").generic_string();
            CAPTURE(path);
            const data_sheet sheet(path);
            CHECK((sheet["Model"].empty() || listed.count(path) == 1));
        }
}

TEST_CASE("catalogue: of every election it says who leads, and the sheet says the same") {
    std::map<std::string, who_leads> rows;
    for (const who_leads& each : winners()) rows.emplace(each.name, each);
    for (const family& each : families)
        for (const std::string path : each.headers) {
            if (path.rfind("election/", 0) != 0) continue;
            if (path == "election/appointed.hpp") continue;   // nobody is elected
            CAPTURE(path);
            const auto found = rows.find(std::filesystem::path(path).stem().string());
            REQUIRE(found != rows.end());
            const who_leads row = found->second;
            rows.erase(found);
            const std::string safety = data_sheet(path)["Safety"];
            const std::string by_default = safety.substr(0, safety.find('('));
            CAPTURE(safety);
            CHECK(says(by_default, "of those that started") ==
                  (row.by_default == winner::best_caller));
            CHECK((says(safety, "join") || says(safety, "relay_only")) ==
                  !row.by_waking[0].empty());
        }
    CHECK(rows.empty());
}

TEST_CASE("catalogue: every ready-made property is listed") {
    const std::string page = slurp(catalogue);
    const std::string listed = page.substr(0, page.find(mark));
    std::istringstream text(slurp(root + "/include/caucus/election/properties.hpp") +
                            slurp(root + "/include/caucus/exclusion/properties.hpp"));
    std::size_t found = 0;
    for (std::string line; std::getline(text, line);) {
        if (line.rfind("inline constexpr ", 0) != 0) continue;
        std::string name = line.substr(line.rfind(' ') + 1);
        name.pop_back();   // the semicolon
        CAPTURE(name);
        CHECK(says(listed, "| `" + name + "`"));
        ++found;
    }
    CHECK(found >= 8);
}

TEST_CASE("regenerate: the catalogue, from the headers" * doctest::skip()) {
    const std::string page = slurp(catalogue);
    std::ofstream(catalogue) << page.substr(0, page.find(mark)) + mark + generated();
}

TEST_CASE("catalogue: what a sheet says of its model is what the card says") {
    check_card<echo<int>>("wave/echo.hpp");
    check_card<traversal<int>>("wave/traversal.hpp");
    check_card<spanning_tree<>>("wave/spanning_tree.hpp");
    check_card<le_lann<int>>("election/ring/le_lann.hpp");
    check_card<roll_call<int>>("election/ring/roll_call.hpp");
    check_card<chang_roberts<int>>("election/ring/chang_roberts.hpp");
    check_card<replacing<int>>("election/ring/replacing.hpp");
    check_card<renewed<int>>("election/ring/renewed.hpp");
    check_card<two_way<int>>("election/ring/two_way.hpp");
    check_card<peterson<int>>("election/ring/peterson.hpp");
    check_card<peterson_alternating<int>>("election/ring/peterson_alternating.hpp");
    check_card<franklin<int>>("election/ring/franklin.hpp");
    check_card<hirschberg_sinclair<int>>("election/ring/hirschberg_sinclair.hpp");
    check_card<time_slice<unsigned>>("election/ring/time_slice.hpp");
    check_card<variable_speeds<unsigned>>("election/ring/variable_speeds.hpp");
    check_card<itai_rodeh<>>("election/ring/itai_rodeh.hpp");
    check_card<tree_wave<int>>("election/tree/tree_wave.hpp");
    check_card<firewire<>>("election/tree/firewire.hpp");
    check_card<extinction<int>>("election/graph/extinction.hpp");
    check_card<traversal_election<int>>("election/graph/traversal_election.hpp");
    check_card<ghs<int>>("election/graph/ghs.hpp");
    check_card<adoption<int>>("election/graph/adoption.hpp");
    check_card<waiting<int>>("election/graph/waiting.hpp");
    check_card<afek_gafni<int>>("election/complete/afek_gafni.hpp");
    check_card<bully<int>>("election/complete/bully.hpp");
    check_card<invitation<int>>("election/complete/invitation.hpp");
    check_card<heartbeat<least_process>>("detector/heartbeat.hpp");
    check_card<swim<least_process>>("detector/swim.hpp");
    check_card<lamport<int>>("exclusion/lamport.hpp");
    check_card<maekawa<int>>("exclusion/maekawa.hpp");
    check_card<suzuki_kasami<int>>("exclusion/suzuki_kasami.hpp");
    check_card<raymond<>>("exclusion/raymond.hpp");
    check_card<token_ring<int>>("exclusion/token_ring.hpp");
    check_card<acked<int>>("multicast/acked.hpp");
    check_card<nacked<int>>("multicast/nacked.hpp");
    check_card<best_effort<int>>("multicast/best_effort.hpp");
    check_card<srm<int>>("multicast/srm.hpp");
    check_card<total_order<views<int>>>("multicast/total_order.hpp");
    check_card<views<int>>("multicast/views.hpp");
}

TEST_CASE("catalogue: the README's program is the first example, and its output that one's") {
    const std::string readme = slurp(root + "/README.md");
    const std::string example = slurp(root + "/examples/first_election.cpp");
    const std::size_t code = example.find("#include");
    const std::size_t end = example.find("\n/* Output:\n");
    REQUIRE(end != std::string::npos);
    CHECK(says(readme, "```cpp\n" + example.substr(code, end - code) + "```"));
    const std::size_t output = end + std::string("\n/* Output:\n").size();
    CHECK(says(readme, example.substr(output, example.find("*/", output) - output)));
}

TEST_CASE("catalogue: the README's stack lives through the README's faults") {
    const std::vector ids{10, 20, 30, 40, 50};
    const auto make = [&](caucus::node v) {
        return caucus::supervised{caucus::reliable{caucus::extinction{ids[v]}}, {.beat = 100}};
    };
    const auto plan =
        caucus::fault_plan{}.links({.loss = 0.05}).partition({0, 1}, 2000, 5000).crash(4, 1000);
    caucus::events net{caucus::complete{5}, make, {.seed = 7, .faults = plan}};
    net.start_all();
    net.run_for(10'000);   // then ask net[0].leader(), net[0].epoch()
    REQUIRE(net[0].leader());
    for (std::size_t v = 1; v < 4; ++v) CHECK(net[v].leader() == net[0].leader());
}

TEST_CASE("catalogue: the stacks in the README's table ask of links what it says") {
    const auto asks = []<class P>(const P&) { return assumptions_of<P>().links; };
    CHECK(asks(supervised{extinction{1}}) == caucus::guarantee::reliable);
    CHECK(asks(supervised{repaired_ring{chang_roberts{1}}}) == caucus::guarantee::reliable);
    CHECK(asks(supervised{reliable{extinction{1}}}) == caucus::guarantee::none);
    CHECK(asks(supervised{bully{1, std::vector{2}, {.delay_max = 50}}}) == caucus::guarantee::none);
}
