// SPDX-License-Identifier: MIT
#pragma once

#include <caucus/core/fields.hpp>

#include <cstdio>

namespace caucus {

namespace detail {

template <class Sink>
void print_number(Sink& out, const auto& number) {
    using type = std::remove_cvref_t<decltype(number)>;
    char digits[32];
    int size = 0;
    if constexpr (std::is_floating_point_v<type>)
        size = std::snprintf(digits, sizeof digits, "%.9g", static_cast<double>(number));
    else if constexpr (std::is_signed_v<type>)
        size = std::snprintf(digits, sizeof digits, "%lld", static_cast<long long>(number));
    else
        size = std::snprintf(digits, sizeof digits, "%llu",
                             static_cast<unsigned long long>(number));
    out.append(digits, static_cast<std::size_t>(size));
}

template <class Sink>
void print_word(Sink& out, text words) {
    out.append(words.data(), words.size());
}

struct print_function {
    template <class Sink, class T>
    void operator()(Sink& out, const T& x) const {
        const print_function& print = *this;
        const auto list = [&](text open, const auto& write_all, text close) {
            print_word(out, open);
            bool first = true;
            write_all([&](const auto& element) {
                if (!first) print_word(out, ", ");
                first = false;
                print(out, element);
            });
            print_word(out, close);
        };
        if constexpr (std::is_same_v<T, bool>) {
            print_word(out, x ? "true" : "false");
        } else if constexpr (std::is_enum_v<T>) {
            print_number(out, static_cast<std::underlying_type_t<T>>(x));
        } else if constexpr (std::is_same_v<T, node> || std::is_same_v<T, port>) {
            print_number(out, static_cast<std::size_t>(x));
        } else if constexpr (std::is_arithmetic_v<T>) {
            print_number(out, x);
        } else if constexpr (is_variant<T>) {
            visit_kind(x, [&](const auto& held) { print(out, held); });
        } else if constexpr (maybe<T>) {
            if (x.has_value()) print(out, *x);
            else print_word(out, "none");
        } else if constexpr (sequence<T>) {
            if constexpr (std::is_same_v<std::remove_cvref_t<decltype(*x.begin())>, char>) {
                print_word(out, "\"");
                for (const char c : x) out.append(&c, 1);
                print_word(out, "\"");
            } else {
                list("[", [&](const auto& write) { for (const auto& e : x) write(e); }, "]");
            }
        } else {
            constexpr bool can = has_fields<T>;
            cannot_be_described__give_it_a_static_fields_function<can, T>();
            if constexpr (!tuple_like<T>) print_word(out, kind_name<T>());
            if (std::tuple_size_v<decltype(fields_of(x))> == 0) return;
            list("{", [&](const auto& write) {
                std::apply([&](const auto&... each) { (write(each), ...); }, fields_of(x));
            }, "}");
        }
    }
};

}  // namespace detail

/// Writes `election{42}`, `{1, 2}`, `"north"`, `none` to anything with
/// append(const char*, size), such as a std::string.
template <class Sink, class T>
void print(Sink& out, const T& x) {
    detail::print_function{}(out, x);
}

}  // namespace caucus
