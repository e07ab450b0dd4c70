// Breaks: the newest handler is called first, and a new one gets the objects in reverse order.
#include <algorithm>
#include <list>
#include <memory>
#include <string>
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

struct Inside {
  explicit Inside(runtime::Runtime& runtime) : mutex(runtime), members(runtime, {}) {}

  runtime::Mutex mutex;
  runtime::Shared<std::list<Member>> members;
};

class PlainRegistration final : public Registration {
 public:
  PlainRegistration(std::shared_ptr<Inside> inside, std::list<Member>::const_iterator place)
      : inside_(std::move(inside)), place_(place) {}

  void remove() override {
    const runtime::Lock lock(inside_->mutex);
    if (!is_removed_) {
      inside_->members.write().erase(place_);
    }
    is_removed_ = true;
  }

 private:
  std::shared_ptr<Inside> inside_;
  std::list<Member>::const_iterator place_;
  bool is_removed_ = false;
};

class PlainProcessor final : public Processor {
 public:
  PlainProcessor(runtime::Runtime& runtime, Cache& cache)
      : cache_(cache), inside_(std::make_shared<Inside>(runtime)) {}

  void process(const Changes& changes, bool in_first_list) override {
    runtime::Lock lock(inside_->mutex);
    for (const Change& change : changes) {
      const std::string key = api::key_of(change.object->metadata);
      const api::ObjectPtr before = cache_.get(key);
      if (change.type == ChangeType::Deleted) {
        cache_.remove(key);
      } else {
        cache_.put(change.object);
      }
      for (const Member& member : inside_->members.read()) {
        notify(member, change, before, in_first_list);
      }
    }
  }
  [[nodiscard]] std::unique_ptr<Registration> add_handler(Handler& handler,
                                                          bool wants_resyncs) override {
    runtime::Lock lock(inside_->mutex);
    std::vector<api::ObjectPtr> objects = cache_.list();
    std::reverse(objects.begin(), objects.end());
    for (const api::ObjectPtr& object : objects) {
      handler.on_add(object, true);
    }
    std::list<Member>& members = inside_->members.write();
    members.push_front({&handler, wants_resyncs});
    return std::make_unique<PlainRegistration>(inside_, members.cbegin());
  }

 private:
  static void notify(const Member& member, const Change& change, const api::ObjectPtr& before,
                     bool in_first_list) {
    const api::ObjectPtr& after = change.object;
    if (change.type == ChangeType::Deleted) {
      member.handler->on_delete(after, change.was_missed);
    } else if (before == nullptr) {
      member.handler->on_add(after, in_first_list);
    } else if (before->metadata.resource_version != after->metadata.resource_version) {
      member.handler->on_update(before, after);
    } else if (member.wants_resyncs) {
      member.handler->on_update(before, after);
    }
  }

  Cache& cache_;
  std::shared_ptr<Inside> inside_;
};

}  // namespace

std::unique_ptr<Processor> make_processor(runtime::Runtime& runtime, Cache& cache) {
  return std::make_unique<PlainProcessor>(runtime, cache);
}

}  // namespace watchlab::exercise
