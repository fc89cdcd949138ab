// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdio>
#include <numeric>
#include <string>
#include <vector>

/// Lines over two logarithmic axes, as SVG: as little as a comparison needs, and nothing else.
class log_plot {
public:
    struct point {
        double x;
        double y;
    };
    struct line {
        std::string name;
        std::vector<point> points;
    };

    std::string title;
    std::string x_label;
    std::string y_label;
    std::vector<line> measured;   // coloured in this order, named from the highest end down
    std::vector<line> theory;     // grey and dashed, cut off by the frame

    std::string svg() {
        find_frame();
        add("<svg xmlns='http://www.w3.org/2000/svg' width='%d' height='%d' "
            "font-family='sans-serif' font-size='13'>\n", width, height);
        add("<rect width='%d' height='%d' fill='white'/>\n", width, height);
        add("<clipPath id='frame'><rect x='%d' y='%d' width='%d' height='%d'/></clipPath>\n", left,
            top, right - left, bottom - top);
        add("<text x='%d' y='26' font-size='17' font-weight='bold'>%s</text>\n", left,
            title.c_str());
        draw_grid();
        for (std::size_t i = 0; i < theory.size(); ++i) draw_theory(theory[i], i);
        std::vector<std::size_t> order(measured.size());
        std::iota(order.begin(), order.end(), std::size_t{0});
        std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
            return measured[a].points.back().y > measured[b].points.back().y;
        });
        for (std::size_t i = 0; i < order.size(); ++i)
            draw_measured(measured[order[i]], order[i], i);
        return out_ + "</svg>\n";
    }

    /// Several plots on one sheet, two in a row.
    static std::string sheet(std::vector<log_plot>& plots) {
        log_plot all;
        const int rows = static_cast<int>(plots.size() + 1) / 2;
        all.add("<svg xmlns='http://www.w3.org/2000/svg' width='%d' height='%d'>\n", 2 * width,
                rows * height);
        for (std::size_t i = 0; i < plots.size(); ++i)
            all.add("<g transform='translate(%d %d)'>\n%s</g>\n", static_cast<int>(i % 2) * width,
                    static_cast<int>(i / 2) * height, plots[i].svg().c_str());
        return all.out_ + "</svg>\n";
    }

