// SPDX-License-Identifier: MIT
#pragma once

#include <caucus/trace/story.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace caucus {

namespace detail {

/// The picture of a story while it is drawn: a line a node, a column a step, an arrow a message.
class space_time_diagram {
public:
    explicit space_time_diagram(const story& told) : told_(told) {
        std::size_t first = 0;
        for (const story_step& start : told.opening) depart(start, first);
        for (std::size_t i = 0; i < told.steps.size(); ++i) happen(told.steps[i], i + 1);
        for (const message& m : under_way_) arrow(m, told.steps.size() + 1, true);
        for (const story_step& start : told.opening) event(start, first);
        for (std::size_t i = 0; i < told.steps.size(); ++i) event(told.steps[i], i + 1);
    }

    std::string text() const {
        const std::size_t width = x(told_.steps.size() + 1) + 20;
        const std::size_t height = y(told_.order.size()) - 35;
        std::string svg = "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"" + number(width) +
                          "\" height=\"" + number(height) +
                          "\" font-family=\"sans-serif\" font-size=\"12\">\n";
        svg += "<rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n";
        if (told_.loop_from)
            svg += "<rect x=\"" + number(x(*told_.loop_from) + step / 2) + "\" y=\"30\" width=\"" +
                   number((told_.steps.size() - *told_.loop_from) * step) + "\" height=\"" +
                   number(height - 35) + "\" fill=\"#eee\"/>\n";
        svg += text_at(10, 18, told_.property + " " + told_.how + " " +
                                 std::to_string(told_.steps.size()) + " steps", "");
        for (std::size_t v = 0; v < told_.order.size(); ++v) {
            svg += text_at(10, y(v) + 4, "node " + std::to_string(v), "");
            svg += line(x(0) - 10, y(v), x(told_.steps.size() + 1), y(v), "stroke=\"#999\"");
        }
        return svg + drawn_ + "</svg>\n";
    }

private:
    static constexpr std::size_t step = 90;
    struct message {
        std::uint32_t from;
        std::size_t column;
        story_step::sending what;
    };

    static std::size_t x(std::size_t column) { return 80 + step * column; }
    static std::size_t y(std::size_t node) { return 55 + 70 * node; }
    static std::string number(std::size_t n) { return std::to_string(n); }

    static std::string escaped(const std::string& plain) {
        std::string safe;
        for (const char c : plain) {
            if (c == '<') safe += "&lt;";
            else if (c == '>') safe += "&gt;";
            else if (c == '&') safe += "&amp;";
            else safe += c;
        }
        return safe;
    }
    static std::string text_at(std::size_t at_x, std::size_t at_y, const std::string& what,
                               const std::string& style) {
        return "<text x=\"" + number(at_x) + "\" y=\"" + number(at_y) + "\" " + style + ">" +
               escaped(what) + "</text>\n";
    }
    static std::string line(std::size_t x1, std::size_t y1, std::size_t x2, std::size_t y2,
                            const std::string& style) {
        return "<line x1=\"" + number(x1) + "\" y1=\"" + number(y1) + "\" x2=\"" + number(x2) +
               "\" y2=\"" + number(y2) + "\" " + style + "/>\n";
    }

    void depart(const story_step& s, std::size_t column) {
        for (const story_step::sending& each : s.sent)
            under_way_.push_back({s.what.node, column, each});
    }
    void happen(const story_step& s, std::size_t column) {
        const bool ends = s.what.what == action::kind::deliver || s.what.what == action::kind::lose;
        for (std::size_t i = 0; ends && i < under_way_.size(); ++i) {
            const message m = under_way_[i];
            if (m.what.arc != s.what.arc || m.what.message != s.value) continue;
            arrow(m, column, s.what.what == action::kind::lose);
            under_way_.erase(under_way_.begin() + static_cast<std::ptrdiff_t>(i));
            break;
        }
        depart(s, column);
    }

    /// Dashed, and only half the way, if it never arrives. A message to oneself is a curve above.
    void arrow(const message& m, std::size_t column, bool unheard) {
        const std::size_t x1 = x(m.column);
        const std::size_t y1 = y(m.from);
        std::size_t x2 = x(column);
        std::size_t y2 = y(m.what.to);
        if (unheard) {
            x2 = (x1 + x2) / 2;
            y2 = (y1 + y2) / 2;
        }
        const std::string colour = unheard ? "#c33" : "#26a";
        const std::string style = "stroke=\"" + colour + "\" fill=\"none\"" +
                                  (unheard ? " stroke-dasharray=\"4 3\"" : "");
        if (m.from == m.what.to)
            drawn_ += "<path d=\"M" + number(x1) + " " + number(y1) + " Q" +
                      number((x1 + x2) / 2) + " " + number(y1 - 35) + " " + number(x2) + " " +
                      number(y2) + "\" " + style + "/>\n";
        else
            drawn_ += line(x1, y1, x2, y2, style);
        drawn_ += "<circle cx=\"" + number(x2) + "\" cy=\"" + number(y2) + "\" r=\"3\" fill=\"" +
                  colour + "\"/>\n";
        const std::size_t lift = m.from == m.what.to ? 22 : 4;
        drawn_ += text_at((x1 + 2 * x2) / 3, (y1 + 2 * y2) / 3 - lift, m.what.words,
                        "fill=\"" + colour + "\" text-anchor=\"middle\"");
    }

    void event(const story_step& s, std::size_t column) {
        const std::size_t at_y = y(s.what.node);
        const bool dies = s.what.what == action::kind::crash || s.what.cut_short;
        drawn_ += "<circle cx=\"" + number(x(column)) + "\" cy=\"" + number(at_y) +
                  "\" r=\"5\" fill=\"" + (dies ? "#c33" : "black") + "\"/>\n";
        drawn_ += text_at(x(column) - 4, at_y + 17, label(s.what.what, column),
                        "text-anchor=\"end\" fill=\"#555\"");
    }
    /// What a node receives is told by the arrow: the dot has the number of its step.
    static std::string label(action::kind what, std::size_t column) {
        if (what == action::kind::deliver) return number(column);
        return action::phrase_of(what).label;
    }

    const story& told_;
    std::vector<message> under_way_;
    std::string drawn_;
};

}  // namespace detail

/// A story as a picture (SVG): who sent what to whom, and in which order it was heard. Dashed and
/// red: what nobody heard. Grey: the part that goes round for ever.
inline std::string space_time(const story& told) {
    return detail::space_time_diagram{told}.text();
}

}  // namespace caucus
