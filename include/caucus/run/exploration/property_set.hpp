// SPDX-License-Identifier: MIT
#pragma once

#include <caucus/run/exploration/value_tables.hpp>
#include <caucus/run/properties.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace caucus::exploration {

/// One moment of the system, as a row of indices.
struct moment {
    const surroundings& around;
    const std::uint32_t* row;
    std::size_t nodes;
    std::size_t arcs;
    std::uint64_t alive;
};

/// The properties of an exploration, whatever the processes.
class property_set {
public:
    property_set() = default;
    property_set(const property_set&) = delete;
    property_set& operator=(const property_set&) = delete;
    virtual ~property_set() = default;

    virtual std::size_t size() const { return 0; }
    virtual caucus::mode mode(std::size_t) const { return mode::always; }
    virtual std::string name(std::size_t) const { return ""; }
    virtual bool holds(std::size_t, const moment&) const { return true; }
    /// Is there a region that is not to be left, and is this moment in it?
    virtual bool is_bounded() const { return false; }
    virtual bool is_within(const moment&) const { return true; }
    /// Do all properties say what they look at (`observes`)?
    virtual bool says_what_it_observes() const { return true; }
    /// Is all that they look at the same in both processes? Asked only if they say what it is.
    virtual bool sees_no_difference(std::uint32_t, std::uint32_t) const { return true; }
    /// Do all properties say that it does not matter which node is which (`any_node`)?
    virtual bool is_about_any_node() const { return true; }

    bool waits_for_the_end() const {
        for (std::size_t i = 0; i < size(); ++i)
            if (mode(i) == mode::finally) return true;
        return false;
    }
};

template <class P>
class property_set_of final : public property_set {
public:
    property_set_of(const value_tables<P>& values, std::vector<property<P>> properties,
                    region<P> within = {})
        : values_(values), properties_(std::move(properties)), within_(std::move(within)) {}

    std::size_t size() const override { return properties_.size(); }
    caucus::mode mode(std::size_t i) const override { return properties_[i].mode(); }
    std::string name(std::size_t i) const override { return properties_[i].name(); }
    bool holds(std::size_t i, const moment& m) const override {
        return properties_[i].holds(state_at(m));
    }
    bool is_bounded() const override { return within_.inside().has_value(); }
    bool is_within(const moment& m) const override { return within_.inside()->holds(state_at(m)); }
    bool says_what_it_observes() const override {
        return all([](const property<P>& p) { return p.says_what_it_observes(); });
    }
    bool is_about_any_node() const override {
        return all([](const property<P>& p) { return p.is_about_any_node(); });
    }
    bool sees_no_difference(std::uint32_t before, std::uint32_t after) const override {
        return all([&](const property<P>& p) {
            return p.observed(values_.processes[before]) == p.observed(values_.processes[after]);
        });
    }

private:
    /// Of the properties, and of the region.
    bool all(auto is) const {
        for (const property<P>& p : properties_)
            if (!is(p)) return false;
        return !within_.inside() || is(*within_.inside());
    }
    global_state<P> state_at(const moment& m) const {
        return {{values_.processes.data(), values_.messages.data(), values_.timer_values.data()},
                m.around, m.row, m.nodes, m.arcs, m.alive};
    }

    const value_tables<P>& values_;
    std::vector<property<P>> properties_;
    region<P> within_;
};

}  // namespace caucus::exploration
