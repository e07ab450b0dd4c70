#pragma once

#include <memory>
#include <string>
#include <utility>

#include "core/api/object.hpp"
#include "core/api/result.hpp"
#include "core/runtime/atomic.hpp"
#include "core/runtime/runtime.hpp"

namespace watchlab::cache {

/// An informer's identity for its metrics: the name of its program's informers and a resource. A
/// cheap handle. Mirrors client-go 0.36 tools/cache/identity.go, InformerNameAndResource.
class InformerIdentity {
 public:
  /// An identity for which nothing is reserved or published.
  InformerIdentity() = default;

  /// "" if the informer has none.
  [[nodiscard]] const std::string& name() const { return name_; }
  [[nodiscard]] const api::GroupVersionResource& resource() const { return resource_; }
  /// Whether this one may publish: it is the first with its name and resource, and the name has not
  /// been released. Any task may call it for every update.
  [[nodiscard]] bool reserved() const { return reserved_ != nullptr && reserved_->load(); }

 private:
  friend class InformerName;
  InformerIdentity(std::string name, api::GroupVersionResource resource,
                   std::shared_ptr<runtime::Atomic<bool>> reserved)
      : name_(std::move(name)), resource_(std::move(resource)), reserved_(std::move(reserved)) {}

  std::string name_;
  api::GroupVersionResource resource_;
  std::shared_ptr<runtime::Atomic<bool>> reserved_;
};

/// A name shared by the informers of one program, or of a part of it. A cheap handle; any task may
/// call any function. Mirrors client-go 0.36 tools/cache/identity.go, InformerName.
class InformerName {
 public:
  /// No name, like a null pointer in the original: its identities have a resource and are never
  /// reserved.
  InformerName() = default;

  [[nodiscard]] const std::string& text() const;
  /// The identity of the informer for this resource. Only the first one requested is reserved; a
  /// later one is logged and publishes nothing. After `release` none is reserved.
  [[nodiscard]] InformerIdentity with_resource(const api::GroupVersionResource& resource) const;
  /// Ends all reservations of its identities, and the name may be taken again. Idempotent. Differs
  /// from client-go: a second release, after somebody else has taken the name, does not free it.
  void release() const;

 private:
  friend class InformerNames;
  struct Registered;
  explicit InformerName(std::shared_ptr<Registered> registered)
      : registered_(std::move(registered)) {}

  std::shared_ptr<Registered> registered_;
};

/// Which names are taken. Differs from client-go: a value that is passed in, where the original has
/// one per process. Any task may call any function; what it returned may outlive it.
class InformerNames {
 public:
  explicit InformerNames(runtime::Runtime& runtime);

  /// Takes the name. An error if it is "" or taken. Mirrors client-go 0.36 NewInformerName.
  [[nodiscard]] api::Result<InformerName> take(const std::string& name);

 private:
  friend class InformerName;
  struct State;
  std::shared_ptr<State> state_;
};

}  // namespace watchlab::cache
