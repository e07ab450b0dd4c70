#pragma once

#include <boost/json.hpp>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace watchlab::scenarios {

/// A change of what the page shows: the names of members from the outside to the inside, then the
/// new value; null takes the member away. Objects on the way are made where they are missing.
using Patch = boost::json::array;

/// Applies a patch to a state, as the page's script does.
void apply_patch(boost::json::object& state, const Patch& patch);

/// Texts that stand once in the page, and are meant by their numbers.
class TextTable {
 public:
  std::size_t number_of(std::string_view text);
  [[nodiscard]] const boost::json::array& texts() const { return texts_; }

 private:
  boost::json::array texts_;
  std::map<std::string, std::size_t, std::less<>> numbers_;
};

/// Something that happened in a story, in words, and what it changed.
struct PageEvent {
  std::size_t step = 0;  ///< that it follows
  std::int64_t at = 0;   ///< nanoseconds of virtual time since the start
  std::string task;      ///< by its path; "" for none
  std::string lane;      ///< "server", "wire", "reflector", "queue", "cache", "handlers", …
  std::string client;    ///< "" for none
  std::vector<std::size_t> keys;
  std::string text;
  std::vector<Patch> patches;
  std::optional<std::size_t> note{};  ///< the number of the note that it was made of
};

/// The events of a run in their order, with the state that they lead to.
class EventLog {
 public:
  explicit EventLog(boost::json::object base) : state_(std::move(base)) {}

  /// A new event at the end. The reference is good until the next one.
  PageEvent& add(PageEvent event);
  /// Changes the state, as a part of that event.
  void set(PageEvent& event, std::initializer_list<boost::json::value_ref> path_and_value);

  TextTable& keys() { return keys_; }
  /// The number of a key as a member's name.
  [[nodiscard]] std::string key_name(std::string_view key) {
    return std::to_string(keys_.number_of(key));
  }
  [[nodiscard]] const boost::json::object& state() const { return state_; }
  [[nodiscard]] std::vector<PageEvent>& events() { return events_; }

 private:
  boost::json::object state_;
  TextTable keys_;
  std::vector<PageEvent> events_;
};

/// A key or a name as it stands in a sentence: what is very long is cut in its middle.
[[nodiscard]] std::string shortened(std::string_view text);

}  // namespace watchlab::scenarios
