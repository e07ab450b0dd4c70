// Histories recorded in simulated worlds, and mistakes that only they show.
#include "sim/linearizability/history.hpp"

#include <boost/test/unit_test.hpp>
#include <map>

#include "core/runtime/ensure.hpp"
#include "core/runtime/mutex.hpp"
#include "core/runtime/task.hpp"
#include "core/runtime/thread_runtime.hpp"
#include "sim/explore/explore.hpp"
#include "sim/linearizability/cache_models.hpp"

namespace watchlab::sim::linearizability {
BOOST_AUTO_TEST_SUITE(history_test)

namespace {

using runtime::Lock;
using runtime::Runtime;

/// A store of versions. The broken one replaces its contents in two steps, as a store would that
/// lets go of its lock between the removal of the old objects and the arrival of the new ones.
class SmallStore {
 public:
  SmallStore(Runtime& runtime, bool broken) : mutex_(runtime, "store"), broken_(broken) {}

  std::string get(const std::string& key) {
    const Lock lock(mutex_);
    const auto found = versions_.find(key);
    return found == versions_.end() ? "none" : found->second;
  }
  std::string replace(const std::string& key, const std::string& version) {
    if (broken_) {
      const Lock lock(mutex_);
      versions_.clear();
    }
    const Lock lock(mutex_);
    versions_ = {{key, version}};
    return "ok";
  }

 private:
  runtime::Mutex mutex_;
  bool broken_;
  std::map<std::string, std::string> versions_;
};

/// A list comes in again while somebody reads.
void relist(Runtime& runtime, bool broken) {
  SmallStore store(runtime, broken);
  History history(runtime);
  const auto replace = [&](const std::string& version) {
    history.record({"replace", "", "a=" + version}, [&] { return store.replace("a", version); });
  };
  replace("1");
  const auto reader = runtime::spawn(runtime, "reader", [&] {
    history.record({"get", "a", ""}, [&] { return store.get("a"); });
  });
  replace("2");
  reader.join();
  history.expect_linearizable(StoreModel());
}

}  // namespace

BOOST_AUTO_TEST_CASE(a_store_with_one_lock_around_each_call_holds_in_all_schedules) {
  const ExploreResult result =
      explore({.strategy = "dfs"}, [](Runtime& runtime) { relist(runtime, false); });
  BOOST_TEST(result.exhausted);
  BOOST_TEST(!result.failure.has_value(), (result.failure ? result.failure->sentence : ""));
}

BOOST_AUTO_TEST_CASE(a_store_that_is_empty_for_a_moment_is_found_out) {
  const ExploreResult result =
      explore({.strategy = "dfs"}, [](Runtime& runtime) { relist(runtime, true); });
  BOOST_REQUIRE(result.failure.has_value());
  const std::string& sentence = result.failure->sentence;
  BOOST_TEST((sentence.find("what get a of main/reader returned") != sentence.npos), sentence);
  BOOST_TEST((sentence.find("<- only 1 or 2 can be explained") != sentence.npos), sentence);
}

BOOST_AUTO_TEST_CASE(a_call_begins_as_late_as_its_task_is_let_on) {
  // Without a step of its own the second read would begin when the first returns.
  bool apart = false;
  const auto body = [&](Runtime& runtime) {
    History history(runtime);
    const auto read = [&] { history.record({"get", "a", ""}, [] { return "none"; }); };
    const auto other = runtime::spawn(runtime, "other", read);
    read();
    read();
    other.join();
    const std::vector<Call>& calls = history.calls();
    apart = apart || (calls[1].task == "main/other" && calls[0].returned < calls[1].invoked &&
                      calls[1].returned < calls[2].invoked);
  };
  (void)explore({.strategy = "dfs"}, body);
  BOOST_TEST(apart);
}

BOOST_AUTO_TEST_CASE(a_call_that_throws_stays_pending) {
  const ExploreResult result = explore({.strategy = "fifo"}, [](Runtime& runtime) {
    History history(runtime);
    try {
      history.record({"get", "a", ""}, []() -> std::string { throw std::runtime_error("no"); });
    } catch (const std::runtime_error&) {
      runtime::ensure(!history.calls().front().result.has_value(), "it has not returned");
    }
    history.expect_linearizable(StoreModel());
  });
  BOOST_TEST(!result.failure.has_value(), (result.failure ? result.failure->sentence : ""));
}

BOOST_AUTO_TEST_CASE(threads_are_refused) {
  runtime::ThreadRuntime threads;
  BOOST_CHECK_THROW(const History history(threads), runtime::EnsureFailed);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace watchlab::sim::linearizability
