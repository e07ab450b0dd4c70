// Breaks: it counts on what it did for thirty seconds, or until the cache shows it, deletes pods
// that the cache shows alone, and the oldest first.
#include <algorithm>
#include <chrono>
#include <map>

#include "core/runtime/mutex.hpp"
#include "core/runtime/shared.hpp"
#include "exercises/15-controller/subject.hpp"

namespace watchlab::exercise {
namespace {

constexpr std::chrono::seconds kLatest{30};

/// Names of pods, each with the moment at which it no longer counts.
using Expected = std::map<std::string, runtime::TimePoint>;

struct Expectations {
  std::int64_t set_id = 0;
  Expected created;
  Expected deleted;
};

class ExpectingController final : public Controller {
 public:
  ExpectingController(runtime::Runtime& runtime, const Cache& cache, Server& server)
      : runtime_(runtime), cache_(cache), server_(server), mutex_(runtime), all_(runtime, {}) {}

  [[nodiscard]] std::vector<std::string> keys_for(const Notice& notice) override {
    if (notice.set) {
      return {notice.set->name};
    }
    return {notice.pod->set_name};
  }

  [[nodiscard]] Outcome reconcile(const std::string& key) override {
    Expectations expected = take(key);
    const std::vector<Pod> pods = cache_.pods(key).pods;
    const std::optional<Set> set = cache_.set(key);
    update(expected, pods, set ? set->id : expected.set_id);
    bool is_done = true;
    std::vector<Pod> own;
    std::optional<std::optional<Set>> asked;
    for (const Pod& pod : pods) {
      if (set && set->id == pod.set_id) {
        own.push_back(pod);
        continue;
      }
      if (expected.deleted.contains(pod.name)) {
        continue;
      }
      if (!asked) {
        asked = server_.find_set(key);
      }
      if (!*asked || (*asked)->id != pod.set_id) {
        is_done = remove(pod, expected) && is_done;
      }
    }
    if (set) {
      is_done = is_reported(*set, own.size()) && is_done;
      is_done = is_balanced(*set, own, expected) && is_done;
    }
    is_done = is_done && expected.created.empty();
    put(key, std::move(expected));
    return is_done ? Outcome::Done : Outcome::Retry;
  }

 private:
  [[nodiscard]] Expectations take(const std::string& key) {
    const runtime::Lock lock(mutex_);
    return std::exchange(all_.write()[key], {});
  }
  void put(const std::string& key, Expectations expected) {
    const runtime::Lock lock(mutex_);
    all_.write()[key] = std::move(expected);
  }

  /// Forgets what the cache shows, and what is too old.
  void update(Expectations& expected, const std::vector<Pod>& pods, std::int64_t set_id) {
    if (expected.set_id != set_id) {
      expected.created.clear();
      expected.set_id = set_id;
    }
    const runtime::TimePoint now = runtime_.now();
    const auto is_cached = [&](const std::string& name) {
      return std::ranges::any_of(pods, [&](const Pod& pod) { return pod.name == name; });
    };
    std::erase_if(expected.created,
                  [&](const auto& each) { return each.second < now || is_cached(each.first); });
    std::erase_if(expected.deleted, [&](const auto& each) { return !is_cached(each.first); });
  }

  [[nodiscard]] bool remove(const Pod& pod, Expectations& expected) {
    switch (server_.delete_pod(pod.name)) {
      case Answer::Done:
      case Answer::Missing:
        expected.deleted[pod.name] = runtime_.now() + kLatest;
        return true;
      default:
        return false;
    }
  }

  [[nodiscard]] bool is_balanced(const Set& set, std::vector<Pod> own, Expectations& expected) {
    std::erase_if(own, [&](const Pod& pod) { return expected.deleted.contains(pod.name); });
    std::ranges::sort(own, {}, &Pod::version);
    const auto known = static_cast<std::int64_t>(own.size() + expected.created.size());
    for (std::int64_t missing = set.wanted - known; missing > 0; --missing) {
      const Created created = server_.create_pod(set.id);
      if (created.answer == Answer::Missing) {
        return true;
      }
      if (created.answer != Answer::Done) {
        return false;
      }
      expected.created[created.pod.name] = runtime_.now() + kLatest;
    }
    const std::int64_t surplus = static_cast<std::int64_t>(own.size()) - set.wanted;
    for (std::size_t i = 0; i < own.size() && static_cast<std::int64_t>(i) < surplus; ++i) {
      if (!remove(own[i], expected)) {
        return false;
      }
    }
    return true;
  }

  [[nodiscard]] bool is_reported(const Set& set, std::size_t pods) {
    const auto reported = static_cast<std::int64_t>(pods);
    if (set.reported == reported) {
      return true;
    }
    const Answer answer = server_.report(set, reported);
    return answer == Answer::Done || answer == Answer::Missing;
  }

  runtime::Runtime& runtime_;
  const Cache& cache_;
  Server& server_;
  runtime::Mutex mutex_;
  runtime::Shared<std::map<std::string, Expectations>> all_;
};

}  // namespace

std::unique_ptr<Controller> make_controller(runtime::Runtime& runtime, const Cache& cache,
                                            Server& server) {
  return std::make_unique<ExpectingController>(runtime, cache, server);
}

}  // namespace watchlab::exercise
