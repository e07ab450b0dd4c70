#include "core/runtime/once.hpp"

#include "core/runtime/atomic.hpp"
#include "core/runtime/ensure.hpp"
#include "core/runtime/wait_group.hpp"
#include "tests/core/runtime/conformance/conformance.hpp"

namespace watchlab::conformance {
namespace {

using namespace runtime;

void the_body_runs_once(Runtime& runtime) {
  Once once(runtime);
  Atomic<int> runs(runtime, 0);
  WaitGroup group(runtime);
  for (int task = 0; task < 3; ++task) {
    group.start("caller", [&] {
      once.call([&] { runs.fetch_add(1); });
      ensure(runs.load() == 1, "a caller came back before the body had run");
    });
  }
  group.wait();
  ensure(runs.load() == 1, "the body ran more than once");
}

void latecomers_wait_for_the_end(Runtime& runtime) {
  Once once(runtime);
  Atomic<bool> over(runtime, false);
  WaitGroup group(runtime);
  for (int task = 0; task < 2; ++task) {
    group.start("caller", [&] {
      once.call([&] {
        runtime.yield(Location::current());
        over.store(true);
      });
      ensure(over.load(), "a caller came back while the body ran");
    });
  }
  group.wait();
}

void a_body_that_panics_counts(Runtime& runtime) {
  Once once(runtime);
  int runs = 0;
  const auto body = [&] {
    ++runs;
    throw Panic("from the body");
  };
  ensure(panics([&] { once.call(body); }), "the panic was swallowed");
  once.call(body);
  ensure(runs == 1, "a body that panicked ran again");
}

}  // namespace

Group onces() {
  return {
      .name = "once",
      .claims = {{"the_body_runs_once", the_body_runs_once},
                 {"latecomers_wait_for_the_end", latecomers_wait_for_the_end},
                 {"a_body_that_panics_counts", a_body_that_panics_counts}},
  };
}

}  // namespace watchlab::conformance
