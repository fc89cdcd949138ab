// SPDX-License-Identifier: MIT
// The README's catalogue says what the headers and the cards say, row by row.
#include <caucus/caucus.hpp>

#include <doctest/doctest.h>

#include <fstream>
#include <sstream>
#include <string>

using namespace caucus;

namespace {

std::string slurp(const std::string& path) {
    std::ifstream file(std::string(CAUCUS_SOURCE_DIR) + "/" + path);
    std::ostringstream all;
    all << file.rdbuf();
    return all.str();
}

/// What follows the label in a header's doc block, continuation lines included.
std::string doc_line(const std::string& header, const std::string& label) {
    std::istringstream lines(header);
    std::string found;
    for (std::string line; std::getline(lines, line);) {
        const std::string head = "/// " + label;
        if (found.empty() && line.rfind(head, 0) == 0) {
            found = line.substr(line.find_first_not_of(' ', head.size()));
        } else if (!found.empty()) {
            if (line.rfind("///           ", 0) != 0) break;
            found += " " + line.substr(line.find_first_not_of(' ', 3));
        }
    }
    return found;
}

/// As a cell of a table.
std::string cell(std::string words) {
    for (std::size_t at = 0; (at = words.find('|', at)) != std::string::npos; at += 2)
        words.insert(at, 1, '\\');
    return words;
}

bool says(const std::string& text, const char* words) {
    return text.find(words) != std::string::npos;
}

template <class P>
void check_row(const std::string& problem, const std::string& path) {
    const std::string header = slurp("include/caucus/" + path);
    const std::string name(kind_name<P>().data(), kind_name<P>().size());
    const std::string model = doc_line(header, "Model");
    const std::string row = "| " + problem + " | `" + name + "` | " + cell(model) + " | " +
                            cell(doc_line(header, "Cost")) + " | " +
                            cell(doc_line(header, "Faults")) + " | " +
                            cell(doc_line(header, "Source")) + " | [" + path + "](include/caucus/" +
                            path + ") |\n";
    INFO("expected row: ", row);
    CHECK(says(slurp("README.md"), row.c_str()));

    const caucus::model assumed = P::assumes;
    CAPTURE(model);
    CHECK(says(model, "one-way ring") == (assumed.topology == shape::one_way_ring));
    CHECK(says(model, "two-way ring") == (assumed.topology == shape::two_way_ring));
    CHECK(says(model, "tree") == (assumed.topology == shape::tree));
    CHECK(says(model, "connected graph") == (assumed.topology == shape::graph));
    CHECK(says(model, "complete network") == (assumed.topology == shape::complete));
    CHECK(says(model, "unique ids") == (assumed.names == naming::distinct));
    CHECK(says(model, "no ids") == (assumed.names == naming::anonymous));
    CHECK(says(model, "reliable links") == covers(assumed.links, link::reliable));
    CHECK(says(model, "fifo") == covers(assumed.links, link::fifo));
    CHECK(says(model, "bounded delay") == (assumed.time == timing::bounded_delay));
    CHECK(says(model, "synchronous") == (assumed.time == timing::synchronous));
}

/// For layers: assumes nothing.
struct least_process {
    using message = nothing;
    using timer = nothing;
    using outcome = nothing;
};

}  // namespace

TEST_CASE("catalogue: every algorithm has its row, made of its doc block, true to its card") {
    check_row<echo<int>>("wave", "wave/echo.hpp");
    check_row<traversal<int>>("wave", "wave/traversal.hpp");
    check_row<spanning_tree<>>("tree", "wave/spanning_tree.hpp");
    check_row<le_lann<int>>("election", "election/ring/le_lann.hpp");
    check_row<roll_call<int>>("election", "election/ring/roll_call.hpp");
    check_row<chang_roberts<int>>("election", "election/ring/chang_roberts.hpp");
    check_row<replacing<int>>("election", "election/ring/replacing.hpp");
    check_row<renewed<int>>("election", "election/ring/renewed.hpp");
    check_row<two_way<int>>("election", "election/ring/two_way.hpp");
    check_row<peterson<int>>("election", "election/ring/peterson.hpp");
    check_row<peterson_alternating<int>>("election", "election/ring/peterson_alternating.hpp");
    check_row<franklin<int>>("election", "election/ring/franklin.hpp");
    check_row<hirschberg_sinclair<int>>("election", "election/ring/hirschberg_sinclair.hpp");
    check_row<time_slice<unsigned>>("election", "election/ring/time_slice.hpp");
    check_row<variable_speeds<unsigned>>("election", "election/ring/variable_speeds.hpp");
    check_row<itai_rodeh<>>("election", "election/ring/itai_rodeh.hpp");
    check_row<tree_wave<int>>("election", "election/tree/tree_wave.hpp");
    check_row<firewire<>>("election", "election/tree/firewire.hpp");
    check_row<extinction<int>>("election", "election/graph/extinction.hpp");
    check_row<traversal_election<int>>("election", "election/graph/traversal_election.hpp");
    check_row<ghs<int>>("election", "election/graph/ghs.hpp");
    check_row<adoption<int>>("election", "election/graph/adoption.hpp");
    check_row<waiting<int>>("election", "election/graph/waiting.hpp");
    check_row<afek_gafni<int>>("election", "election/complete/afek_gafni.hpp");
    check_row<bully<int>>("election", "election/complete/bully.hpp");
    check_row<invitation<int>>("election", "election/complete/invitation.hpp");
    check_row<heartbeat<least_process>>("detector", "detector/heartbeat.hpp");
    check_row<swim<least_process>>("detector", "detector/swim.hpp");
}

TEST_CASE("catalogue: the README's program is the first example, and its output that one's") {
    const std::string readme = slurp("README.md");
    const std::string example = slurp("examples/first_election.cpp");
    const std::size_t code = example.find("#include");
    const std::size_t end = example.find("\n/* Output:\n");
    REQUIRE(end != std::string::npos);
    CHECK(says(readme, ("```cpp\n" + example.substr(code, end - code) + "```").c_str()));
    const std::size_t output = end + std::string("\n/* Output:\n").size();
    CHECK(says(readme, example.substr(output, example.find("*/", output) - output).c_str()));
}
