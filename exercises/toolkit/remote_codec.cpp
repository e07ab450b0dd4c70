#include "exercises/toolkit/remote_codec.hpp"

#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cerrno>
#include <cstring>
#include <map>
#include <utility>

namespace watchlab::course {
namespace {

constexpr std::uint32_t kMessageBytesMax = 16U << 20U;
/// What is sent at once arrives at once, and whatever does not fit where it is read is lost.
constexpr std::size_t kPacketBytesMax = 16 * 1024;

/// What a `std::source_location` points at, in every compiler that we build with. There is no other
/// way to make one for a line of another program, and the library's lines are what a student has
/// to see.
struct Place {
  const char* file;
  const char* function;
  unsigned line;
  unsigned column;
};
static_assert(sizeof(runtime::Location) == sizeof(const Place*));

using Places = std::map<std::pair<std::string, std::uint64_t>, Place>;

Places& places_read() {
  static Places places;
  return places;
}

}  // namespace

void write_location(ByteWriter& writer, runtime::Location here) {
  writer.text(here.file_name());
  writer.number(here.line());
}

runtime::Location read_location(ByteReader& reader) {
  const std::string_view file = reader.text();
  const auto [found, added] = places_read().try_emplace({std::string(file), reader.number()});
  if (added) {
    const auto& [name, line] = found->first;
    found->second = {name.c_str(), "", static_cast<unsigned>(line), 0};
  }
  return std::bit_cast<runtime::Location>(static_cast<const Place*>(&found->second));
}

std::vector<std::string_view> sources_read() {
  std::vector<std::string_view> sources;
  for (const auto& [place, ignored] : places_read()) {
    if (sources.empty() || sources.back() != place.first) {
      sources.emplace_back(place.first);
    }
  }
  return sources;
}

void MessageStream::send_later(std::string_view message) {
  const auto size = static_cast<std::uint32_t>(message.size());
  std::array<char, sizeof size> head{};
  std::memcpy(head.data(), &size, sizeof size);
  unsent_.append(head.data(), head.size());
  unsent_ += message;
}

bool MessageStream::send(std::string_view message) {
  send_later(message);
  const std::string bytes = std::exchange(unsent_, {});
  for (std::string_view rest = bytes; !rest.empty();) {
    const std::size_t size = std::min(rest.size(), kPacketBytesMax);
    const ssize_t sent = ::send(connection_, rest.data(), size, MSG_NOSIGNAL);
    if (sent < 0 && errno != EINTR) {
      return false;
    }
    rest.remove_prefix(sent < 0 ? 0 : static_cast<std::size_t>(sent));
  }
  return true;
}

/// Waits until so many bytes have arrived.
bool MessageStream::has(std::size_t size) {
  std::array<char, kPacketBytesMax> buffer;
  while (unread_.size() < size) {
    const ssize_t got = ::read(connection_, buffer.data(), buffer.size());
    if (got > 0) {
      unread_.append(buffer.data(), static_cast<std::size_t>(got));
    } else if (got == 0 || errno != EINTR) {
      return false;
    }
  }
  return true;
}

bool MessageStream::receive(std::string& message) {
  std::uint32_t size = 0;
  if (!has(sizeof size)) {
    return false;
  }
  std::memcpy(&size, unread_.data(), sizeof size);
  if (size > kMessageBytesMax) {
    throw BrokenProtocol("a message is too long");
  }
  if (!has(sizeof size + size)) {
    return false;
  }
  message.assign(unread_, sizeof size, size);
  unread_.erase(0, sizeof size + size);
  return true;
}

}  // namespace watchlab::course
