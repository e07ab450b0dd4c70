#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "core/api/object.hpp"
#include "core/cache/key.hpp"

namespace watchlab::exercise {

/// What a reflector writes into when a test looks on: it keeps the objects and minutes of every
/// write. For simulated worlds only: it has no lock, because no task is interrupted inside it.
class Mirror {
 public:
  Mirror() = default;
  Mirror(const Mirror&) = delete;
  Mirror& operator=(const Mirror&) = delete;
  virtual ~Mirror() = default;

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

/// A ConfigMap with that key, "namespace/name" or "name", in that state: the resource version.
[[nodiscard]] api::ObjectPtr object(std::string_view key, std::string_view resource_version = "1",
                                    api::Labels labels = {});
/// A tombstone: the object of that key is gone, and `last` is the last that was known of it.
[[nodiscard]] cache::Item tombstone(std::string_view key, api::ObjectPtr last = nullptr);

/// "namespace/name@version", or "null".
[[nodiscard]] std::string text_of(const api::ObjectPtr& object);
/// An object as above; a tombstone as "gone(namespace/name@version)".
[[nodiscard]] std::string text_of(const cache::Item& item);

}  // namespace watchlab::exercise
