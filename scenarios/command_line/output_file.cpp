#include "scenarios/command_line/output_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <charconv>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <initializer_list>
#include <stdexcept>
#include <system_error>
#include <utility>

#include "scenarios/language/input_file.hpp"

namespace watchlab::scenarios {

std::string problem_with(std::string_view path, int failure) {
  return failure == 0 ? ""
                      : fmt::format("{}: cannot be written: {}",
                                    path == "-" ? "standard output" : path, std::strerror(failure));
}

std::string make_temporary_folder(const std::string& name) {
  const char* const named = std::getenv("TMPDIR");
  const std::string place = named == nullptr || *named == '\0' ? "/tmp" : named;
  std::string path = fmt::format("{}/{}-XXXXXX", place, name);
  if (::mkdtemp(path.data()) == nullptr) {
    throw std::runtime_error(
        fmt::format("{}: there can be no temporary folder: {}; TMPDIR names a place for it", place,
                    std::strerror(errno)));
  }
  return path;
}

namespace {

/// The descriptor that is meant by "-" or a name such as /dev/stdout; -1 for none. Opened by that
/// name, a file that output is redirected to would be written from its beginning.
int own_descriptor(std::string_view path) {
  for (const auto& [name, descriptor] :
       {std::pair{std::string_view("-"), STDOUT_FILENO},
        std::pair{std::string_view("/dev/stdout"), STDOUT_FILENO},
        std::pair{std::string_view("/dev/stderr"), STDERR_FILENO}}) {
    if (path == name) {
      return descriptor;
    }
  }
  for (const std::string_view folder : {"/dev/fd/", "/proc/self/fd/"}) {
    int descriptor = -1;
    if (path.starts_with(folder)) {
      const char* const end = path.data() + path.size();
      const auto read = std::from_chars(path.data() + folder.size(), end, descriptor);
      return read.ec == std::errc() && read.ptr == end ? descriptor : -1;
    }
  }
  return -1;
}

/// Writes all of it, however little is taken at a time. Returns the error; 0 for none.
int put_all(int descriptor, std::string_view text) {
  while (!text.empty()) {
    const ssize_t size = ::write(descriptor, text.data(), text.size());
    if (size >= 0) {
      text.remove_prefix(static_cast<std::size_t>(size));
    } else if (errno != EINTR) {
      return errno;
    }
  }
  return 0;
}

/// Writes into what the path leads to: a device, a pipe, the file behind a link.
int write_through(const std::string& path, std::string_view text) {
  const int descriptor = ::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  if (descriptor < 0) {
    return errno;
  }
  const int failure = put_all(descriptor, text);
  return ::close(descriptor) != 0 && failure == 0 ? errno : failure;
}

/// What a file gets that is new; the mask of the process can only be read by setting it.
mode_t new_file_mode() {
  const mode_t mask = ::umask(077);
  ::umask(mask);
  return 0666U & ~mask;
}

/// Signals that would end the program wait while this lives, so that no part of a file is left.
class SignalsLater {
 public:
  SignalsLater() {
    sigset_t ends{};
    sigemptyset(&ends);
    for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
      sigaddset(&ends, signal);
    }
    pthread_sigmask(SIG_BLOCK, &ends, &before_);
  }
  SignalsLater(const SignalsLater&) = delete;
  SignalsLater& operator=(const SignalsLater&) = delete;
  ~SignalsLater() { pthread_sigmask(SIG_SETMASK, &before_, nullptr); }

 private:
  sigset_t before_{};
};

enum class Sync : bool { No, Yes };

/// What was renamed in a folder arrives on the disk.
void sync_folder_of(const std::string& path) {
  const std::size_t slash = path.rfind('/');
  const std::string folder = slash == std::string::npos ? "." : path.substr(0, slash + 1);
  const int descriptor = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (descriptor >= 0) {
    ::fsync(descriptor);
    ::close(descriptor);
  }
}

/// Writes a file beside it with that mode, and puts it in its place.
int replace(const std::string& path, std::string_view text, mode_t mode, Sync sync) {
  const SignalsLater later;
  const std::string temporary = fmt::format("{}.{}.part", path, getpid());
  const int descriptor =
      ::open(temporary.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC, 0600);
  if (descriptor < 0) {
    return errno;
  }
  int failure = put_all(descriptor, text);
  if (failure == 0 && ::fchmod(descriptor, mode) != 0) {
    failure = errno;
  }
  if (failure == 0 && sync == Sync::Yes && ::fsync(descriptor) != 0) {
    failure = errno;
  }
  if (::close(descriptor) != 0 && failure == 0) {
    failure = errno;
  }
  if (failure == 0 && ::rename(temporary.c_str(), path.c_str()) != 0) {
    failure = errno;
  }
  if (failure != 0) {
    ::unlink(temporary.c_str());
  } else if (sync == Sync::Yes) {
    sync_folder_of(path);
  }
  return failure;
}

}  // namespace

