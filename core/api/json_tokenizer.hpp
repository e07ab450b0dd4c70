#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/api/json_writer.hpp"
#include "core/api/result.hpp"

namespace watchlab::api {

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
  explicit JsonTokenizer(std::string_view text) : text_(text) {}

  /// The members of the object that the text is.
  [[nodiscard]] Result<std::vector<JsonMember>> members();
  /// The elements of the array that the text is.
  [[nodiscard]] Result<std::vector<std::string_view>> elements();

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
  [[nodiscard]] Error malformed(std::string_view expected) const;

  std::string_view text_;
  std::size_t place_ = 0;
};

/// Calls `read` with each of the parts until a call fails. When the text has none, because it is
/// something else, the failure says that `what` is not `expected`, or what the tokenizer says when
/// `what` is "": that is the whole text.
template <typename Part, typename Read>
Result<void> each_of(const Result<std::vector<Part>>& parts, std::string_view what,
                     std::string_view expected, Read read) {
  if (!parts) {
    return what.empty() ? parts.error() : json_mismatch(what, expected);
  }
  for (const Part& part : *parts) {
    if (Result<void> done = read(part); !done) {
      return done;
    }
  }
  return {};
}

}  // namespace watchlab::api
