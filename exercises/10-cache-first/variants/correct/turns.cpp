// Breaks: no lock is held during a call; each caller draws a number and waits for its turn.
#include <map>
#include <memory>
#include <string>
#include <utility>

#include "core/runtime/cond_var.hpp"
#include "core/runtime/mutex.hpp"
#include "core/runtime/shared.hpp"
#include "exercises/10-cache-first/subject.hpp"

namespace watchlab::exercise {
namespace {

struct Member {
  Handler* handler = nullptr;
  bool wants_resyncs = false;
};

/// One caller after the other, in the order in which they came.
class Turns {
 public:
  explicit Turns(runtime::Runtime& runtime)
      : mutex_(runtime), next_(runtime), counts_(runtime, {}), members_(runtime, {}) {}

  void take() {
    runtime::Lock lock(mutex_);
    const int own = counts_.write().drawn++;
    while (counts_.read().called != own) {
      next_.wait(lock);
    }
  }
  void give_back() {
    const runtime::Lock lock(mutex_);
    ++counts_.write().called;
    next_.notify_all();
  }
  /// For the caller whose turn it is.
  [[nodiscard]] runtime::Shared<std::map<int, Member>>& members() { return members_; }

 private:
  struct Counts {
    int drawn = 0;
    int called = 0;
  };

  runtime::Mutex mutex_;
  runtime::CondVar next_;
  runtime::Shared<Counts> counts_;
  runtime::Shared<std::map<int, Member>> members_;
};

class TurnsRegistration final : public Registration {
 public:
  TurnsRegistration(std::shared_ptr<Turns> turns, int number)
      : turns_(std::move(turns)), number_(number) {}

  void remove() override {
    turns_->take();
    turns_->members().write().erase(number_);
    turns_->give_back();
  }

 private:
  std::shared_ptr<Turns> turns_;
  int number_;
};

class TurnsProcessor final : public Processor {
 public:
  TurnsProcessor(runtime::Runtime& runtime, Cache& cache)
      : cache_(cache), turns_(std::make_shared<Turns>(runtime)) {}

  void process(const Changes& changes, bool in_first_list) override {
    turns_->take();
    for (const Change& change : changes) {
      if (change.type == ChangeType::Deleted) {
        remove(change);
      } else {
        put(change.object, in_first_list);
      }
    }
    turns_->give_back();
  }
  [[nodiscard]] std::unique_ptr<Registration> add_handler(Handler& handler,
                                                          bool wants_resyncs) override {
    turns_->take();
    const int number = ++added_;
    turns_->members().write()[number] = {&handler, wants_resyncs};
    for (const api::ObjectPtr& object : cache_.list()) {
      handler.on_add(object, true);
    }
    turns_->give_back();
    return std::make_unique<TurnsRegistration>(turns_, number);
  }

 private:
  void remove(const Change& change) {
    cache_.remove(api::key_of(change.object->metadata));
    for (const auto& [number, member] : turns_->members().read()) {
      member.handler->on_delete(change.object, change.was_missed);
    }
  }
  void put(const api::ObjectPtr& object, bool in_first_list) {
    const api::ObjectPtr before = cache_.get(api::key_of(object->metadata));
    cache_.put(object);
    const bool is_repetition =
        before != nullptr && before->metadata.resource_version == object->metadata.resource_version;
    for (const auto& [number, member] : turns_->members().read()) {
      if (before == nullptr) {
        member.handler->on_add(object, in_first_list);
      } else if (member.wants_resyncs || !is_repetition) {
        member.handler->on_update(before, object);
      }
    }
  }

  Cache& cache_;
  std::shared_ptr<Turns> turns_;
  int added_ = 0;
};

}  // namespace

std::unique_ptr<Processor> make_processor(runtime::Runtime& runtime, Cache& cache) {
  return std::make_unique<TurnsProcessor>(runtime, cache);
}

}  // namespace watchlab::exercise
