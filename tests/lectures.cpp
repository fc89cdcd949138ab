// SPDX-License-Identifier: MIT
// tests/lectures.md says which test asserts which statement of the lectures: each header and each
// test that it names is there.
#include <doctest/doctest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>
#include <string>
#include <vector>

namespace {

const std::string root = CAUCUS_SOURCE_DIR;

std::string slurp(const std::string& path) {
    std::ifstream file(path);
    return {std::istreambuf_iterator<char>(file), {}};
}

/// The names of a file's test cases; the parts of a name that is broken over lines are joined.
std::set<std::string> cases_of(const std::string& path) {
    const std::string text = slurp(path);
    std::set<std::string> names;
    for (std::size_t at = text.find("TEST_CASE("); at != std::string::npos;
         at = text.find("TEST_CASE(", at + 1)) {
        std::string name;
        bool quoted = false;
        for (std::size_t i = at + 10; quoted || (text[i] != ')' && text[i] != '*'); ++i) {
            if (quoted && text[i] == '\\') name += text[++i];
            else if (text[i] == '"') quoted = !quoted;
            else if (quoted) name += text[i];
        }
        names.insert(name);
    }
    return names;
}

/// The cells of a row; "\|" is a bar within one.
std::vector<std::string> cells_of(const std::string& line) {
    std::vector<std::string> cells{""};
    for (std::size_t i = 2; i + 2 < line.size(); ++i) {
        if (line[i] == '\\' && line[i + 1] == '|') cells.back() += line[++i];
        else if (line.compare(i, 3, " | ") == 0) cells.emplace_back(), i += 2;
        else cells.back() += line[i];
    }
    return cells;
}

/// What stands in backticks: names of files.
std::vector<std::string> quoted_in(const std::string& cell) {
    std::vector<std::string> found;
    std::size_t at = 0;
    while ((at = cell.find('`', at)) != std::string::npos) {
        const std::size_t end = cell.find('`', at + 1);
        found.push_back(cell.substr(at + 1, end - at - 1));
        at = end + 1;
    }
    return found;
}

}  // namespace

TEST_CASE("lectures: every statement names a header and a test that are there") {
    std::ifstream page(root + "/tests/lectures.md");
    std::size_t statements = 0;
    for (std::string line; std::getline(page, line);) {
        if (line.rfind("| 00", 0) != 0) continue;
        CAPTURE(line);
        const std::vector<std::string> cells = cells_of(line);
        REQUIRE(cells.size() == 5);   // where, statement, headers, test file, test case
        for (const std::string& header : quoted_in(cells[2]))
            CHECK(std::filesystem::exists(root + "/include/caucus/" + header + ".hpp"));
        if (cells[3] == "-") {
            CHECK_FALSE(cells[4].empty());   // why there is none
            continue;
        }
        const std::vector<std::string> files = quoted_in(cells[3]);
        REQUIRE(files.size() == 1);
        if (files[0].rfind("tests/", 0) != 0) {   // an example: its output is compared
            CHECK(std::filesystem::exists(root + "/" + files[0]));
        } else if (!cells[4].empty()) {
            CHECK(cases_of(root + "/" + files[0]).count(cells[4]) == 1);
        } else {
            CHECK(std::filesystem::exists(root + "/" + files[0]));
        }
        ++statements;
    }
    CHECK(statements > 100);
}
