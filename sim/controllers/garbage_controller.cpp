#include <algorithm>
#include <cstdint>
#include <map>
#include <set>

#include "sim/controllers/controller_catalogue.hpp"
#include "sim/controllers/controller_writes.hpp"

namespace watchlab::sim {

namespace {

constexpr std::string_view kOrphans = "orphan";
constexpr std::string_view kForeground = "foregroundDeletion";

bool has_finalizer(const api::Object& object, std::string_view name) {
  return std::ranges::find(object.metadata.finalizers, name) != object.metadata.finalizers.end();
}

bool is_being_deleted(const api::Object& object) {
  return !object.metadata.deletion_timestamp.empty();
}

/// Whether it waits for this controller to go.
bool waits(const api::Object& object) {
  return is_being_deleted(object) &&
         (has_finalizer(object, kOrphans) || has_finalizer(object, kForeground));
}

/// Deletes objects whose owners are gone. Mirrors kubernetes pkg/controller/garbagecollector,
/// attemptToDeleteItem, attemptToOrphan and processDeletingDependentsItem, with the store in place
/// of its graph.
class GarbageController final : public ClusterController {
 public:
  bool wrote(const Change& change) override {
    const ObjectPlace place{*change.resource, change.key};
    const bool is_gone = change.type == watch::EventType::Deleted;
    const std::vector<Owner> before =
        change.previous == nullptr ? std::vector<Owner>() : owners_of(change.previous->metadata);
    const std::vector<Owner> after =
        is_gone ? std::vector<Owner>() : owners_of(change.object->metadata);
    const std::size_t work = dirty_.size();
    for (const Owner& owner : before) {
      forget(owner.uid, place);
      examine_waiting(owner.uid);
    }
    for (const Owner& owner : after) {
      dependents_[owner.uid].insert(place);
      examine_waiting(owner.uid);
    }
    const std::string& uid = change.object->metadata.uid;
    if (is_gone) {
      waiting_.erase(uid);
      const std::set<ObjectPlace> left = dependents_of(uid);
      dirty_.insert(left.begin(), left.end());
    } else if (waits(*change.object)) {
      waiting_.insert_or_assign(uid, place);
      dirty_.insert(place);
    } else if (!after.empty() && !same_uids(before, after)) {
      dirty_.insert(place);
    }
    return dirty_.size() > work;
  }

  std::optional<runtime::TimePoint> act(ServerHost::Transaction& host) override {
    // What that writes may make more work, which comes in the next turn.
    std::set<ObjectPlace> later = std::exchange(dirty_, {});
    for (std::size_t count = 0; count < kAtOnceMax && !later.empty(); ++count) {
      const ObjectPlace place = later.extract(later.begin()).value();
      const api::ObjectPtr object = object_at(host, place);
      if (object == nullptr) {
        continue;
      }
      if (waits(*object)) {
        finish(host, place, *object);
      } else if (!is_being_deleted(*object)) {
        collect(host, place.first, *object);
      }
    }
    const bool has_more = !later.empty();
    dirty_.merge(later);
    return has_more ? std::optional(host.now()) : std::nullopt;
  }

 private:
  enum class OwnerState : std::uint8_t { There, Waiting, Gone };

  static bool same_uids(const std::vector<Owner>& one, const std::vector<Owner>& other) {
    return std::ranges::equal(one, other, {}, &Owner::uid, &Owner::uid);
  }

  void forget(const std::string& uid, const ObjectPlace& place) {
    const auto found = dependents_.find(uid);
    if (found != dependents_.end() && found->second.erase(place) > 0 && found->second.empty()) {
      dependents_.erase(found);
    }
  }

  void examine_waiting(const std::string& uid) {
    if (const auto found = waiting_.find(uid); found != waiting_.end()) {
      dirty_.insert(found->second);
    }
  }

  [[nodiscard]] std::set<ObjectPlace> dependents_of(const std::string& uid) const {
    const auto found = dependents_.find(uid);
    return found == dependents_.end() ? std::set<ObjectPlace>() : found->second;
  }

  /// The collection of that kind; null for a kind that is not served.
  static const ResourceType* type_of(ServerHost::Transaction& host, const Owner& owner) {
    const std::size_t slash = owner.api_version.find('/');
    const std::string group = slash == std::string::npos ? "" : owner.api_version.substr(0, slash);
    for (const auto& [resource, type] : host.servers().types().all()) {
      if (resource.group == group && type.kind == owner.kind) {
        return &type;
      }
    }
    return nullptr;
  }

