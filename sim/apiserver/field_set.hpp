#pragma once

#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace watchlab::sim {

/// The way to a field of an object, in the words of `metadata.managedFields`: `f:spec` for a
/// member, `k:{"name":"web"}` for the element of a list that has this key, `v:"x"` for the element
/// of a set.
using FieldPath = std::vector<std::string>;

/// ".spec.containers[name=\"web\"].image": a path as messages of the server write it.
[[nodiscard]] std::string path_text(const FieldPath& path);

/// Fields of an object that belong together: those that one writer owns, or that a write has
/// changed. A field is a value without structure (a string, a list that is replaced as a whole, an
/// empty object), or an element of a list that is merged by keys; objects that hold fields are none
/// themselves. Mirrors structured-merge-diff fieldpath, Set.
class FieldSet {
 public:
  FieldSet() = default;
  /// Reads the FieldsV1 form; what has another shape is passed over.
  [[nodiscard]] static FieldSet from_json(std::string_view text);
  /// The FieldsV1 form: objects within objects, `{}` for a field, "." for one that has fields
  /// below it. Equal sets give equal text.
  [[nodiscard]] std::string to_json() const;

  void insert(FieldPath path) { paths_.insert(std::move(path)); }
  [[nodiscard]] bool empty() const { return paths_.empty(); }
  [[nodiscard]] bool contains(const FieldPath& path) const { return paths_.contains(path); }
  /// Whether the path itself or anything below it is in the set.
  [[nodiscard]] bool reaches(const FieldPath& path) const;
  /// In the order of the steps, each field before what is below it.
  [[nodiscard]] const std::set<FieldPath>& paths() const { return paths_; }

  void add(const FieldSet& other);
  void subtract(const FieldSet& other);
  [[nodiscard]] FieldSet shared_with(const FieldSet& other) const;

  bool operator==(const FieldSet&) const = default;

 private:
  std::set<FieldPath> paths_;
};

}  // namespace watchlab::sim
