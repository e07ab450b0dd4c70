// Your controller. What it promises is in subject.hpp. What is here creates pods as if the
// cache knew everything at once, and takes none away.
#include <map>

#include "core/runtime/mutex.hpp"
#include "core/runtime/shared.hpp"
#include "exercises/15-controller/subject.hpp"

namespace watchlab::exercise {
namespace {

/// What the controller has done for a set that the cache does not show yet.
struct Memory {};

class SetController final : public Controller {
 public:
  SetController(runtime::Runtime& runtime, const Cache& cache, Server& server)
      : cache_(cache), server_(server), mutex_(runtime), memories_(runtime, {}) {}

  [[nodiscard]] std::vector<std::string> keys_for(const Notice& notice) override {
    return {notice.set->name};  // and when it is about a pod?
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
    memories_.write()[key] = memory;
  }

  /// False when something is to be tried again.
  [[nodiscard]] bool put_right(const std::string& key, Memory& memory) {
    (void)memory;
    const std::optional<Set> set = cache_.set(key);
    if (!set) {
      return true;  // what now?
    }
    const PodList seen = cache_.pods(key);
    for (auto pods = static_cast<std::int64_t>(seen.pods.size()); pods < set->wanted; ++pods) {
      if (server_.create_pod(set->id).answer != Answer::Done) {
        return false;
      }
    }
    return true;
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