  /// An owner that cannot be looked for counts as there: its objects stay.
  static OwnerState state_of(ServerHost::Transaction& host, const Owner& owner,
                             const api::Object& object) {
    const ResourceType* const type = type_of(host, owner);
    const std::string& home = object.metadata.namespace_;
    if (type == nullptr || (type->namespaced && home.empty())) {
      return OwnerState::There;
    }
    const api::ObjectPtr found =
        object_at(host, {type->resource, api::key_from(type->namespaced ? home : "", owner.name)});
    if (found == nullptr || found->metadata.uid != owner.uid) {
      return OwnerState::Gone;
    }
    return is_being_deleted(*found) && has_finalizer(*found, kForeground) ? OwnerState::Waiting
                                                                          : OwnerState::There;
  }

  /// Deletes the object if none of its owners is there; otherwise it forgets those that are not.
  void collect(ServerHost::Transaction& host, const api::GroupVersionResource& resource,
               const api::Object& object) {
    std::vector<std::string> lost;
    bool is_held = false;
    bool is_waited_for = false;
    for (const Owner& owner : owners_of(object.metadata)) {
      const OwnerState state = state_of(host, owner, object);
      is_held = is_held || state == OwnerState::There;
      is_waited_for = is_waited_for || state == OwnerState::Waiting;
      if (state != OwnerState::There) {
        lost.push_back(owner.uid);
      }
    }
    if (lost.empty()) {
      return;
    }
    if (is_held) {
      api::Object next = object;
      drop_owners(next.metadata, lost);
      write_object(host, resource, std::move(next));
      return;
    }
    const bool has_dependents = !dependents_of(object.metadata.uid).empty();
    const std::string_view policy =
        has_finalizer(object, kOrphans)                                           ? "Orphan"
        : has_finalizer(object, kForeground) || (is_waited_for && has_dependents) ? "Foreground"
                                                                                  : "Background";
    if (policy == "Foreground" && closes_circle(host, object.metadata.uid)) {
      api::Object next = object;
      unblock_owners(next.metadata);
      write_object(host, resource, std::move(next));
    }
    delete_object(host, resource, object.metadata, policy);
  }

  /// Whether a dependent of this object is in turn waiting for this object to go.
  [[nodiscard]] bool closes_circle(ServerHost::Transaction& host, const std::string& uid) const {
    const std::set<ObjectPlace> dependents = dependents_of(uid);
    return std::ranges::any_of(dependents, [&](const ObjectPlace& each) {
      const api::ObjectPtr dependent = object_at(host, each);
      return dependent != nullptr && is_being_deleted(*dependent) &&
             has_finalizer(*dependent, kForeground);
    });
  }

  /// Does for an object that is being deleted what its finalizer asks for, and takes that away once
  /// it is done.
  void finish(ServerHost::Transaction& host, const ObjectPlace& place, const api::Object& object) {
    const std::string& uid = object.metadata.uid;
    const bool orphans = has_finalizer(object, kOrphans);
    for (const ObjectPlace& each : dependents_of(uid)) {
      const api::ObjectPtr dependent = object_at(host, each);
      if (dependent == nullptr) {
        continue;
      }
      if (orphans) {
        api::Object next = *dependent;
        drop_owners(next.metadata, {uid});
        write_object(host, each.first, std::move(next));
      } else if (!is_being_deleted(*dependent)) {
        collect(host, each.first, *dependent);
      }
    }
    if (orphans || !is_blocked(host, uid)) {
      api::Object next = object;
      std::erase(next.metadata.finalizers, orphans ? kOrphans : kForeground);
      write_object(host, place.first, std::move(next));
    }
  }

  [[nodiscard]] bool is_blocked(ServerHost::Transaction& host, const std::string& uid) const {
    const std::set<ObjectPlace> dependents = dependents_of(uid);
    return std::ranges::any_of(dependents, [&](const ObjectPlace& each) {
      const api::ObjectPtr dependent = object_at(host, each);
      return dependent != nullptr &&
             std::ranges::any_of(owners_of(dependent->metadata), [&](const Owner& owner) {
               return owner.uid == uid && owner.blocks;
             });
    });
  }

  std::map<std::string, std::set<ObjectPlace>> dependents_;  // by the uid of their owner
  std::map<std::string, ObjectPlace> waiting_;               // by uid: what waits for them
  std::set<ObjectPlace> dirty_;
};

}  // namespace

std::unique_ptr<ClusterController> make_garbage_controller(const ControllerSettings&) {
  return std::make_unique<GarbageController>();
}

}  // namespace watchlab::sim
