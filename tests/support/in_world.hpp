#pragma once

#include <boost/test/unit_test.hpp>
#include <functional>
#include <string>

#include "core/runtime/runtime.hpp"
#include "sim/explore/explore.hpp"

namespace watchlab::test {

/// Runs a body in a simulated world: once under `fifo` and under some random schedules, each first
/// schedule twice. A failure is reported with its sentence and the schedule that replays it.
inline void in_world(const std::function<void(runtime::Runtime&)>& body,
                     std::size_t random_schedules = 200) {
  for (const char* const strategy : {"fifo", "random"}) {
    const sim::ExploreResult result =
        sim::explore({.strategy = strategy, .schedules_max = random_schedules}, body);
    if (result.failure) {
      BOOST_ERROR("under " + std::string(strategy) + ": " + result.failure->sentence +
                  "\nreplay with WATCHLAB_SCHEDULE='" + result.failure->schedule + "'");
    }
  }
}

}  // namespace watchlab::test
