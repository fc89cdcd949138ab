// SPDX-License-Identifier: MIT
#pragma once

#include <type_traits>

namespace caucus::exploration {

/// A reference to something that can be called, whatever its type: so that who calls it need not be
/// a template. It owns nothing, as std::function would: it lives no longer than what it refers to.
template <class Signature>
class callback;

template <class Result, class... Args>
class callback<Result(Args...)> {
public:
    template <class F>
        requires(!std::is_same_v<std::remove_cvref_t<F>, callback>)
    callback(F&& f)
        : who_(&f), call_([](const void* who, Args... args) -> Result {
              using function = std::remove_reference_t<F>;
              return (*static_cast<function*>(const_cast<void*>(who)))(args...);
          }) {}

    Result operator()(Args... args) const { return call_(who_, args...); }

private:
    const void* who_;
    Result (*call_)(const void*, Args...);
};

}  // namespace caucus::exploration
