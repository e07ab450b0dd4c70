// A work queue between adders, workers, delays and a shut-down that comes when it likes.
#include <boost/test/unit_test.hpp>
#include <map>
#include <set>

#include "core/runtime/task.hpp"
#include "core/workqueue/delaying_queue.hpp"
#include "core/workqueue/rate_limiters.hpp"
#include "tests/core/hammers/hammer.hpp"

namespace watchlab::tests {

BOOST_AUTO_TEST_SUITE(workqueue_hammer_test)

namespace {

using namespace std::chrono_literals;
using workqueue::RateLimitingQueue;

/// What has been asked for and what has been done, key by key.
class Ledger {
 public:
  explicit Ledger(runtime::Runtime& runtime) : mutex_(runtime, "ledger") {}

  /// To be called before a key is added.
  void want(const std::string& key) {
    const runtime::Lock lock(mutex_);
    ++wanted_[key];
  }
  /// What is wanted when a worker begins is seen to when it has ended.
  int begin(const std::string& key) {
    const runtime::Lock lock(mutex_);
    expect(busy_.insert(key).second, "no two workers have one key");
    return wanted_[key];
  }
  void end(const std::string& key, int seen) {
    const runtime::Lock lock(mutex_);
    busy_.erase(key);
    done_[key] = std::max(done_[key], seen);
  }
  [[nodiscard]] bool all_done() {
    const runtime::Lock lock(mutex_);
    return done_ == wanted_;
  }

 private:
  runtime::Mutex mutex_;
  std::map<std::string, int> wanted_;
  std::map<std::string, int> done_;
  std::set<std::string> busy_;
};

void add(runtime::Runtime& runtime, RateLimitingQueue& queue, Ledger& ledger) {
  Dice dice(runtime);
  for (int i = 0; i < 5; ++i) {
    const std::string key = dice.one_in(2, "key") ? "a" : "b";
    ledger.want(key);
    switch (dice.roll(3, "how")) {
      case 0:
        queue.add_after(key, 1ms);
        break;
      case 1:
        queue.add_rate_limited(key);
        break;
      default:
        queue.add(key);
    }
  }
}

void work(runtime::Runtime& runtime, RateLimitingQueue& queue, Ledger& ledger) {
  while (const std::optional<std::string> key = queue.get()) {
    const int seen = ledger.begin(*key);
    runtime.yield(runtime::Location::current());
    ledger.end(*key, seen);
    queue.forget(*key);
    queue.done(*key);
  }
}

void use_a_work_queue(runtime::Runtime& runtime) {
  RateLimitingQueue queue(
      runtime, std::make_unique<workqueue::ItemExponentialFailureRateLimiter>(runtime, 1ms, 4ms));
  Ledger ledger(runtime);
  std::vector<runtime::Task> adders;
  std::vector<runtime::Task> workers;
  for (int i = 0; i < 2; ++i) {
    adders.push_back(runtime::spawn(runtime, "adder", [&] { add(runtime, queue, ledger); }));
    workers.push_back(runtime::spawn(runtime, "worker", [&] { work(runtime, queue, ledger); }));
  }
  Dice dice(runtime);
  const bool early = dice.one_in(2, "shut down early");
  if (!early) {
    for (const runtime::Task& adder : adders) {
      adder.join();
    }
    while (!ledger.all_done()) {
      runtime::sleep_for(runtime, 1ms);
    }
  }
  dice.one_in(2, "drain") ? queue.shut_down_with_drain() : queue.shut_down();
  for (const auto& tasks : {adders, workers}) {
    for (const runtime::Task& task : tasks) {
      task.join();
    }
  }
  expect(early || ledger.all_done(), "what was added was worked on after that");
}

}  // namespace

BOOST_AUTO_TEST_CASE(a_key_has_one_worker_and_no_addition_is_forgotten) {
  hammer(use_a_work_queue);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace watchlab::tests
