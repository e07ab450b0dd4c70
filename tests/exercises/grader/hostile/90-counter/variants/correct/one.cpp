// Breaks: nothing
#include "core/runtime/mutex.hpp"
#include "tests/exercises/grader/hostile/90-counter/subject.hpp"

namespace watchlab::exercise {
namespace {

class Made final : public Counter {
 public:
  explicit Made(runtime::Runtime& runtime) : mutex_(runtime, "counter") {}
  Made(const Made&) = delete;
  Made& operator=(const Made&) = delete;
  /// An operation, which only its world can do.
  ~Made() override { const runtime::Lock lock(mutex_); }

  void add() override {
    const runtime::Lock lock(mutex_);
    ++value_;
  }
  [[nodiscard]] int value() const override {
    const runtime::Lock lock(mutex_);
    return value_;
  }

 private:
  mutable runtime::Mutex mutex_;
  int value_ = 0;
};

}  // namespace

std::unique_ptr<Counter> make_counter(runtime::Runtime& runtime) {
  return std::make_unique<Made>(runtime);
}

}  // namespace watchlab::exercise
