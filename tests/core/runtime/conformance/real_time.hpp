#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

#include "core/runtime/recover.hpp"
#include "tests/core/runtime/conformance/conformance.hpp"

/// Plays the conformance suite on runtimes of real time: each body several times, because each time
/// the operating system interleaves it anew. `settle` sleeps several times, so that a processor
/// that was taken away for a while costs one of its turns, and until no other thread could run.
namespace watchlab::conformance {

using Body = std::function<void(runtime::Runtime&)>;

/// How one body is played once, and for how long it is played again.
struct RealTime {
  std::string prefix;  ///< of the suites' names
  int runs_min = 1;
  std::chrono::milliseconds time_max{};
  std::function<void(std::string_view name, std::uint64_t seed, const Body& body)> play_once;
};

/// A body that failed may leave tasks that wait indefinitely, so nothing can be tidied up after it.
[[noreturn]] void give_up(std::string_view name, std::string_view message);

/// Plays a body on a new runtime of this type, with options that have a seed, checks and on_crash.
template <typename Runtime, typename Options>
void play_on(std::string_view name, Options options, const Body& body) {
  options.checks = true;
  options.on_crash = [name](auto& crash) { give_up(name, crash.message); };
  Runtime real(options);
  real.run([&](runtime::Runtime& runtime) {
    if (const auto failed = runtime::recover([&] { body(runtime); })) {
      give_up(name, failed->message);
    }
  });
}

/// A suite a group, a case a claim.
void add_suites(const RealTime& real);

}  // namespace watchlab::conformance
