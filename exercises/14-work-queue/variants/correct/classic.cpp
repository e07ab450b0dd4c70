// Breaks: the order of keys (first come, first served); a task of its own waits for delayed keys.
#include <chrono>

#include "core/workqueue/delaying_queue.hpp"
#include "exercises/14-work-queue/subject.hpp"

namespace watchlab::exercise {
namespace {

class ClassicQueue final : public WorkQueue {
 public:
  explicit ClassicQueue(runtime::Runtime& runtime)
      : queue_(runtime, std::make_unique<workqueue::ItemExponentialFailureRateLimiter>(
                            runtime, std::chrono::seconds(1), std::chrono::seconds(60))) {}
  ~ClassicQueue() override { queue_.shut_down(); }

  void add(const std::string& key) override { queue_.add(key); }
  void add_after(const std::string& key, runtime::Duration delay) override {
    queue_.add_after(key, delay);
  }
  [[nodiscard]] std::optional<std::string> get() override { return queue_.get(); }
  void done(const std::string& key) override { queue_.done(key); }
  void retry(const std::string& key) override { queue_.add_rate_limited(key); }
  void forget(const std::string& key) override { queue_.forget(key); }
  [[nodiscard]] std::int64_t failures(const std::string& key) const override {
    return static_cast<std::int64_t>(queue_.num_requeues(key));
  }
  void shut_down() override { queue_.shut_down(); }
  void shut_down_with_drain() override { queue_.shut_down_with_drain(); }
  [[nodiscard]] std::int64_t size() override { return static_cast<std::int64_t>(queue_.size()); }

 private:
  workqueue::RateLimitingQueue queue_;
};

}  // namespace

std::unique_ptr<WorkQueue> make_work_queue(runtime::Runtime& runtime) {
  return std::make_unique<ClassicQueue>(runtime);
}

}  // namespace watchlab::exercise
