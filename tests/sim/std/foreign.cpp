// Libraries of others, as their packages install them, explored by one line a namespace. Called by
// `./dev foreign`: foreign held | found | outside. Those that no package of Debian has are
// used where the compiler finds them.
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
namespace spdlog {
namespace std = ::watchlab::stdx;
}
namespace rigtorp {
namespace std = ::watchlab::stdx;
}

#define SPDLOG_NOEXCEPT noexcept  // as its common.h, which the queue does not include

#include <concurrentqueue.h>
#include <readerwriterqueue.h>
#include <spdlog/details/mpmc_blocking_q.h>

#include <thread_pool.hpp>

#if __has_include(<rigtorp/SPSCQueue.h>) && __has_include(<rigtorp/MPMCQueue.h>)
#define FOREIGN_RIGTORP
#include <rigtorp/MPMCQueue.h>
#include <rigtorp/SPSCQueue.h>
#endif

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

/// Two put in and one takes out; the queue is full with one. Nothing lets the time limit pass as
/// long as something can happen.
void use_blocking_queue() {
  spdlog::details::mpmc_blocking_queue<Element> queue(1);
  const auto put = [&](int value) { queue.enqueue(Element(value)); };
  thread one([&] {
    put(1);
    put(2);
  });
  thread two(put, 3);
  int sum = 0;
  for (int taken = 0; taken < 3; ++taken) {
    Element element;
    sum += queue.dequeue_for(element, std::chrono::hours(1)) ? element.get() : 0;
  }
  one.join();
  two.join();
  ensure(sum == 6, "all elements come, once");
}

#if defined(FOREIGN_RIGTORP)
/// The element of queues that take only what they can move without an exception. Which it can: a
/// race ends the run at the next operation.
struct Sturdy {
  Sturdy() = default;
  explicit Sturdy(int number) : element(number) {}
  Sturdy(const Sturdy& other) noexcept : element(other.element.get()) {}
  Sturdy& operator=(const Sturdy& other) noexcept {
    element = other.element.get();
    return *this;
  }
  ~Sturdy() = default;

  Element element{0};
};

/// One puts in and one takes out; the queue is full with one. It waits by asking again.
void use_spsc_queue() {
  rigtorp::SPSCQueue<Sturdy> queue(1);
  thread writer([&] {
    for (int i = 1; i <= 2; ++i) {
      while (!queue.try_push(Sturdy(i))) {
        watchlab::stdx::this_thread::yield();
      }
    }
  });
  for (int last = 1; last <= 2; ++last) {
    Sturdy* front = queue.front();
    for (; front == nullptr; front = queue.front()) {
      watchlab::stdx::this_thread::yield();
    }
    ensure(front->element.get() == last, "elements come in their order");
    queue.pop();
  }
  writer.join();
}

/// Two put in and one takes out.
void use_mpmc_queue() {
  rigtorp::MPMCQueue<Sturdy> queue(1);
  const auto put = [&](int value) {
    while (!queue.try_push(Sturdy(value))) {
      watchlab::stdx::this_thread::yield();
    }
  };
  thread one(put, 1);
  thread two(put, 2);
  int sum = 0;
  for (int taken = 0; taken < 2; ++taken) {
    Sturdy out;
    while (!queue.try_pop(out)) {
      watchlab::stdx::this_thread::yield();
    }
    sum += out.element.get();
  }
  ensure(sum == 3, "both elements come, once");
  one.join();
  two.join();
}
#endif

struct Use {
  std::string_view name;
  void (*use)();
};
constexpr std::array kUses {
  Use{"readerwriterqueue", use_reader_writer_queue}, Use{"concurrentqueue", use_concurrent_queue},
      Use{"thread_pool", use_thread_pool}, Use{"spdlog", use_blocking_queue},
#if defined(FOREIGN_RIGTORP)
      Use{"SPSCQueue", use_spsc_queue}, Use{"MPMCQueue", use_mpmc_queue},
#endif
};

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
