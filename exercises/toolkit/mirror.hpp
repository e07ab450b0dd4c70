#pragma once

#include <map>
#include <string>
#include <vector>

#include "core/api/object.hpp"
#include "core/runtime/interface.hpp"

namespace watchlab::exercise {

/// The store of a reflector in a test: it keeps the objects and a record of every write. For
/// simulated worlds only: it has no lock, because no task is interrupted inside it.
class Mirror : public runtime::Interface {
 public:
  /// Adds the object, or replaces its state.
  virtual void put(const api::ObjectPtr& object);
  /// Does nothing when there is none.
  virtual void remove(const api::ObjectPtr& object);
  /// Exactly these objects remain.
  virtual void replace(const std::vector<api::ObjectPtr>& objects);

  /// "default/a@3 default/b@4": what it holds, by key.
  [[nodiscard]] std::string contents() const;
  /// The versions of that object that were put, in order, repetitions too.
  [[nodiscard]] std::vector<std::string> versions_of(const std::string& key) const;

 private:
  void note(const api::ObjectPtr& object);

  std::map<std::string, api::ObjectPtr> objects_;
  std::map<std::string, std::vector<std::string>> versions_;
};

}  // namespace watchlab::exercise