std::string behind_links(const std::string& path) {
  constexpr int kLinksMax = 40;  // as many as the system follows
  std::error_code failure;
  std::filesystem::path at = path;
  for (int i = 0; i < kLinksMax && std::filesystem::is_symlink(at, failure); ++i) {
    at = at.parent_path() / std::filesystem::read_symlink(at, failure);
  }
  return at.string();
}

namespace {

/// What a name that the program has chosen leads to, and nobody has looked at: nothing but a
/// regular file is written to.
std::string write_in_place_of(const std::string& path, std::string_view text, Sync sync) {
  struct stat found {};
  const bool is_regular = ::lstat(path.c_str(), &found) == 0 && S_ISREG(found.st_mode);
  return problem_with(
      path, replace(path, text, is_regular ? found.st_mode & 07777U : new_file_mode(), sync));
}

std::string write_to(const std::string& path, std::string_view text, Sync sync) {
  if (const int descriptor = own_descriptor(path); descriptor >= 0) {
    std::fflush(nullptr);  // what was printed before stands before
    return problem_with(path, put_all(descriptor, text));
  }
  const std::string target = behind_links(path);
  struct stat found {};
  if (::lstat(target.c_str(), &found) != 0) {
    return problem_with(path, replace(target, text, new_file_mode(), sync));
  }
  if (!S_ISREG(found.st_mode)) {
    return problem_with(path, write_through(target, text));
  }
  // A rename asks for no right to the file that it takes the place of.
  if (::faccessat(AT_FDCWD, target.c_str(), W_OK, AT_EACCESS) != 0) {
    return problem_with(path, errno);
  }
  return problem_with(path, replace(target, text, found.st_mode & 07777U, sync));
}

}  // namespace

std::optional<std::string> read_file(const std::string& path) {
  std::string text;
  return read_input(path, text) ? std::nullopt : std::optional(std::move(text));
}

std::string write_problem(const std::string& path) {
  if (own_descriptor(path) >= 0) {
    return "";
  }
  const std::string target = behind_links(path);
  struct stat found {};
  const bool is_there = ::stat(target.c_str(), &found) == 0;
  if (!is_there && errno == ELOOP) {
    return problem_with(path, errno);
  }
  if (is_there && S_ISDIR(found.st_mode)) {
    return problem_with(path, EISDIR);
  }
  if (is_there && ::faccessat(AT_FDCWD, target.c_str(), W_OK, AT_EACCESS) != 0) {
    return problem_with(path, errno);
  }
  if (is_there && !S_ISREG(found.st_mode)) {
    return "";
  }
  // A file that is new, and the temporary one beside one that is there, take a right to the folder.
  const std::string folder = std::filesystem::path(target).parent_path().string();
  const char* const where = folder.empty() ? "." : folder.c_str();
  if (::stat(where, &found) != 0) {
    return fmt::format("{}; there is no folder {}", problem_with(path, errno), where);
  }
  if (!S_ISDIR(found.st_mode)) {
    return problem_with(path, ENOTDIR);
  }
  return problem_with(path, ::faccessat(AT_FDCWD, where, W_OK | X_OK, AT_EACCESS) == 0 ? 0 : errno);
}

std::string write_file(const std::string& path, std::string_view text) {
  return write_to(path, text, Sync::No);
}

std::string write_own_file(const std::string& path, std::string_view text) {
  return write_in_place_of(path, text, Sync::Yes);
}

std::string write_private_file(const std::string& path, std::string_view text) {
  std::error_code ignored;
  if (std::filesystem::is_regular_file(path, ignored)) {
    (void)::chmod(path.c_str(), S_IRUSR | S_IWUSR);
  }
  const mode_t before = ::umask(S_IRWXG | S_IRWXO);
  std::string wrong = write_file(path, text);
  (void)::umask(before);
  return wrong;
}

std::string write_file_synced(const std::string& path, std::string_view text) {
  return write_to(path, text, Sync::Yes);
}

}  // namespace watchlab::scenarios