private:
    static constexpr int width = 960, height = 600;
    static constexpr int left = 90, right = 730, top = 48, bottom = 530;

    void find_frame() {
        x_least_ = y_least_ = 1e300;
        x_most_ = y_most_ = 0;
        for (const line& l : measured)
            for (const point& p : l.points) {
                x_least_ = std::min(x_least_, p.x);
                x_most_ = std::max(x_most_, p.x);
                y_least_ = std::min(y_least_, p.y);
                y_most_ = std::max(y_most_, p.y);
            }
        const double lowest = y_least_;
        const double highest = y_most_;
        y_least_ = y_most_ = std::pow(10, std::floor(std::log10(lowest)));
        while (next_mark(y_least_) <= lowest) y_least_ = next_mark(y_least_);
        while (y_most_ < highest) y_most_ = next_mark(y_most_);
    }
    /// 1, 2, 5, 10, 20, 50 and so on.
    static double next_mark(double y) {
        const double first_digit = y / std::pow(10, std::floor(std::log10(y * 1.01)));
        return y * (first_digit > 1.5 && first_digit < 3 ? 2.5 : 2);
    }
    double across(double x) const {
        if (x_least_ == x_most_) return (left + right) / 2.0;   // a single size: no axis to divide
        return left + (right - left) * std::log(x / x_least_) / std::log(x_most_ / x_least_);
    }
    double up(double y) const {
        return bottom - (bottom - top) * std::log(y / y_least_) / std::log(y_most_ / y_least_);
    }

    void draw_grid() {
        for (double x = x_least_; x <= x_most_; x *= 2) {
            add("<path d='M%.1f %dV%d' stroke='#eee'/>\n", across(x), top, bottom);
            add("<text x='%.1f' y='%d' text-anchor='middle'>%.0f</text>\n", across(x), bottom + 20,
                x);
        }
        for (double y = y_least_; y <= y_most_ * 1.01; y = next_mark(y)) {
            add("<path d='M%d %.1fH%d' stroke='#ddd'/>\n", left, up(y), right);
            add("<text x='%d' y='%.1f' text-anchor='end'>%s</text>\n", left - 8, up(y) + 4,
                with_commas(y).c_str());
        }
        add("<rect x='%d' y='%d' width='%d' height='%d' fill='none' stroke='#888'/>\n", left, top,
            right - left, bottom - top);
        add("<text x='%d' y='%d' text-anchor='middle'>%s</text>\n", (left + right) / 2, bottom + 48,
            x_label.c_str());
        add("<text transform='translate(20 %d) rotate(-90)' text-anchor='middle'>%s</text>\n",
            (top + bottom) / 2, y_label.c_str());
    }

    void draw_theory(const line& l, std::size_t place) {
        static constexpr const char* dashes[] = {"9 4", "2 3", "9 3 2 3", "5 2", "1 5"};
        const char* dash = dashes[place % std::size(dashes)];
        const int at = legend_line(measured.size() + 1 + place);
        add("<g clip-path='url(#frame)'><polyline fill='none' stroke='#888' stroke-width='1.3' "
            "stroke-dasharray='%s' points='%s'/></g>\n", dash, path(l).c_str());
        add("<path d='M%d %dh32' stroke='#888' stroke-width='1.3' stroke-dasharray='%s'/>\n",
            right + 16, at - 4, dash);
        add("<text x='%d' y='%d' fill='#555'>%s</text>\n", right + 56, at, l.name.c_str());
    }

    void draw_measured(const line& l, std::size_t which, std::size_t place) {
        static constexpr const char* colours[] = {"#0072b2", "#d55e00", "#009e73", "#cc79a7",
                                                  "#e69f00", "#56b4e9", "#000000", "#8c564b"};
        const char* colour = colours[which % std::size(colours)];
        const char* hollow = which < std::size(colours) ? colour : "white";   // the second time
        const int at = legend_line(place);
        const char* dot = "<circle cx='%.1f' cy='%.1f' r='3' stroke='%s' fill='%s'/>\n";
        add("<polyline fill='none' stroke='%s' stroke-width='2' points='%s'/>\n", colour,
            path(l).c_str());
        for (const point& p : l.points) add(dot, across(p.x), up(p.y), colour, hollow);
        add("<path d='M%d %dh32' stroke='%s' stroke-width='2'/>\n", right + 16, at - 4, colour);
        add(dot, right + 32.0, at - 4.0, colour, hollow);
        add("<text x='%d' y='%d'>%s</text>\n", right + 56, at, l.name.c_str());
    }
    static int legend_line(std::size_t place) { return top + 14 + static_cast<int>(place) * 22; }

    std::string path(const line& l) const {
        std::string all;
        char place[64];
        for (const point& p : l.points) {
            std::snprintf(place, sizeof place, "%.1f,%.1f ", across(p.x), up(p.y));
            all += place;
        }
        return all;
    }
    static std::string with_commas(double y) {
        std::string digits = std::to_string(static_cast<long long>(std::llround(y)));
        for (std::size_t at = digits.size(); at > 3;) digits.insert(at -= 3, 1, ',');
        return digits;
    }

    template <class... Parts>
    void add(const char* format, Parts... parts) {
        const int size = std::snprintf(nullptr, 0, format, parts...);
        std::string text(static_cast<std::size_t>(size) + 1, '\0');
        std::snprintf(text.data(), text.size(), format, parts...);
        text.pop_back();
        out_ += text;
    }

    double x_least_ = 1, x_most_ = 1, y_least_ = 1, y_most_ = 1;
    std::string out_;
};
