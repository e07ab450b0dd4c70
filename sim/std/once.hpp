#pragma once

#include <functional>
#include <mutex>
#include <utility>

#include "sim/std/world_parts.hpp"

namespace watchlab::stdx {

/// As std::once_flag and std::call_once: an exception leaves the flag unset, and the next caller
/// tries. In each run of a world it begins unset.
class once_flag {
 public:
  /// A flag and the line that uses it, which no default argument of `call_once` could give: there
  /// the arguments of the function stand last.
  struct Use {
    Use(once_flag& used, Location used_here = Location::current())  // NOLINT
        : flag(used), here(used_here) {}
    once_flag& flag;
    Location here;
  };

  once_flag(Location made = Location::current())  // NOLINT
      : part_(
            "once flag", made, [this] { return static_cast<uint8_t>(running_ ? 0 : 1); },
            [this] { running_ = done_ = false; }) {}
  once_flag(const once_flag&) = delete;
  once_flag& operator=(const once_flag&) = delete;

 private:
  template <typename Function, typename... Arguments>
  friend void call_once(Use use, Function&& function, Arguments&&... arguments);

  /// Whether the caller is the one who calls. Waits for one who is calling.
  [[nodiscard]] bool begin(sim::World& world, Location here);
  void end(sim::World& world, bool done, Location here);

  GatePart part_;
  ::std::once_flag real_;
  bool running_ = false;
  bool done_ = false;
};

template <typename Function, typename... Arguments>
void call_once(once_flag::Use use, Function&& function, Arguments&&... arguments) {
  once_flag& flag = use.flag;
  sim::World* const world = world_here();
  if (world == nullptr) {
    ::std::call_once(flag.real_, ::std::forward<Function>(function),
                     ::std::forward<Arguments>(arguments)...);
    return;
  }
  if (!flag.begin(*world, use.here)) {
    return;
  }
  struct End {
    once_flag& flag;
    sim::World& world;
    Location here;
    bool done = false;
    ~End() { flag.end(world, done, here); }
  } end{flag, *world, use.here};
  ::std::invoke(::std::forward<Function>(function), ::std::forward<Arguments>(arguments)...);
  end.done = true;
}

}  // namespace watchlab::stdx
