#pragma once

#include <charconv>
#include <concepts>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "core/api/result.hpp"

namespace watchlab::api {

/// A text is not the JSON that is to be read. Thrown by what reads pieces, for core only; no
/// function of json.hpp lets it out.
class NotDecoded : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
  /// For a member that is not what it should be.
  NotDecoded(std::string_view what, std::string_view expected)
      : NotDecoded(std::string(what).append(" is not ").append(expected)) {}
};

/// What `read` gives; `NotDecoded` is a failure of `ErrorKind::Decode`.
template <typename Read>
[[nodiscard]] auto decoded(Read read) -> Result<decltype(read())> {
  try {
    return read();
  } catch (const NotDecoded& failure) {
    return Error{.kind = ErrorKind::Decode, .message = failure.what()};
  }
}

/// A member of a JSON object: pieces of the text it was cut from.
struct JsonMember {
  std::string_view key;    ///< between the quotes, escapes as written
  std::string_view value;  ///< without white space around it
};

/// Cuts the text of one JSON object or array into its parts without building a tree: an object's
/// body stays text anyway, and of its metadata only the strings are needed. Checks the whole text
/// against RFC 8259, save that it lets invalid UTF-8 pass. The pieces are good as long as the text.
/// For core only.
class JsonTokenizer {
 public:
  /// `what` names a text that is a member's value, for the failure; "" for a whole text.
  explicit JsonTokenizer(std::string_view text, std::string_view what = "")
      : text_(text), what_(what) {}

  /// The members of the object that the text is.
  [[nodiscard]] std::vector<JsonMember> members(std::string_view expected = "an object");
  /// The elements of the array that the text is.
  [[nodiscard]] std::vector<std::string_view> elements(std::string_view expected = "an array");

 private:
  [[nodiscard]] bool skip_value(int depth);
  [[nodiscard]] bool skip_object(int depth, std::vector<JsonMember>* members);
  [[nodiscard]] bool skip_array(int depth, std::vector<std::string_view>* elements);
  [[nodiscard]] bool skip_string();
  /// Skips what is plain inside of a string, eight bytes at a time; may stop short of its end.
  void skip_plain_bytes();
  [[nodiscard]] bool skip_escape();
  [[nodiscard]] bool skip_number();
  [[nodiscard]] bool skip_digits();
  [[nodiscard]] bool skip_word(std::string_view word);
  /// Skips white space, then says whether this sign comes; takes it if so.
  [[nodiscard]] bool take(char sign);
  void skip_space();
  [[nodiscard]] bool at_end() const { return place_ == text_.size(); }
  [[nodiscard]] char sign() const { return at_end() ? '\0' : text_[place_]; }
  /// Throws unless the text was read to its end. `expected` is what a member shall be.
  void check_read(bool is_read, std::string_view begins_with, std::string_view expected);

  std::string_view text_;
  std::string_view what_;
  std::size_t place_ = 0;
};

/// The text of a JSON string; `what` names it in the failure. A null reads as "", as it does in Go.
[[nodiscard]] std::string json_text(std::string_view value, std::string_view what);

template <std::signed_integral Number>
void read_json_number(Number& into, std::string_view value, std::string_view what) {
  const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), into);
  if (error != std::errc() || end != value.data() + value.size()) {
    throw NotDecoded(what, "a whole number of " + std::to_string(8 * sizeof into) + " bits");
  }
}

}  // namespace watchlab::api
