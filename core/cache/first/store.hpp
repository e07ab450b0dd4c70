#pragma once

#include <string>
#include <vector>

#include "core/api/object.hpp"
#include "core/runtime/interface.hpp"

/// The list-watch cache as it was first written in 2014 (Kubernetes pull request 758): a store, a
/// queue and a reflector, on two pages. Everything in `core/cache` grew out of these three. Read
/// them first; each lists what it cannot do, and which later piece can.
namespace watchlab::cache::first {

/// Objects by id. Any task may call any function.
///
/// What it cannot do: take a whole list in one step (later: `ReflectorStore::replace`), compute the
/// id itself, so that two callers cannot disagree about it (later: `KeyFunction`), or find objects
/// by anything but their id (later: `Indexer`).
class Store : public runtime::Interface {
 public:
  /// Stores the object under this id and replaces what was there.
  virtual void add(const std::string& id, const api::ObjectPtr& object) = 0;
  /// The same as `add`.
  virtual void update(const std::string& id, const api::ObjectPtr& object) = 0;
  /// Does nothing if there is none.
  virtual void remove(const std::string& id) = 0;
  /// In unspecified order.
  [[nodiscard]] virtual std::vector<api::ObjectPtr> list() const = 0;
  /// Null if there is none.
  [[nodiscard]] virtual api::ObjectPtr get(const std::string& id) const = 0;
};

}  // namespace watchlab::cache::first
