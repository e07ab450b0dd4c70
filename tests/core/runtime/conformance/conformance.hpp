#pragma once

#include <functional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "core/runtime/runtime.hpp"

/// What every `Runtime` owes the code that stands on it, written once and played on each of them.
/// Bodies check with `ensure`, because Boost's checks must not be used on several threads.
namespace watchlab::conformance {

/// Holds on every schedule.
struct Claim {
  std::string_view name;
  void (*body)(runtime::Runtime&);
};

/// Ends in one of several ways and returns which. No other way may ever be seen; a runtime that
/// explores must reach them all.
struct Choice {
  std::string_view name;
  std::string (*body)(runtime::Runtime&);
  std::set<std::string> outcomes;
  bool random = false;  ///< drawn by the runtime itself, so that OS threads too reach all of them
};

/// What is said about one primitive.
struct Group {
  std::string_view name;
  std::vector<Claim> claims;
  std::vector<Choice> choices = {};
  std::vector<Claim> exact = {};      ///< claims that need exact time: only where time is virtual
  std::vector<Claim> deadlocks = {};  ///< end in a deadlock on some schedule: not for OS threads
};

Group atomics();
Group channels();
Group channel_closing();
Group clocks();
Group cond_vars();
Group mutexes();
Group onces();
Group selects();
Group shared_mutexes();
Group stop_tokens();
Group tasks();
Group timers();
Group wait_groups();

std::vector<Group> all_groups();

/// Whether `body` ends in a `Panic`.
bool panics(const std::function<void()>& body);

/// Lets all other tasks come to where they wait. Each program has its own: in virtual time a sleep
/// is enough; in real time the system is asked (real_time.hpp).
void settle(runtime::Runtime& runtime);

}  // namespace watchlab::conformance
