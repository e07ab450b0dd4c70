#pragma once

#include <boost/container/small_vector.hpp>
#include <cstddef>
#include <deque>
#include <functional>
#include <list>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "core/api/object.hpp"
#include "core/runtime/time.hpp"
#include "core/watch/watch.hpp"
#include "sim/apiserver/stamps.hpp"

namespace watchlab::sim {

/// One committed write, as every reader of the log sees it.
struct Change {
  Revision revision = 0;
  runtime::TimePoint at;
  /// Where it was written. Owned by the store, which outlives everything that keeps its changes.
  const api::GroupVersionResource* resource = nullptr;
  std::string key;
  watch::EventType type = watch::EventType::Added;  ///< Added, Modified or Deleted
  api::ObjectPtr object;    ///< after the write; for Deleted the last body with the new revision
  api::ObjectPtr previous;  ///< before the write; null for Added
};

/// The estimated size of a version of an object in a store, in bytes.
[[nodiscard]] std::size_t size_of(const api::Object& object);

/// Which objects of a collection to read, in key order.
struct Range {
  std::string namespace_;  ///< "" for all
  std::string start_key;   ///< the first key to read; "" for the first of all
};

/// The store behind all API servers, like etcd in a cluster. It has one revision counter, keeps
/// every version of every object until it is compacted, and a log of all changes. Every state it
/// reports has existed, and a revision always names the same state. Standalone: no clock, no locks;
/// one caller at a time.
class ObjectStore {
 public:
  /// The state before any write has revision `first`, at least 1.
  explicit ObjectStore(Revision first = 1) : revision_(first) {}

  [[nodiscard]] Revision revision() const { return revision_; }
  /// States older than this can no longer be read. 0 if nothing was compacted.
  [[nodiscard]] Revision compacted() const { return compacted_; }
  /// The estimated size of all versions of all objects.
  [[nodiscard]] std::size_t bytes() const { return bytes_; }

  /// Creates or overwrites, and stamps the new revision on the object. Takes the next revision.
  const Change& put(const api::GroupVersionResource& resource, std::shared_ptr<api::Object> object,
                    runtime::TimePoint now);
  /// The same for callers that know the object's key.
  const Change& put(const api::GroupVersionResource& resource, std::string key,
                    std::shared_ptr<api::Object> object, runtime::TimePoint now);
  /// Deletes an object, which must exist. Takes the next revision.
  const Change& remove(const api::GroupVersionResource& resource, const std::string& key,
                       runtime::TimePoint now);
  /// Drops all states older than `revision`, which is clamped to the known range.
  void compact(Revision revision);
  /// Puts back an earlier state with its old revision, like a restore from a backup. Later writes
  /// are gone without a change in the log, and revisions will be used a second time.
  void restore(Revision revision);

  /// The newest version; null if there is none.
  [[nodiscard]] api::ObjectPtr get(const api::GroupVersionResource& resource,
                                   const std::string& key) const;
  /// Calls `visit` for the objects in the range as of `revision`, in key order, until it returns
  /// false. The revision must be neither compacted nor in the future.
  void visit(const api::GroupVersionResource& resource, const Range& range, Revision revision,
             const std::function<bool(const std::string& key, const api::ObjectPtr&)>& visit) const;
  /// The collections that have, or have had, objects.
  [[nodiscard]] std::vector<api::GroupVersionResource> resources() const;
  /// All changes that are not compacted, oldest first.
  [[nodiscard]] const std::deque<Change>& log() const { return log_; }
  /// The position in the log of the first change with a revision greater than `after`.
  [[nodiscard]] std::size_t log_position_after(Revision after) const;

 private:
  struct Version {
    Revision revision = 0;
    api::ObjectPtr object;  // null: deleted at that revision
  };
  using Versions = boost::container::small_vector<Version, 2>;  // oldest first; usually few
  struct Collection {
    api::GroupVersionResource resource;
    std::map<std::string, Versions> objects;
  };

  [[nodiscard]] const Collection* find(const api::GroupVersionResource& resource) const;
  Collection& find_or_add(const api::GroupVersionResource& resource);
  static api::ObjectPtr at(const Versions& versions, Revision revision);
  bool drop_before(Versions& versions, Revision revision);  // true if none is left
  const Change& commit(Change change);
  void enter(const Change& change, Versions& versions);

  Revision revision_;
  Revision compacted_ = 0;
  std::size_t bytes_ = 0;
  /// In the order of their first writes. There are few, and to ask each takes a fourth of what a
  /// tree takes, which puts three texts in order at each step (2.3 % of a small story).
  std::list<Collection> collections_;
  std::deque<Change> log_;
};

}  // namespace watchlab::sim
