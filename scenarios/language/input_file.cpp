#include "scenarios/language/input_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <stdexcept>

#include "scenarios/language/plain_text.hpp"

namespace watchlab::scenarios {
namespace {

constexpr const char* kExpectedInput = "a file";
#if defined(_WIN32)
constexpr int kReading = O_RDONLY | O_BINARY;  // each byte as it stands there
#else
constexpr int kReading = O_RDONLY | O_CLOEXEC;
#endif

UnreadableFile cannot_read(int error) {
  if (error == ENOENT || error == ENOTDIR) {
    return {"there is no such file", ""};
  }
  return {fmt::format("it cannot be read: {}", std::strerror(error)), ""};
}

UnreadableFile too_long_input(std::uintmax_t bytes, std::uintmax_t bytes_max) {
  return {fmt::format("the file has {} bytes", bytes), fmt::format("at most {}", bytes_max)};
}

/// What is wrong with what stands there, before it is opened: to open a pipe waits for its writer.
std::optional<UnreadableFile> refusal_of_input(const std::string& path, std::uintmax_t bytes_max) {
  struct stat found {};
  if (::stat(path.c_str(), &found) != 0) {
    return cannot_read(errno);
  }
  if (S_ISDIR(found.st_mode)) {
    return UnreadableFile{"this is a folder", kExpectedInput};
  }
  const bool is_handed_over = path.starts_with("/dev/") || path.starts_with("/proc/self/fd/");
  if (!S_ISREG(found.st_mode) && !(S_ISFIFO(found.st_mode) && is_handed_over)) {
    return UnreadableFile{S_ISFIFO(found.st_mode) ? "this is a pipe" : "this is a device",
                          kExpectedInput};
  }
  const auto bytes = static_cast<std::uintmax_t>(found.st_size);
  return S_ISREG(found.st_mode) && bytes > bytes_max
             ? std::optional(too_long_input(bytes, bytes_max))
             : std::nullopt;
}

}  // namespace

std::optional<UnreadableFile> read_input(const std::string& path, std::string& text,
                                         std::uintmax_t bytes_max) {
  if (auto refusal = refusal_of_input(path, bytes_max)) {
    return refusal;
  }
  const int descriptor = ::open(path.c_str(), kReading);
  if (descriptor < 0) {
    return cannot_read(errno);
  }
  std::array<char, 65536> chunk;
  std::optional<UnreadableFile> wrong;
  while (!wrong) {
    const ssize_t size = ::read(descriptor, chunk.data(), chunk.size());
    if (size == 0) {
      break;
    }
    if (size > 0) {
      text.append(chunk.data(), static_cast<std::size_t>(size));
    } else if (errno != EINTR) {
      wrong = cannot_read(errno);
    }
    wrong = text.size() > bytes_max ? std::optional(too_long_input(text.size(), bytes_max)) : wrong;
  }
  ::close(descriptor);
  return wrong;
}

std::string describe(const std::string& path, const UnreadableFile& wrong) {
  return fmt::format("{}: {}{}{}", visible_line(path), wrong.what,
                     wrong.expected.empty() ? "" : "; expected ", wrong.expected);
}

std::string read_input(const std::string& path) {
  std::string text;
  if (const std::optional<UnreadableFile> wrong = read_input(path, text)) {
    throw std::invalid_argument(describe(path, *wrong));
  }
  return text;
}

}  // namespace watchlab::scenarios
