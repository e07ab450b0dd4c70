#pragma once

#include <string>
#include <string_view>

#include "core/runtime/atomic.hpp"
#include "core/runtime/mutex.hpp"
#include "core/runtime/task.hpp"
#include "sim/explain/witness.hpp"
#include "sim/explore/explore.hpp"
#include "sim/explore/portfolio_strategy.hpp"
#include "sim/kernel/world.hpp"
#include "tests/support/texts.hpp"

/// Small bodies that the tests of traces and pictures play.
namespace watchlab::tests {

/// Two tasks that take two locks in opposite orders.
inline void two_orders(runtime::Runtime& runtime) {
  runtime::Mutex store(runtime, "store");
  runtime::Mutex queue(runtime, "queue");
  const runtime::Task other = runtime::spawn(runtime, "other", [&] {
    const runtime::Lock first(store);
    const runtime::Lock second(queue);
  });
  {
    const runtime::Lock first(queue);
    const runtime::Lock second(store);
  }
  other.join();
}

/// Two tasks that tell a handler what they read, in the order in which they come.
inline void two_readers(runtime::Runtime& runtime) {
  runtime::Atomic<int> value(runtime, 0, "value");
  const auto notify = [&](const std::string& name) {
    runtime.note({"handler", "informer", name + " saw " + std::to_string(value.fetch_add(1))});
  };
  const runtime::Task other = runtime::spawn(runtime, "other", [&] { notify("other"); });
  notify("main");
  other.join();
}

/// The schedule of the first failing run.
inline std::string failing_schedule(void (*body)(runtime::Runtime&)) {
  return sim::explore({.strategy = "dfs"}, body).failure.value().schedule;
}

/// The schedule of the ordinary run.
inline std::string default_schedule(void (*body)(runtime::Runtime&)) {
  sim::World world({.record = true});
  sim::FifoStrategy fifo;
  return world.run(fifo, body).schedule;
}

inline sim::Witness witness_of(const std::string& schedule, void (*body)(runtime::Runtime&)) {
  sim::Numbering objects;
  return sim::witness(schedule, body, objects);
}

}  // namespace watchlab::tests
