#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <string_view>

namespace boost::json {
class array;
class value;
}  // namespace boost::json

namespace watchlab::sim {

/// Where the elements of a list stand, by the value of their key, or without a key by all that they
/// are. An element that has no key is nowhere.
class ElementIndex {
 public:
  explicit ElementIndex(std::optional<std::string_view> key) : key_(key) {}
  ElementIndex(const boost::json::array& list, std::optional<std::string_view> key);

  /// The first of equal elements keeps its place.
  void add(const boost::json::value& element, std::size_t place);
  [[nodiscard]] std::optional<std::size_t> find(const boost::json::value& element) const;
  [[nodiscard]] bool contains(const boost::json::value& element) const {
    return find(element).has_value();
  }

 private:
  [[nodiscard]] const boost::json::value* identity_of(const boost::json::value& element) const;

  std::optional<std::string_view> key_;
  std::map<std::string, std::size_t> places_;
};

}  // namespace watchlab::sim
