#include "sim/http/duplicate_fields.hpp"

#include <algorithm>
#include <boost/json/basic_parser_impl.hpp>
#include <cstdint>
#include <optional>
#include <set>

#include "sim/apiserver/managed_fields.hpp"
#include "sim/kinds/value_place.hpp"

namespace watchlab::sim {

namespace {

namespace json = boost::json;

/// A handler for Boost.JSON's parser, which calls it for each part of a text and gives the names.
class Reader {
 public:
  using Error = boost::system::error_code;
  static constexpr std::size_t max_object_size = SIZE_MAX;  // NOLINT(readability-identifier-naming)
  static constexpr std::size_t max_array_size = SIZE_MAX;   // NOLINT(readability-identifier-naming)
  static constexpr std::size_t max_key_size = SIZE_MAX;     // NOLINT(readability-identifier-naming)
  static constexpr std::size_t max_string_size = SIZE_MAX;  // NOLINT(readability-identifier-naming)

  bool on_document_begin(Error&) { return true; }
  bool on_document_end(Error&) { return true; }
  bool on_object_begin(Error&) { return open(false); }
  bool on_object_end(std::size_t, Error&) { return close(); }
  bool on_array_begin(Error&) { return open(true); }
  bool on_array_end(std::size_t, Error&) { return close(); }
  bool on_key_part(json::string_view part, std::size_t, Error&) {
    key_.append(part.data(), part.size());
    return true;
  }
  bool on_key(json::string_view part, std::size_t, Error&) {
    key_.append(part.data(), part.size());
    Level& level = levels_.back();
    level.name = std::exchange(key_, {});
    if (!level.names.insert(level.name).second && level.again.insert(level.name).second) {
      add({}, 0);
    }
    return true;
  }
  bool on_string_part(json::string_view, std::size_t, Error&) { return true; }
  bool on_string(json::string_view, std::size_t, Error&) { return passed(); }
  bool on_number_part(json::string_view, Error&) { return true; }
  bool on_int64(std::int64_t, json::string_view, Error&) { return passed(); }
  bool on_uint64(std::uint64_t, json::string_view, Error&) { return passed(); }
  bool on_double(double, json::string_view, Error&) { return passed(); }
  bool on_bool(bool, Error&) { return passed(); }
  bool on_null(Error&) { return passed(); }
  bool on_comment_part(json::string_view, Error&) { return true; }
  bool on_comment(json::string_view, Error&) { return true; }

  [[nodiscard]] std::vector<std::string> take() { return found_.take(); }

 private:
  /// An open object or list.
  struct Level {
    bool is_list = false;
    std::size_t index = 0;
    std::string name;
    std::set<std::string> names;
    std::set<std::string> again;
  };

  bool open(bool is_list) {
    levels_.push_back({.is_list = is_list});
    return true;
  }
  bool close() {
    levels_.pop_back();
    return passed();
  }
  bool passed() {
    if (!levels_.empty() && levels_.back().is_list) {
      ++levels_.back().index;
    }
    return true;
  }
  /// Adds its path. The paths above it are on the stack.
  void add(const Place& above, std::size_t depth) {
    if (depth == levels_.size()) {
      found_.add(above);
      return;
    }
    const Level& level = levels_[depth];
    add(level.is_list ? Place(above, level.index) : Place(above, level.name), depth + 1);
  }

  std::vector<Level> levels_;
  std::string key_;
  NamedPlaces found_;
};

}  // namespace

std::vector<std::string> duplicate_fields(std::string_view text) {
  json::basic_parser<Reader> parser({.max_depth = kJsonDepthMax});
  boost::system::error_code failure;
  (void)parser.write_some(false, text.data(), text.size(), failure);
  return failure ? std::vector<std::string>() : parser.handler().take();
}

}  // namespace watchlab::sim
