#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

#include "core/api/result.hpp"

namespace watchlab::api {

/// Appends `text` as a JSON string, with quotes and escapes. For core and sim only.
void append_json_string(std::string& out, std::string_view text);

/// The text of a JSON string; `what` names it in the failure when the value is no string. A null
/// reads as "", as it does in Go. For core only.
[[nodiscard]] Result<std::string> json_string_value(std::string_view value, std::string_view what);

/// The failure of a member that is not what it should be.
[[nodiscard]] Error json_mismatch(std::string_view what, std::string_view expected);

/// Writes the members of one JSON object, with commas between; `finish` closes it. Writers nest:
/// after `start`, whatever is appended to the same text is the member's value. Private to this
/// folder.
class JsonMemberWriter {
 public:
  explicit JsonMemberWriter(std::string& out) : out_(out) { out_ += '{'; }

  /// A member whose value is JSON text already.
  void raw(std::string_view key, std::string_view value) {
    start(key);
    out_ += value;
  }
  /// A member with a string, left out when that is empty.
  void text(std::string_view key, std::string_view value) {
    if (!value.empty()) {
      start(key);
      append_json_string(out_, value);
    }
  }
  void number(std::string_view key, std::int64_t value) { raw(key, std::to_string(value)); }
  /// All members of an object that is JSON text already; "" has none. It is a bug when it is
  /// something else.
  void members_of(std::string_view object);
  /// The key of a member whose value comes next.
  void start(std::string_view key) {
    separate();
    append_json_string(out_, key);
    out_ += ':';
  }
  void finish() { out_ += '}'; }

 private:
  void separate() {
    if (!std::exchange(first_, false)) {
      out_ += ',';
    }
  }

  std::string& out_;
  bool first_ = true;
};

}  // namespace watchlab::api
