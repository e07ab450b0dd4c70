#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace watchlab::sim {

/// A place in an object, as steps on the stack of who goes there: written out only when asked, for
/// names may be long and elements many.
class Place {
 public:
  Place() = default;
  /// A member. Real servers write the dot of one that no schema names also at the beginning.
  Place(const Place& above, std::string_view name, bool is_named = true)
      : above_(&above), name_(name), is_named_(is_named) {}
  /// An element.
  Place(const Place& above, std::size_t index) : above_(&above), index_(index) {}
  /// A path in front of all.
  explicit Place(std::string_view path) : name_(path) {}

  /// The object itself.
  [[nodiscard]] bool is_root() const { return above_ == nullptr && name_.empty(); }
  /// "spec.list[2].name".
  [[nodiscard]] std::string text() const;

 private:
  const Place* above_ = nullptr;
  std::string_view name_;
  std::optional<std::size_t> index_;
  bool is_named_ = true;
};

/// The paths of places; of many only the first, as nobody reads all and they may be long.
class NamedPlaces {
 public:
  void add(const Place& place);
  [[nodiscard]] std::vector<std::string> take() { return std::move(paths_); }

 private:
  std::vector<std::string> paths_;
  std::size_t length_ = 0;
};

}  // namespace watchlab::sim
