// SPDX-License-Identifier: MIT
#pragma once

#include <caucus/core/environment.hpp>
#include <caucus/core/error.hpp>
#include <caucus/core/random.hpp>
#include <caucus/run/simulation/agenda.hpp>
#include <caucus/run/delay.hpp>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <type_traits>
#include <utility>
#include <vector>

namespace caucus {

// What can go wrong with a network, around any channel, the user's real one too:
//     lossy flaky{udp, 0.05, seed};   duplicating worse{flaky, 0.05, seed};
//     endpoint self{process, worse, clock, listener};
// Each holds the channel by reference and promises what is left of its guarantees. Chance comes
// from the seed alone. Whoever sends later keeps a copy: of a view (std::span, std::string_view) it
// keeps what the view shows, since the sender's buffer may be gone by then. A message that *holds*
// a view must live as long as the channel.

namespace detail {

/// Shows elements that are somebody else's, and can be made to show others.
template <class M>
concept view_of_elements = std::is_trivially_copyable_v<M> && requires(const M& m) {
    m.data();
    M(m.data(), m.size());
};

/// What sends the message on to the channel, whenever it is called.
template <class Channel, class M>
std::function<void()> sent_later(Channel& to, port p, const M& m) {
    static_assert(!std::is_pointer_v<M>, "a_pointer_cannot_be_kept__send_a_value_or_a_view");
    if constexpr (view_of_elements<M>) {
        using element = std::remove_cvref_t<decltype(*m.data())>;
        return [&to, p, kept = std::vector<element>(m.data(), m.data() + m.size())]() mutable {
            to.send(p, M(kept.data(), kept.size()));
        };
    } else {
        return [&to, p, m] { to.send(p, m); };
    }
}

}  // namespace detail

/// What the decorators have in common: the channel, and a coin for each message.
template <class Channel, guarantee Lost>
class decorated_channel {
public:
    static constexpr guarantee guarantees = without(guarantees_of<Channel>(), Lost);

    std::size_t degree() const { return channel_.degree(); }
    /// How many messages it has tampered with.
    std::uint64_t struck() const { return struck_; }

protected:
    decorated_channel(Channel& channel, double probability, std::uint64_t seed)
        : channel_(channel), probability_(probability), bits_(seed) {
        if (!(probability >= 0 && probability <= 1))
            refuse("decorator: the probability is not from 0 to 1");
    }
    bool strikes() {
        const bool hit = bits_.happens(probability_);
        struck_ += hit;
        return hit;
    }

    Channel& channel_;
    double probability_;
    random_source bits_;
    std::uint64_t struck_ = 0;
};

/// Messages vanish.
template <class Channel>
class lossy : public decorated_channel<Channel, guarantee::reliable> {
public:
    lossy(Channel& channel, double probability, std::uint64_t seed = 1)
        : decorated_channel<Channel, guarantee::reliable>(channel, probability, seed) {}

    void send(port p, const auto& m) {
        if (!this->strikes()) this->channel_.send(p, m);
    }
};

/// Messages are sent twice.
template <class Channel>
class duplicating : public decorated_channel<Channel, guarantee::no_duplicates> {
public:
    duplicating(Channel& channel, double probability, std::uint64_t seed = 1)
        : decorated_channel<Channel, guarantee::no_duplicates>(channel, probability, seed) {}

    void send(port p, const auto& m) {
        this->channel_.send(p, m);
        if (this->strikes()) this->channel_.send(p, m);
    }
};

/// Messages are held back until the next one that is not has overtaken them; `flush` lets go what
/// nothing has followed.
template <class Channel>
class reordering : public decorated_channel<Channel, guarantee::fifo> {
public:
    reordering(Channel& channel, double probability, std::uint64_t seed = 1)
        : decorated_channel<Channel, guarantee::fifo>(channel, probability, seed) {}

    void send(port p, const auto& m) {
        if (this->strikes()) {
            held_.push_back(detail::sent_later(this->channel_, p, m));
            return;
        }
        this->channel_.send(p, m);
        flush();
    }
    void flush() {
        for (const auto& each : std::exchange(held_, {})) each();
    }

private:
    std::vector<std::function<void()>> held_;
};

/// Messages take longer, by what the delay model draws; later ones may overtake earlier ones. It
/// knows the time from `advance` alone: call it before anything is sent, or what was to be delayed
/// from now on is delayed from then on; and again when `next_deadline` is there.
template <class Channel>
class delaying : public decorated_channel<Channel, guarantee::fifo> {
public:
    delaying(Channel& channel, delay_model delay, std::uint64_t seed = 1)
        : decorated_channel<Channel, guarantee::fifo>(channel, 0, seed), delay_(std::move(delay)) {
        delay_.check(channel.degree());
    }

    void send(port p, const auto& m) {
        const hop h{node{}, p, node{}, now_, p};
        const ticks wait = delay_.draw(h, random_source{this->bits_.bits()});
        ++this->struck_;
        held_.add(after(now_, wait), detail::sent_later(this->channel_, p, m));
    }
    /// Lets go everything due by now, in order of time.
    void advance(ticks now) {
        while (held_.next() <= now && held_.next() != never) {
            now_ = held_.next();
            held_.take(now_, due_);
            for (const auto& each : due_) each();
        }
        if (now_ < now) now_ = now;
    }
    /// When the next message is due, if any is.
    std::optional<ticks> next_deadline() const {
        return held_.next() == never ? std::nullopt : std::optional{held_.next()};
    }

private:
    delay_model delay_;
    ticks now_ = 0;
    simulation::agenda<std::function<void()>> held_;
    std::vector<std::function<void()>> due_;
};

/// Links that are cut, one by one or all, and mended again.
template <class Channel>
class cut : public decorated_channel<Channel, guarantee::reliable> {
public:
    explicit cut(Channel& channel)
        : decorated_channel<Channel, guarantee::reliable>(channel, 0, 0),
          cut_(channel.degree(), 0) {}

    void sever(port p) { cut_.at(p) = 1; }
    void mend(port p) { cut_.at(p) = 0; }
    void sever_all() { cut_.assign(cut_.size(), 1); }
    void mend_all() { cut_.assign(cut_.size(), 0); }

    void send(port p, const auto& m) {
        if (cut_.at(p) == 0) this->channel_.send(p, m);
        else ++this->struck_;
    }

private:
    std::vector<char> cut_;   // per port
};

}  // namespace caucus
