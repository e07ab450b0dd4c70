#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/runtime/ensure.hpp"

/// How values travel between the process that judges a library and the process that runs it.
namespace watchlab::course {

/// The other process sent what the protocol does not allow. A library that causes it is broken, and
/// the case at hand fails.
class BrokenProtocol : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Puts values behind each other. Numbers take as many bytes as they need, seven bits in each.
class ByteWriter {
 public:
  void number(std::uint64_t value) {
    for (; value >= 0x80; value >>= 7U) {
      bytes_ += static_cast<char>(value | 0x80U);
    }
    bytes_ += static_cast<char>(value);
  }
  void text(std::string_view text) {
    number(text.size());
    bytes_ += text;
  }
  [[nodiscard]] const std::string& bytes() const { return bytes_; }
  [[nodiscard]] std::string take() { return std::move(bytes_); }

 private:
  std::string bytes_;
};

/// Takes values out again, in the same order. Throws `BrokenProtocol` where they end too early; a
/// hostile sender achieves nothing else.
class ByteReader {
 public:
  explicit ByteReader(std::string_view bytes) : rest_(bytes) {}

  std::uint64_t number() {
    std::uint64_t value = 0;
    for (unsigned shift = 0; shift < 64; shift += 7) {
      const auto byte = static_cast<unsigned char>(take(1).front());
      value |= std::uint64_t{byte & 0x7FU} << shift;
      if (byte < 0x80) {
        return value;
      }
    }
    throw BrokenProtocol("a number has no end");
  }
  /// A number below `limit`.
  std::uint64_t number_below(std::uint64_t limit) {
    const std::uint64_t value = number();
    if (value >= limit) {
      throw BrokenProtocol("a number is out of range");
    }
    return value;
  }
  /// Valid as long as the bytes are.
  std::string_view text() { return take(number()); }
  [[nodiscard]] bool at_end() const { return rest_.empty(); }

 private:
  std::string_view take(std::uint64_t size) {
    if (size > rest_.size()) {
      throw BrokenProtocol("a message ends too early");
    }
    const std::string_view taken = rest_.substr(0, size);
    rest_.remove_prefix(size);
    return taken;
  }

  std::string_view rest_;
};

void write_location(ByteWriter& writer, runtime::Location here);
/// The place in the other program's source, for display like any other. It stays valid for good.
[[nodiscard]] runtime::Location read_location(ByteReader& reader);
/// The sources, as the other program calls them, of all places that were read.
[[nodiscard]] std::vector<std::string_view> sources_read();

/// What keeps messages apart on a stream of bytes.
class MessageStream {
 public:
  explicit MessageStream(int connection) : connection_(connection) {}

  /// Sends one message, whole; false when the other end is closed.
  [[nodiscard]] bool send(std::string_view message);
  /// Sends it together with the next one.
  void send_later(std::string_view message);
  /// Waits for one message. False when the other end is closed. Throws `BrokenProtocol` for one
  /// that is longer than any true message.
  [[nodiscard]] bool receive(std::string& message);

 private:
  [[nodiscard]] bool has(std::size_t size);

  int connection_;
  std::string unsent_;
  std::string unread_;  ///< what has arrived and was not asked for yet
};

}  // namespace watchlab::course
