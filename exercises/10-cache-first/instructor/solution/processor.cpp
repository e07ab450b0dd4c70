// The reference solution: one lock, held for all changes of a call, for each addition and removal.
#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

#include "core/runtime/mutex.hpp"
#include "core/runtime/shared.hpp"
#include "exercises/10-cache-first/subject.hpp"

namespace watchlab::exercise {
namespace {

struct Member {
  Handler* handler = nullptr;
  bool wants_resyncs = false;
};

/// What the processor and its registrations have in common.
struct Members {
  explicit Members(runtime::Runtime& runtime) : mutex(runtime), all(runtime, {}) {}

  runtime::Mutex mutex;
  runtime::Shared<std::vector<std::shared_ptr<Member>>> all;
};

class OwnRegistration final : public Registration {
 public:
  OwnRegistration(std::shared_ptr<Members> members, std::shared_ptr<Member> own)
      : members_(std::move(members)), own_(std::move(own)) {}

  void remove() override {
    const runtime::Lock lock(members_->mutex);
    std::erase(members_->all.write(), own_);
  }

 private:
  std::shared_ptr<Members> members_;
  std::shared_ptr<Member> own_;
};

class OwnProcessor final : public Processor {
 public:
  OwnProcessor(runtime::Runtime& runtime, Cache& cache)
      : cache_(cache), members_(std::make_shared<Members>(runtime)) {}

  void process(const Changes& changes, bool in_first_list) override {
    const runtime::Lock lock(members_->mutex);
    for (const Change& change : changes) {
      if (change.type == ChangeType::Deleted) {
        cache_.remove(api::key_of(change.object->metadata));
        for (const auto& member : members_->all.read()) {
          member->handler->on_delete(change.object, change.was_missed);
        }
      } else {
        put(change.object, in_first_list);
      }
    }
  }
  [[nodiscard]] std::unique_ptr<Registration> add_handler(Handler& handler,
                                                          bool wants_resyncs) override {
    const runtime::Lock lock(members_->mutex);
    for (const api::ObjectPtr& object : cache_.list()) {
      handler.on_add(object, true);
    }
    const auto own = std::make_shared<Member>(Member{&handler, wants_resyncs});
    members_->all.write().push_back(own);
    return std::make_unique<OwnRegistration>(members_, own);
  }

 private:
  // The lock must be held.
  void put(const api::ObjectPtr& object, bool in_first_list) {
    const api::ObjectPtr before = cache_.get(api::key_of(object->metadata));
    cache_.put(object);
    for (const auto& member : members_->all.read()) {
      if (before == nullptr) {
        member->handler->on_add(object, in_first_list);
      } else if (member->wants_resyncs ||
                 before->metadata.resource_version != object->metadata.resource_version) {
        member->handler->on_update(before, object);
      }
    }
  }

  Cache& cache_;
  std::shared_ptr<Members> members_;
};

}  // namespace

std::unique_ptr<Processor> make_processor(runtime::Runtime& runtime, Cache& cache) {
  return std::make_unique<OwnProcessor>(runtime, cache);
}

}  // namespace watchlab::exercise
