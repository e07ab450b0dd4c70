// The reference solution: remembers what it did until the cache has caught up with it.
#include <algorithm>
#include <map>
#include <set>

#include "core/runtime/mutex.hpp"
#include "core/runtime/shared.hpp"
#include "exercises/15-controller/subject.hpp"

namespace watchlab::exercise {
namespace {

/// What the controller has done for a set that the cache does not show yet.
struct Memory {
  std::vector<Pod> created;
  std::set<std::string> deleted;
};

class SetController final : public Controller {
 public:
  SetController(runtime::Runtime& runtime, const Cache& cache, Server& server)
      : cache_(cache), server_(server), mutex_(runtime), memories_(runtime, {}) {}

  [[nodiscard]] std::vector<std::string> keys_for(const Notice& notice) override {
    return {notice.set ? notice.set->name : notice.pod->set_name};
  }

  [[nodiscard]] Outcome reconcile(const std::string& key) override {
    Memory memory = recall(key);
    const bool is_done = put_right(key, memory);
    remember(key, memory);
    return is_done ? Outcome::Done : Outcome::Retry;
  }

 private:
  // Only one worker has the key, so no memory changes between these two.
  [[nodiscard]] Memory recall(const std::string& key) {
    const runtime::Lock lock(mutex_);
    const auto found = memories_.read().find(key);
    return found != memories_.read().end() ? found->second : Memory();
  }
  void remember(const std::string& key, const Memory& memory) {
    const runtime::Lock lock(mutex_);
    if (memory.created.empty() && memory.deleted.empty()) {
      memories_.write().erase(key);
    } else {
      memories_.write()[key] = memory;
    }
  }

  /// These are false when something is to be tried again.
  [[nodiscard]] bool put_right(const std::string& key, Memory& memory) {
    const std::optional<Set> set = cache_.set(key);
    const PodList seen = cache_.pods(key);
    forget_what_is_seen(memory, seen);
    std::vector<std::string> own;
    std::vector<Pod> others;
    for (const Pod& pod : seen.pods) {
      if (set && pod.set_id == set->id) {
        own.push_back(pod.name);
      } else {
        others.push_back(pod);
      }
    }
    const bool are_others_gone = others.empty() || remove_orphans(key, others, memory);
    if (!set) {
      return are_others_gone;
    }
    const auto reported = static_cast<std::int64_t>(own.size());
    const bool is_balanced = balance(*set, own, memory);
    return report(*set, reported) && is_balanced && are_others_gone;
  }

  static void forget_what_is_seen(Memory& memory, const PodList& seen) {
    std::erase_if(memory.created, [&](const Pod& pod) { return pod.version <= seen.version; });
    std::erase_if(memory.deleted, [&](const std::string& name) {
      return std::ranges::find(seen.pods, name, &Pod::name) == seen.pods.end();
    });
  }

  /// Deletes pods whose set is gone. The cache may not know of it yet, so the server is asked.
  [[nodiscard]] bool remove_orphans(const std::string& key, const std::vector<Pod>& pods,
                                    Memory& memory) {
    const std::optional<Set> now = server_.find_set(key);
    bool is_done = true;
    for (const Pod& pod : pods) {
      if (!now || pod.set_id != now->id) {
        is_done = remove(pod.name, memory) && is_done;
      }
    }
    return is_done;
  }

  [[nodiscard]] bool balance(const Set& set, std::vector<std::string> own, Memory& memory) {
    std::erase_if(own, [&](const std::string& name) { return memory.deleted.contains(name); });
    auto pods = static_cast<std::int64_t>(own.size()) +
                std::ranges::count(memory.created, set.id, &Pod::set_id);
    for (; pods < set.wanted; ++pods) {
      const Created created = server_.create_pod(set.id);
      if (created.answer != Answer::Done) {
        return created.answer == Answer::Missing;
      }
      memory.created.push_back(created.pod);
    }
    for (; pods > set.wanted && !own.empty(); --pods) {
      if (!remove(own.back(), memory)) {
        return false;
      }
      own.pop_back();
    }
    return true;
  }

  [[nodiscard]] bool remove(const std::string& name, Memory& memory) {
    if (memory.deleted.contains(name)) {
      return true;
    }
    const Answer answer = server_.delete_pod(name);
    if (answer == Answer::Failed) {
      return false;
    }
    memory.deleted.insert(name);
    return true;
  }

  [[nodiscard]] bool report(const Set& set, std::int64_t reported) {
    if (set.reported == reported) {
      return true;
    }
    const Answer answer = server_.report(set, reported);
    return answer == Answer::Done || answer == Answer::Missing;
  }

  const Cache& cache_;
  Server& server_;
  runtime::Mutex mutex_;
  runtime::Shared<std::map<std::string, Memory>> memories_;
};

}  // namespace

std::unique_ptr<Controller> make_controller(runtime::Runtime& runtime, const Cache& cache,
                                            Server& server) {
  return std::make_unique<SetController>(runtime, cache, server);
}

}  // namespace watchlab::exercise
