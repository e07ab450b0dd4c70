// An object has one name in all runs of an exploration, whoever uses it first: what one run has
// taught a search holds in the next.
#include <boost/test/unit_test.hpp>
#include <functional>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "core/runtime/ensure.hpp"
#include "sim/explore/explore.hpp"
#include "sim/std/atomic.hpp"
#include "sim/std/mutex.hpp"
#include "sim/std/semaphore.hpp"
#include "sim/std/thread.hpp"
#include "tests/sim/std/whole_search.hpp"

namespace watchlab::sim {
BOOST_AUTO_TEST_SUITE(std_names_test)

namespace {

using Guard = stdx::lock_guard<stdx::mutex>;
using Readers = stdx::shared_lock<stdx::shared_timed_mutex>;

const char* const kStrategies[] = {"dfs", "dpor", "random",   "pct",      "pos",
                                   "urw", "surw", "feedback", "portfolio"};

void run_together(const std::vector<std::function<void()>>& bodies) {
  std::vector<stdx::thread> threads;
  for (const auto& body : bodies) {
    threads.emplace_back(body);
  }
  for (stdx::thread& thread : threads) {
    thread.join();
  }
}

/// Three threads, each of which uses some object first in some run. `inner` and `outer` are taken
/// in either order, so only few runs come to an end, and the reader sees 0 in few of those.
struct Shared {
  stdx::atomic<int> value{0};
  stdx::mutex outer;
  stdx::mutex inner;
};

int read_between(Shared& shared) {
  int seen = -1;
  shared.value.store(0);
  run_together({[&] {
                  shared.value.store(1);
                  shared.inner.lock();
                  if (shared.outer.try_lock()) {
                    shared.outer.unlock();
                  }
                  shared.inner.unlock();
                },
                [&] {
                  const Guard outer(shared.outer);
                  const Guard inner(shared.inner);
                  seen = shared.value.load();
                },
                [&] {
                  const Guard outer(shared.outer);
                  shared.value.store(2);
                }});
  return seen;
}

void read_behind_readers() {
  stdx::atomic<int> value(0);
  stdx::mutex x;
  stdx::shared_mutex y;
  int seen = -1;
  run_together({[&] {
                  value.store(1);
                  const stdx::shared_lock<stdx::shared_mutex> reader(y);
                  const Guard lock(x);
                },
                [&] {
                  const Guard lock(x);
                  const stdx::shared_lock<stdx::shared_mutex> reader(y);
                  seen = value.load();
                },
                [&] {
                  const Guard lock(x);
                  value.store(2);
                }});
  runtime::ensure(seen != 0, "somebody has written before");
}

void read_between_counts() {
  stdx::atomic<int> value(0);
  stdx::atomic<int> count(0);
  stdx::mutex x;
  int seen = -1;
  run_together({[&] {
                  value.store(1);
                  count.fetch_add(1);
                  const Guard lock(x);
                  count.fetch_add(-1);
                },
                [&] {
                  const Guard lock(x);
                  count.fetch_add(1);
                  seen = value.load();
                  count.fetch_add(-1);
                },
                [&] {
                  const Guard lock(x);
                  value.store(2);
                }});
  runtime::ensure(seen != 0, "somebody has written before");
}

void read_between_semaphores() {
  stdx::atomic<int> value(0);
  stdx::counting_semaphore<> x(1);
  stdx::counting_semaphore<> y(2);
  int seen = -1;
  run_together({[&] {
                  value.store(1);
                  y.acquire();
                  x.acquire();
                  x.release();
                },
                [&] {
                  x.acquire();
                  y.acquire();
                  seen = value.load();
                  x.release();
                },
                [&] {
                  x.acquire();
                  value.store(2);
                  x.release();
                }});
  runtime::ensure(seen != 0, "somebody has written before");
}

/// What all runs together come to.
using Outcomes = std::set<std::string>;

Outcomes outcomes(const std::string& strategy, const std::function<int()>& body) {
  Outcomes all;
  std::string seen;
  ExploreOptions options{.strategy = strategy, .schedules_max = 200'000, .continues = true};
  options.completed = [&](const CompletedRun& run) {
    all.insert(run.result.failure ? run.result.failure->kind : seen);
  };
  const ExploreResult result =
      explore(options, [&](runtime::Runtime&) { seen = std::to_string(body()); });
  BOOST_TEST(result.exhausted);
  return all;
}

void check_alike(const std::function<int()>& body) {
  const Outcomes by_dpor = outcomes("dpor", body);
  const Outcomes by_dfs = outcomes("dfs", body);
  BOOST_TEST(by_dpor == by_dfs, boost::test_tools::per_element());
  BOOST_TEST(by_dfs.size() > 1U);
}

}  // namespace

BOOST_AUTO_TEST_CASE(what_any_search_finds_all_find) {
  for (const PlainBody& body : {PlainBody(read_behind_readers), PlainBody(read_between_counts),
                                PlainBody(read_between_semaphores)}) {
    for (const char* const strategy : kStrategies) {
      const std::string found = outcome(body, strategy);
      BOOST_TEST(found.find("somebody has written before") != std::string::npos,
                 strategy << ": " << found);
    }
  }
}

BOOST_AUTO_TEST_CASE(dpor_shows_what_all_runs_show) {
  check_alike([] {
    stdx::atomic<int> value(0);
    stdx::mutex x;
    stdx::shared_timed_mutex y;
    int seen = -1;
    run_together({[&] {
                    value.store(1);
                    const Readers reader(y);
                    const Guard lock(x);
                  },
                  [&] {
                    const Guard lock(x);
                    const Readers reader(y);
                    seen = value.load();
                  },
                  [&] {
                    const Guard lock(x);
                    value.store(2);
                  }});
    return seen;
  });
  check_alike([] {
    stdx::atomic<int> a(0);
    stdx::atomic<int> b(0);
    stdx::atomic<int> c(0);
    int seen = 0;
    run_together({[&] {
                    a.store(1);
                    b.store(1);
                  },
                  [&] {
                    b.fetch_add(1);
                    c.store(1);
                    seen += a.load();
                  },
                  [&] {
                    c.fetch_add(1);
                    seen += 10 * b.load();
                    a.store(2);
                  }});
    return seen;
  });
}

BOOST_AUTO_TEST_CASE(where_an_object_lies_makes_no_difference) {
  check_alike([] {
    Shared of_this_run;
    return read_between(of_this_run);
  });
  check_alike([] {
    static Shared of_all_runs;  // constant initialization
    return read_between(of_all_runs);
  });
  check_alike([] {
    static const std::vector<std::unique_ptr<Shared>> kFromTheFirstRunOn = [] {
      std::vector<std::unique_ptr<Shared>> one;
      one.push_back(std::make_unique<Shared>());
      return one;
    }();
    return read_between(*kFromTheFirstRunOn.front());
  });
  Shared of_the_caller;
  check_alike([&] { return read_between(of_the_caller); });
}

// The first run makes it, so what the same task makes after it is one further there.
BOOST_AUTO_TEST_CASE(a_singleton_on_the_heap_renames_nothing_that_is_made_after_it) {
  const auto body = [](stdx::mutex& once) {
    const Guard used(once);
    Shared of_this_run;
    return read_between(of_this_run);
  };
  check_alike([&] {
    static auto& heap = *new stdx::mutex;
    return body(heap);
  });
  static stdx::mutex* heap = nullptr;
  const ExploreResult result =
      explore({.strategy = "dpor", .schedules_max = 200'000}, [&](runtime::Runtime&) {
        heap = heap == nullptr ? new stdx::mutex : heap;
        (void)body(*heap);
      });
  BOOST_TEST(result.exhausted);
  BOOST_TEST(result.restarts == 1U);
  delete heap;
}

BOOST_AUTO_TEST_SUITE_END()
}  // namespace watchlab::sim
