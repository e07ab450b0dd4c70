#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

namespace watchlab::api {

/// Appends `text` as a JSON string, with quotes and escapes. For core and sim only.
void append_json_string(std::string& out, std::string_view text);

/// Appends a JSON array of what `append_one` appends for each of the values.
template <typename Values, typename AppendOne>
void append_json_array(std::string& out, const Values& values, AppendOne append_one) {
  std::string_view separator = "[";
  for (const auto& value : values) {
    out += std::exchange(separator, ",");
    append_one(value);
  }
  out.append(values.empty() ? "[]" : "]");
}

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
