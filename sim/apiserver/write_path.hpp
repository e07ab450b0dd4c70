#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include "sim/apiserver/object_store.hpp"
#include "sim/apiserver/request.hpp"
#include "sim/apiserver/resource_type.hpp"
#include "sim/apiserver/write_rules.hpp"

namespace watchlab::sim {

struct WritePathOptions {
  std::uint64_t seed = 1;  ///< of uids and generated names
  /// Whether a namespace begins with a finalizer in its spec, which a controller takes away.
  bool holds_namespaces = false;
  /// The size of the store beyond which writes are refused, in bytes; 0 for no limit. Deletes, and
  /// updates that remove a finalizer, are never refused for it.
  std::size_t store_max = 0;
};

/// Everything that changes the store on behalf of clients, after the rules of real servers
/// (docs/apiserver_rules.md U1 to U11): uids, timestamps, generations, conflicts, finalizers. Pure;
/// one caller at a time. The store must outlive it.
class WritePath {
 public:
  WritePath(ObjectStore& store, WritePathOptions options);

  /// Answers a request of any writing verb for a resource that is known.
  [[nodiscard]] Response handle(const Request& request, runtime::TimePoint now);
  /// The same, when it has been looked up already what the request is about.
  [[nodiscard]] Response handle(const ResourceType& type, const Request& request,
                                runtime::TimePoint now);

  /// What is done to each object that a client writes, before all rules; by default only what the
  /// schema of a custom resource asks for.
  using Completion = std::function<void(const ResourceType& type, api::Object& object)>;
  void complete_by(Completion completion) { complete_ = std::move(completion); }

  /// What refuses an object that is about to be stored, for requests that ask for it, after all
  /// rules but those about what is there already; by default, and for other requests, only the
  /// schema of a custom resource does. `before` is null for a new one.
  using Check = std::function<std::optional<api::Status>(
      const ResourceType& type, const api::Object* before, const api::Object& next)>;
  void check_by(Check check) { check_ = std::move(check); }

  void bound_store(std::size_t bytes) { options_.store_max = bytes; }
  /// Whether the store is close to that limit.
  [[nodiscard]] bool is_nearly_full() const;

  [[nodiscard]] ResourceTypes& types() { return types_; }
  [[nodiscard]] const ResourceTypes& types() const { return types_; }

 private:
  /// The answer to a write of a dry run, from a copy of the store. It costs time and memory for
  /// each key that the store has.
  [[nodiscard]] Response rehearse(const ResourceType& type, const Request& request,
                                  runtime::TimePoint now) const;
  Response act(const ResourceType& type, const Request& request, runtime::TimePoint now);
  /// The shared object, complete.
  [[nodiscard]] api::ObjectPtr completed(const ResourceType& type, api::Object object) const;
  Response create(const ResourceType& type, const Request& request, runtime::TimePoint now);
  Response update(const ResourceType& type, const Request& request, runtime::TimePoint now);
  Response patch(const ResourceType& type, const Request& request, runtime::TimePoint now);
  Response apply(const ResourceType& type, const Request& request, runtime::TimePoint now);
  /// Puts the next state of an object in its place, or removes it when it was held no longer.
  Response replace(const ResourceType& type, FreshObject next, runtime::TimePoint now);
  /// What is there, in the version that is written; null for nothing.
  [[nodiscard]] api::ObjectPtr existing_at(const ResourceType& type, const std::string& key) const;
  Response remove_collection(const ResourceType& type, const Request& request,
                             runtime::TimePoint now);
  Response remove(const ResourceType& type, const Request& request, runtime::TimePoint now);
  /// Deletes, or marks as being deleted while finalizers hold the object.
  Response remove_existing(const ResourceType& type, const api::ObjectPtr& existing,
                           const DeleteOptions& options, runtime::TimePoint now);

  [[nodiscard]] std::optional<api::Status> checked(const ResourceType& type, const Request& request,
                                                   const api::Object* before,
                                                   const api::Object& next) const;
  Response create_named(const ResourceType& type, const Request& request, runtime::TimePoint now);
  [[nodiscard]] Request with_generated_name(const ResourceType& type, const Request& request) const;
  [[nodiscard]] std::optional<api::Status> store_refuses(const api::Object& next) const;
  [[nodiscard]] std::optional<api::Status> namespace_refuses(const ResourceType& type,
                                                             const api::ObjectMeta& metadata) const;

  ObjectStore& store_;
  WritePathOptions options_;
  ResourceTypes types_;
  Completion complete_;
  Check check_;
};

}  // namespace watchlab::sim
