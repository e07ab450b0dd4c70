// Libraries of others, as their packages install them, explored by one line a namespace. Called by
// `./watchlab foreign`: foreign held | found | outside.
#include <fmt/format.h>

#include <array>
#include <functional>
#include <string>
#include <string_view>

#include "core/runtime/ensure.hpp"
#include "sim/explain/explain.hpp"
#include "sim/explore/explore.hpp"
#include "sim/std/atomic.hpp"
#include "sim/std/chrono.hpp"
#include "sim/std/condition_variable.hpp"
#include "sim/std/future.hpp"
#include "sim/std/mutex.hpp"
#include "sim/std/thread.hpp"

namespace moodycamel {
namespace std = ::watchlab::stdx;
}
namespace thread_pool {
namespace std = ::watchlab::stdx;
}

#include <concurrentqueue.h>
#include <readerwriterqueue.h>

#include <thread_pool.hpp>

namespace {

using watchlab::runtime::ensure;
using watchlab::stdx::thread;
using Element = watchlab::stdx::watched<int>;

/// One puts in and one takes out; the queue has to grow.
void use_reader_writer_queue() {
  moodycamel::ReaderWriterQueue<Element> queue(1);
  thread writer([&] {
    for (int i = 1; i <= 3; ++i) {
      queue.enqueue(Element(i));
    }
  });
  int last = 0;
  const auto take = [&] {
    Element element;
    const bool taken = queue.try_dequeue(element);
    ensure(!taken || element.get() == ++last, "elements come in their order");
    return taken;
  };
  for (int i = 0; i < 4; ++i) {
    take();
  }
  writer.join();
  while (take()) {
  }
  ensure(last == 3, "all elements come");
}

/// Two put in, each with a token of its own: tasks share the thread that tokens would be found by.
void use_concurrent_queue() {
  moodycamel::ConcurrentQueue<Element> queue(2);
  const auto put = [&](int value) {
    const moodycamel::ProducerToken token(queue);
    queue.enqueue(token, Element(value));
  };
  thread one(put, 1);
  thread two(put, 2);
  int sum = 0;
  const auto take = [&] {
    Element element;
    const bool taken = queue.try_dequeue(element);
    sum += taken ? element.get() : 0;
    return taken;
  };
  take();
  take();
  one.join();
  two.join();
  while (take()) {
  }
  ensure(sum == 3, "both elements come, once");
}

void use_thread_pool() {
  Element sum{0};
  {
    thread_pool::ThreadPool pool(2);
    auto result = pool.Submit([](int x) { return x; }, 40);
    pool.Submit([&sum] { sum = 2; });
    ensure(result.get() == 40, "a result arrives");
  }
  ensure(sum.get() == 2, "the pool has done its tasks when it goes");
}

struct Use {
  std::string_view name;
  void (*use)();
};
constexpr std::array kUses{Use{"readerwriterqueue", use_reader_writer_queue},
                           Use{"concurrentqueue", use_concurrent_queue},
                           Use{"thread_pool", use_thread_pool}};

/// Whether exploring came to what was wanted; says in a line or more what it came to.
bool explores(const Use& use, bool is_planted) {
  const auto body = [&use](watchlab::runtime::Runtime&) { use.use(); };
  std::size_t runs = 0;
  for (const char* const strategy : {"pct", "pos", "random"}) {
    const watchlab::sim::ExploreResult result =
        watchlab::sim::explore({.strategy = strategy, .schedules_max = 5000}, body);
    runs += result.executions;
    if (!result.failure) {
      continue;
    }
    const watchlab::sim::Failure shortest = watchlab::sim::shrink(*result.failure, body);
    const auto why = watchlab::sim::explain(shortest.schedule, body, {.pair_runs_max = 500});
    fmt::print("{}: {} in run {} of {}: {}\n  schedule: {}\n{}\n", use.name, shortest.kind, runs,
               strategy, shortest.sentence, shortest.schedule, why ? why->in_short() : "");
    return is_planted && why;
  }
  fmt::print("{}: held in {} runs\n", use.name, runs);
  return !is_planted;
}

}  // namespace

int main(int count, char** words) {
  const std::string_view task = count > 1 ? words[1] : "";
  int failed = 0;
  for (const Use& use : kUses) {
    if (task == "outside") {
      for (int i = 0; i < 200; ++i) {
        use.use();
      }
    } else {
      failed += explores(use, task == "found") ? 0 : 1;
    }
  }
  return failed == 0 ? 0 : 1;
}
