// SPDX-License-Identifier: MIT
#pragma once

#include <charconv>
#include <cstddef>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <initializer_list>
#include <optional>
#include <string>
#include <system_error>

/// A file that is opened when its name is read: one that cannot be written is no news at the end of
/// a long run.
class output_file {
public:
    bool open(const char* name) {
        name_ = name;
        stream_.open(name);
        return stream_.is_open();
    }
    /// True, too, if nobody has asked for this file.
    bool write(const std::string& text) {
        if (name_.empty() || (stream_ << text << std::flush)) return true;
        std::fprintf(stderr, "cannot write all of %s\n", name_.c_str());
        return false;
    }

private:
    std::string name_;
    std::ofstream stream_;
};

/// What a comparison program is told: --max N, --csv FILE, --svg FILE.
struct comparison_options {
    const char* counted;          // what N is a number of
    std::size_t least;            // that N may be
    std::size_t max;              // N, unless told otherwise
    std::size_t most = ~std::size_t{0};   // that N may be
    output_file csv = {};
    output_file svg = {};
    bool first_look = true;       // nothing was asked for: a few sizes will do

    /// The exit code, if there is nothing to run.
    std::optional<int> read(int count, char** words) {
        for (int i = 1; i < count; i += 2) {
            const std::string option = words[i];
            if (option == "--help") return print_to(stdout), 0;
            const char* value = i + 1 < count ? words[i + 1] : nullptr;
            if (option != "--max" && option != "--csv" && option != "--svg")
                return mistake("no such option", option.c_str());
            if (value == nullptr) return mistake("no value for", option.c_str());
            if (option == "--max" && !read_max(value)) return mistake("not an N: --max", value);
            if (option == "--csv" && !csv.open(value)) return mistake("cannot write", value);
            if (option == "--svg" && !svg.open(value)) return mistake("cannot write", value);
            first_look = false;
        }
        return std::nullopt;
    }

private:
    bool read_max(const char* digits) {
        const char* end = digits + std::strlen(digits);
        std::size_t number = 0;
        const std::from_chars_result read = std::from_chars(digits, end, number);
        if (read.ec != std::errc{} || read.ptr != end || number < least || most < number)
            return false;
        max = number;
        return true;
    }
    int mistake(const char* what, const char* word) const {
        std::fprintf(stderr, "%s %s\n", what, word);
        print_to(stderr);
        return 2;
    }
    void print_to(std::FILE* file) const {
        std::fprintf(file, "--max N      up to N %s, doubled each time: at least %zu", counted,
                     least);
        if (most != ~std::size_t{0}) std::fprintf(file, ", at most %zu", most);
        std::fprintf(file, "\n--csv FILE   every single run\n--svg FILE   the averages, drawn\n"
                           "without any: a first look, up to %zu, eightfold each time\n", max);
    }
};

/// A line of a CSV file (RFC 4180): what holds a comma or a quote is put between quotes.
inline std::string csv_row(std::initializer_list<std::string> fields) {
    std::string row;
    for (const std::string& field : fields) {
        if (&field != fields.begin()) row += ',';
        if (field.find_first_of(",\"\n") == std::string::npos) {
            row += field;
            continue;
        }
        row += '"';
        for (const char c : field) row += c == '"' ? std::string(2, c) : std::string(1, c);
        row += '"';
    }
    return row + "\n";
}
