// Controllers that keep as many children of an object as its data asks for, and never delete one.
#include <fmt/format.h>

#include <map>
#include <set>
#include <utility>

#include "core/api/object.hpp"
#include "core/runtime/mutex.hpp"
#include "sim/story/options.hpp"
#include "sim/story/reconciler.hpp"

namespace watchlab::sim {
namespace {

constexpr const char* kOwnerLabel = "owner";

/// Counts the children in its store, and makes those that are missing there. The store may not know
/// yet of those that it made a moment ago: then it makes more.
class ReplicasFromCache : public Reconciler {
 public:
  explicit ReplicasFromCache(runtime::Runtime& runtime) : mutex_(runtime, "replicas") {}

  api::Result<void> reconcile(const std::string& key, ReconcileContext& context) override {
    const api::ObjectPtr owner = context.store->get_by_key(key);
    if (!owner) {
      return {};
    }
    const std::string& name = owner->metadata.name;
    // Before the store: a child that becomes known in between is then counted twice, which its
    // event puts right, and not left out, which nothing would.
    const std::size_t unseen = made_unseen(name);
    const auto known = context.store->index_keys("labels", fmt::format("{}={}", kOwnerLabel, name));
    const std::size_t children = known ? known->size() : 0;
    const auto wanted = static_cast<std::size_t>(number_in(*owner, "replicas"));
    for (std::size_t have = children + unseen; have < wanted; ++have) {
      if (const auto made = make_child(*owner, context); !made) {
        return made;
      }
    }
    return {};
  }

  [[nodiscard]] std::string key_for(const api::Object& object) const override {
    const auto owner = object.metadata.labels.find(kOwnerLabel);
    return owner == object.metadata.labels.end()
               ? Reconciler::key_for(object)
               : api::key_from(object.metadata.namespace_, owner->second);
  }

 protected:
  /// How many children of the owner were made and are not in the store yet, as far as it knows.
  virtual std::size_t made_unseen(const std::string& /*owner*/) { return 0; }
  virtual void will_make(const std::string& /*owner*/, const std::string& /*child*/) {}
  virtual void has_failed(const std::string& /*owner*/, const std::string& /*child*/) {}

  runtime::Mutex& mutex() { return mutex_; }

 private:
  api::Result<void> make_child(const api::Object& owner, ReconcileContext& context) {
    const std::string& name = owner.metadata.name;
    ObjectSketch child;
    child.namespace_ = owner.metadata.namespace_;
    child.labels[kOwnerLabel] = name;
    {
      const runtime::Lock lock(mutex_);
      child.name = fmt::format("{}-{}", name, ++made_[name]);
    }
    will_make(name, child.name);
    const auto created = context.connection.create(context.stop, config_map_from(child));
    if (!created) {
      has_failed(name, child.name);
      return created.error();
    }
    return {};
  }

  runtime::Mutex mutex_;
  std::map<std::string, int> made_;  // by owner
};

/// The same, but remembers which children it made until it was notified of them.
class ReplicasWithExpectations final : public ReplicasFromCache {
 public:
  using ReplicasFromCache::ReplicasFromCache;

  void notified_of(const api::Object& object) override {
    const auto owner = object.metadata.labels.find(kOwnerLabel);
    if (owner != object.metadata.labels.end()) {
      has_failed(owner->second, object.metadata.name);
    }
  }

 protected:
  std::size_t made_unseen(const std::string& owner) override {
    const runtime::Lock lock(mutex());
    return expected_[owner].size();
  }
  void will_make(const std::string& owner, const std::string& child) override {
    const runtime::Lock lock(mutex());
    expected_[owner].insert(child);
  }
  /// Not expected any more, for whatever reason.
  void has_failed(const std::string& owner, const std::string& child) override {
    const runtime::Lock lock(mutex());
    expected_[owner].erase(child);
  }

 private:
  std::map<std::string, std::set<std::string>> expected_;  // children by owner
};

}  // namespace

std::vector<ReconcilerEntry> replica_reconcilers() {
  return {{"replicas_from_cache",
           "creates the children that its store lacks, even those that it has just created",
           [](runtime::Runtime& runtime) -> std::unique_ptr<Reconciler> {
             return std::make_unique<ReplicasFromCache>(runtime);
           },
           {Verb::Create}},
          {"replicas_with_expectations",
           "creates the children that its store lacks, and remembers those that it has created",
           [](runtime::Runtime& runtime) -> std::unique_ptr<Reconciler> {
             return std::make_unique<ReplicasWithExpectations>(runtime);
           },
           {Verb::Create}}};
}

}  // namespace watchlab::sim
