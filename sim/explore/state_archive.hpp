#pragma once

#include <array>
#include <cstddef>
#include <cstring>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace watchlab::sim {

/// Writes numbers, plain structures and vectors of them as hexadecimal digits, for the same build
/// to read with `StateReader`. Whatever has such state names its parts once, in a `visit(archive)`
/// that serves both.
class StateWriter {
 public:
  static constexpr bool kReads = false;

  template <typename Value>
  void operator()(Value& value) {
    static_assert(std::is_trivially_copyable_v<Value>);
    std::array<unsigned char, sizeof(Value)> bytes;
    std::memcpy(bytes.data(), &value, sizeof(Value));
    for (const unsigned char byte : bytes) {
      text_ += "0123456789abcdef"[byte >> 4U];
      text_ += "0123456789abcdef"[byte & 15U];
    }
  }
  template <typename Value>
  void operator()(std::vector<Value>& values) {
    std::size_t count = values.size();
    (*this)(count);
    for (Value& value : values) {
      (*this)(value);
    }
  }
  [[nodiscard]] const std::string& text() const { return text_; }

 private:
  std::string text_;
};

/// Reads what `StateWriter` wrote. Throws `std::invalid_argument` when there is too little or
/// something else.
class StateReader {
 public:
  static constexpr bool kReads = true;

  explicit StateReader(std::string_view text) : text_(text) {}

  template <typename Value>
  void operator()(Value& value) {
    static_assert(std::is_trivially_copyable_v<Value>);
    std::array<unsigned char, sizeof(Value)> bytes;
    for (unsigned char& byte : bytes) {
      byte = static_cast<unsigned char>(digit() << 4U);
      byte = static_cast<unsigned char>(byte | digit());
    }
    std::memcpy(&value, bytes.data(), sizeof(Value));
  }
  template <typename Value>
  void operator()(std::vector<Value>& values) {
    std::size_t count = 0;
    (*this)(count);
    if (count > text_.size()) {
      report_error();
    }
    values.assign(count, Value{});
    for (Value& value : values) {
      (*this)(value);
    }
  }
  [[nodiscard]] bool at_end() const { return text_.empty(); }

 private:
  [[noreturn]] static void report_error() {
    throw std::invalid_argument("this is not the state of a search by this build");
  }
  unsigned digit() {
    const std::size_t value = text_.empty()
                                  ? std::string_view::npos
                                  : std::string_view("0123456789abcdef").find(text_.front());
    if (value == std::string_view::npos) {
      report_error();
    }
    text_.remove_prefix(1);
    return static_cast<unsigned>(value);
  }

  std::string_view text_;
};

}  // namespace watchlab::sim
