// Breaks: it does one thing at a time, and asks the server for the set before each; one lock for
// all.
#include <map>

#include "core/runtime/mutex.hpp"
#include "core/runtime/shared.hpp"
#include "exercises/15-controller/subject.hpp"

namespace watchlab::exercise {
namespace {

/// A pod that the cache does not show as it is: created or deleted by this controller.
struct Done {
  std::int64_t set_id = 0;
  std::int64_t version = 0;  ///< of the creation; 0 for a deletion
};
using Deeds = std::map<std::string, Done>;

class LiveController final : public Controller {
 public:
  LiveController(runtime::Runtime& runtime, const Cache& cache, Server& server)
      : cache_(cache), server_(server), mutex_(runtime), deeds_(runtime, {}) {}

  [[nodiscard]] std::vector<std::string> keys_for(const Notice& notice) override {
    std::vector<std::string> keys;
    if (notice.set) {
      keys.push_back(notice.set->name);
    }
    if (notice.pod) {
      keys.push_back(notice.pod->set_name);
    }
    return keys;
  }

  [[nodiscard]] Outcome reconcile(const std::string& key) override {
    const runtime::Lock lock(mutex_);
    Deeds& deeds = deeds_.write()[key];
    const PodList seen = cache_.pods(key);
    const std::optional<Set> cached = cache_.set(key);
    forget(deeds, seen);
    if (is_well(cached, seen, deeds)) {
      return Outcome::Done;
    }
    const std::optional<Set> set = server_.find_set(key);
    return act(set, seen, deeds) ? Outcome::Retry : Outcome::Done;
  }

 private:
  static void forget(Deeds& deeds, const PodList& seen) {
    std::erase_if(deeds, [&](const auto& each) {
      if (each.second.version > 0) {
        return each.second.version <= seen.version;
      }
      return position(seen, each.first) == seen.pods.size();
    });
  }
  static std::size_t position(const PodList& seen, const std::string& name) {
    std::size_t place = 0;
    while (place < seen.pods.size() && seen.pods[place].name != name) {
      ++place;
    }
    return place;
  }

  /// How many pods the set has, by the cache and by what was done since.
  static std::int64_t pods_of(std::int64_t set_id, const PodList& seen, const Deeds& deeds) {
    std::int64_t pods = 0;
    for (const Pod& pod : seen.pods) {
      pods += pod.set_id == set_id && !deeds.contains(pod.name) ? 1 : 0;
    }
    for (const auto& [name, deed] : deeds) {
      pods += deed.set_id == set_id && deed.version > 0 ? 1 : 0;
    }
    return pods;
  }
  static std::int64_t seen_of(std::int64_t set_id, const PodList& seen) {
    return pods_of(set_id, seen, {});
  }

  /// Whether nothing is to be done as far as the cache knows.
  static bool is_well(const std::optional<Set>& set, const PodList& seen, const Deeds& deeds) {
    for (const Pod& pod : seen.pods) {
      if ((!set || pod.set_id != set->id) && !deeds.contains(pod.name)) {
        return false;
      }
    }
    return !set || (pods_of(set->id, seen, deeds) == set->wanted &&
                    seen_of(set->id, seen) == set->reported);
  }

  /// One step; false when the set is as it should be.
  [[nodiscard]] bool act(const std::optional<Set>& set, const PodList& seen, Deeds& deeds) {
    for (const Pod& pod : seen.pods) {
      if ((!set || pod.set_id != set->id) && !deeds.contains(pod.name)) {
        return remove(pod, deeds);
      }
    }
    if (!set) {
      return false;
    }
    const std::int64_t pods = pods_of(set->id, seen, deeds);
    if (pods < set->wanted) {
      const Created created = server_.create_pod(set->id);
      if (created.answer == Answer::Done) {
        deeds[created.pod.name] = {created.pod.set_id, created.pod.version};
      }
      return true;
    }
    for (const Pod& pod : seen.pods) {
      if (pods > set->wanted && !deeds.contains(pod.name)) {
        return remove(pod, deeds);
      }
    }
    if (seen_of(set->id, seen) != set->reported) {
      (void)server_.report(*set, seen_of(set->id, seen));
      return true;
    }
    return false;
  }
  [[nodiscard]] bool remove(const Pod& pod, Deeds& deeds) {
    const Answer answer = server_.delete_pod(pod.name);
    if (answer != Answer::Failed) {
      deeds[pod.name] = {.set_id = pod.set_id, .version = 0};
    }
    return true;
  }

  const Cache& cache_;
  Server& server_;
  runtime::Mutex mutex_;
  runtime::Shared<std::map<std::string, Deeds>> deeds_;
};

}  // namespace

std::unique_ptr<Controller> make_controller(runtime::Runtime& runtime, const Cache& cache,
                                            Server& server) {
  return std::make_unique<LiveController>(runtime, cache, server);
}

}  // namespace watchlab::exercise
