// Clause: C1
// Symptom: The counter stays at zero.
#include "core/runtime/mutex.hpp"
#include "tests/exercises/grader/hostile/90-counter/subject.hpp"

namespace watchlab::exercise {
namespace {

class Made final : public Counter {
 public:
  explicit Made(runtime::Runtime& runtime) : mutex_(runtime, "counter") {}

  void add() override {
    const runtime::Lock lock(mutex_);
    value_ = 0;
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
