#include "scenarios/command_line/console.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <charconv>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <initializer_list>
#include <system_error>
#include <utility>

#include "scenarios/command_line/child_process.hpp"
#include "scenarios/command_line/plain_text.hpp"
#include "scenarios/language/input_file.hpp"

namespace watchlab::scenarios {
namespace {

/// A handler of signals can reach nothing but these. Times are those of the steady clock.
volatile std::sig_atomic_t stop_requested = 0;
std::atomic<std::int64_t> end_of_first = 0;  ///< from when on another signal is a second one
std::int64_t together_nanoseconds = 0;
static_assert(std::atomic<std::int64_t>::is_always_lock_free);

std::int64_t now() {
  return std::chrono::nanoseconds(std::chrono::steady_clock::now().time_since_epoch()).count();
}

void request_stop(int signal) {
  if (stop_requested == 0) {
    end_of_first = now() + together_nanoseconds;
    stop_requested = 1;
  } else if (now() >= end_of_first) {
    (void)std::signal(signal, SIG_DFL);
    (void)std::raise(signal);  // arrives when this handler has returned
  }
}

}  // namespace

Interrupt::Interrupt(std::chrono::milliseconds together) {
  stop_requested = 0;
  together_nanoseconds = std::chrono::nanoseconds(together).count();
  (void)std::signal(SIGINT, request_stop);
  (void)std::signal(SIGTERM, request_stop);
  if (std::signal(SIGHUP, request_stop) == SIG_IGN) {
    (void)std::signal(SIGHUP, SIG_IGN);
  }
}

Interrupt::~Interrupt() {
  if (requested()) {
    return;  // the second half of a pair may come while the program ends
  }
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
    if (std::signal(signal, SIG_DFL) == SIG_IGN) {
      (void)std::signal(signal, SIG_IGN);
    }
  }
}

bool Interrupt::requested() { return stop_requested != 0; }

namespace {

bool colours_wanted() {
  const char* no_color = std::getenv("NO_COLOR");
  const char* terminal = std::getenv("TERM");
  return (no_color == nullptr || *no_color == '\0') &&
         (terminal == nullptr || std::string_view(terminal) != "dumb");
}

/// "path: why"; "" for no failure.
std::string problem_with(std::string_view path, int failure) {
  return failure == 0 ? "" : fmt::format("{}: cannot be written: {}", path, std::strerror(failure));
}

/// The descriptor that is meant by a name such as /dev/stdout; -1 for none. Opened by that name, a
/// file that output is redirected to would be written from its beginning.
int own_descriptor(std::string_view path) {
  for (const auto& [name, descriptor] :
       {std::pair{std::string_view("/dev/stdout"), STDOUT_FILENO},
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

/// Where a link leads in the end; the path itself where it is none, or leads nowhere.
std::string behind_links(const std::string& path) {
  std::error_code failure;
  if (!std::filesystem::is_symlink(path, failure)) {
    return path;
  }
  const std::filesystem::path target = std::filesystem::canonical(path, failure);
  return failure ? path : target.string();
}

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

bool is_terminal(std::FILE* stream) { return ::isatty(::fileno(stream)) == 1; }

/// How many columns the terminal behind a stream has; 80 where it does not say.
std::size_t columns(std::FILE* stream) {
  winsize size{};
  const bool known = ioctl(::fileno(stream), TIOCGWINSZ, &size) == 0 && size.ws_col > 0;
  return known ? size.ws_col : 80;
}

/// So many bytes of the text at most, without a part of a letter at the end.
std::string_view first_bytes(std::string_view text, std::size_t most) {
  if (text.size() <= most) {
    return text;
  }
  const auto continues = [&](std::size_t i) {
    return (static_cast<unsigned char>(text[i]) & 0xC0U) == 0x80U;
  };
  while (most > 0 && continues(most)) {
    --most;
  }
  return text.substr(0, most);
}

/// Why standard output took no more, the first time; 0 as long as it does. A stream remembers that
/// it failed, and not why.
int output_failure = 0;

void note_failure(std::FILE* file, bool is_written) {
  if (!is_written && file == stdout && output_failure == 0) {
    output_failure = errno;
  }
}

/// The bytes of the change of colour (SGR) that the text begins with; 0 when it begins otherwise.
std::size_t colour_size(std::string_view text) {
  if (!text.starts_with("\033[")) {
    return 0;
  }
  const std::size_t end = text.find_first_not_of("0123456789;", 2);
  return end != std::string_view::npos && text[end] == 'm' ? end + 1 : 0;
}

/// How many columns a text takes: colours none, letters of Chinese two.
std::size_t width_of(std::string_view text) {
  std::size_t width = 0;
  for (std::size_t i = 0; i < text.size();) {
    const auto byte = static_cast<unsigned char>(text[i]);
    const std::size_t colour = colour_size(text.substr(i));
    width += colour > 0 || (byte & 0xC0U) == 0x80U ? 0 : byte >= 0xE3U ? 2 : 1;
    i += std::max<std::size_t>(colour, 1);
  }
  return width;
}

/// Whether a call of the program as it was called here stands in the line.
bool has_own_call(std::string_view line) {
  const char* const typed = std::getenv("WATCHLAB_CALLED_AS");
  const std::string call = typed == nullptr || *typed == '\0' ? "" : word_for_shell(typed) + " ";
  const std::size_t at = call.empty() ? std::string_view::npos : line.find(call);
  return at == 0 || (at != std::string_view::npos && line[at - 1] == ' ');
}

bool is_to_paste(std::string_view line) {
  return line.find("watchlab ") != std::string_view::npos ||
         line.find(" --") != std::string_view::npos || has_own_call(line);
}

/// Where the rest of a line stands: below its last column, or below its beginning.
std::size_t rest_column(std::string_view line, std::size_t columns) {
  const std::size_t begin = std::min(line.find_first_not_of(' '), line.size());
  const std::size_t gap = line.rfind("  ");
  const std::size_t column =
      gap != std::string_view::npos && gap > begin ? width_of(line.substr(0, gap + 2)) : begin;
  return column < columns / 2 ? column : begin < columns / 2 ? begin : 0;
}

/// Whether the text begins with a letter that takes two columns, as those of Chinese; lines may
/// break before and after one, but not before a mark that ends a part of a sentence.
bool is_wide(std::string_view text) {
  return !text.empty() && static_cast<unsigned char>(text.front()) >= 0xE3U;
}

bool may_begin_line(std::string_view text) {
  for (const std::string_view mark : {"，", "。", "；", "：", "、", "）", "」", "”", "！", "？"}) {
    if (text.starts_with(mark)) {
      return false;
    }
  }
  return true;
}

/// Where the word ends that begins there: before a blank, or where wide letters may be parted; of a
/// list without blanks that no line has room for, at the last comma that fits.
std::size_t end_of_word(std::string_view line, std::size_t begin, std::size_t columns) {
  std::size_t comma = 0;
  for (std::size_t at = begin; at < line.size();) {
    const bool was_wide = is_wide(line.substr(at));
    do {
      ++at;
    } while (at < line.size() && (static_cast<unsigned char>(line[at]) & 0xC0U) == 0x80U);
    const std::string_view rest = line.substr(at);
    if (at - begin > columns && comma > 0) {
      return comma;
    }
    comma = line[at - 1] == ',' ? at : comma;
    if (rest.starts_with(' ') || ((was_wide || is_wide(rest)) && may_begin_line(rest))) {
      return at;
    }
  }
  return line.size();
}

std::string wrapped_line(std::string_view line, std::size_t columns) {
  if (width_of(line) <= columns) {
    return std::string(line);
  }
  const std::size_t rest = rest_column(line, columns);
  std::string out;
  std::size_t width = 0;
  while (!line.empty()) {
    // A word with the blanks before it, which go where it begins a line.
    const std::size_t blanks = std::min(line.find_first_not_of(' '), line.size());
    const std::size_t end = end_of_word(line, blanks, columns);
    const std::size_t word = width_of(line.substr(blanks, end - blanks));
    if (width > rest && width + blanks + word > columns) {
      out += "\n" + std::string(rest, ' ');
      width = rest;
    } else {
      out.append(blanks, ' ');
      width += blanks;
    }
    out += line.substr(blanks, end - blanks);
    width += word;
    line.remove_prefix(end);
  }
  return out;
}

void put(std::FILE* file, std::string_view text) {
  errno = 0;
  const bool is_written = std::fwrite(text.data(), 1, text.size(), file) == text.size();
  note_failure(file, std::fputc('\n', file) != EOF && is_written);
}

}  // namespace

namespace {

/// Each line is as it is where `stays` says so.
template <typename Stays>
std::string wrapped_unless(std::string_view text, std::size_t columns, const Stays& stays) {
  std::string out;
  while (true) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::string_view line = text.substr(0, end);
    out += stays(line) ? std::string(line) : wrapped_line(line, columns);
    if (end == text.size()) {
      return out;
    }
    out += '\n';
    text.remove_prefix(end + 1);
  }
}

}  // namespace

std::string wrapped(std::string_view text, std::size_t columns) {
  return wrapped_unless(text, columns, is_to_paste);
}

std::string wrapped_help(std::string_view text, std::size_t columns) {
  bool in_examples = false;
  return wrapped_unless(text, columns, [&in_examples](std::string_view line) {
    const bool is_heading = line.starts_with("Example") || line.starts_with("示例");
    in_examples = is_heading || (in_examples && line.starts_with("  "));
    return in_examples;
  });
}

std::size_t page_columns() {
  constexpr std::size_t kLeast = 40;
  constexpr std::size_t kMost = 100;
  const char* const given = std::getenv("COLUMNS");
  const std::string_view text = given == nullptr ? "" : given;
  std::size_t wanted = 0;
  const auto read = std::from_chars(text.data(), text.data() + text.size(), wanted);
  const bool is_number =
      read.ec == std::errc() && read.ptr == text.data() + text.size() && wanted > 0;
  return std::clamp(is_number ? wanted : columns(stdout), kLeast, kMost);
}

namespace {

struct Count {
  std::size_t done = 0;
  std::size_t all = 0;
};

/// What the text says with "N of M"; nothing when it says nothing of the kind.
std::optional<Count> count_in(std::string_view text) {
  constexpr std::string_view kOf = " of ";
  constexpr std::string_view kDigits = "0123456789";
  for (std::size_t at = text.find(kOf); at != std::string_view::npos; at = text.find(kOf, at + 1)) {
    const std::size_t before = text.substr(0, at).find_last_not_of(kDigits);
    const std::size_t begin = before == std::string_view::npos ? 0 : before + 1;
    const std::string_view rest = text.substr(at + kOf.size());
    Count count;
    if (begin < at &&
        std::from_chars(text.data() + begin, text.data() + at, count.done).ec == std::errc() &&
        std::from_chars(rest.data(), rest.data() + rest.size(), count.all).ec == std::errc()) {
      return count;
    }
  }
  return std::nullopt;
}

}  // namespace

std::string Pace::words_of(std::string_view text, std::chrono::steady_clock::time_point now) {
  const std::optional<Count> count = count_in(text);
  if (!count) {
    return "";
  }
  if (!began_ || count->done < last_) {
    began_ = now;
    first_ = count->done;
  }
  last_ = count->done;
  const double seconds = std::chrono::duration<double>(now - *began_).count();
  if (seconds < 2 || count->done <= first_ || count->done > count->all) {
    return "";
  }
  const double rate = static_cast<double>(count->done - first_) / seconds;
  return fmt::format("{:.3g} a second, about {:.0f} s left", rate,
                     static_cast<double>(count->all - count->done) / rate);
}

Console::Console(const CommonOptions& options)
    : allows_run_(options.allow_run),
      silent_(options.quiet || options.json),
      is_json_(options.json),
      colours_((is_terminal(stdout) || is_terminal(stderr)) && colours_wanted() && !options.json),
      shows_progress_(is_terminal(stderr) && !silent_) {}

void Console::line(std::string_view text) {
  clear_progress();
  put(stdout, is_json_ ? plain_json(text) : fitted(text, stdout));
}

void Console::verbatim(std::string_view text) {
  clear_progress();
  put(stdout, shown(text, stdout));
}

void Console::note(std::string_view text) {
  if (!silent_) {
    line(text);
  }
}

void Console::report_error(std::string_view text) {
  clear_progress();
  note_failure(stdout, std::fflush(stdout) == 0);
  put(stderr, fitted(text, stderr));
}

std::string Console::pace_of(std::string_view text) {
  return pace_.words_of(text, std::chrono::steady_clock::now());
}

void Console::progress(std::string_view text) {
  const std::string pace = pace_of(text);
  show_progress(pace.empty() ? std::string(text) : fmt::format("{}; {}", pace, text));
}

void Console::count(std::size_t done, std::size_t all, std::string_view words) {
  constexpr std::chrono::milliseconds kBetween(100);
  const auto now = std::chrono::steady_clock::now();
  if (shows_progress_ && now >= next_count_) {
    next_count_ = now + kBetween;
    progress(fmt::format("{} of {} {}", done, all, words));
  }
}

void Console::milestone(std::string_view text) {
  if (shows_progress_) {
    const std::string pace = pace_of(text);
    report_error(pace.empty() ? std::string(text) : fmt::format("{}; {}", pace, text));
  }
}

void Console::show_progress(std::string_view text) {
  if (shows_progress_) {
    std::fflush(stdout);
    std::fwrite("\r\033[K", 1, 4, stderr);
    const std::string plain = plain_line(text);
    text = first_bytes(plain, columns(stderr) - 1);  // a line that wraps cannot be overwritten
    std::fwrite(text.data(), 1, text.size(), stderr);
    std::fflush(stderr);
    progress_shown_ = true;
  }
}

void Console::clear_progress() {
  if (progress_shown_) {
    std::fwrite("\r\033[K", 1, 4, stderr);
    std::fflush(stderr);
    progress_shown_ = false;
  }
}

std::string Console::fitted(std::string_view text, std::FILE* stream) const {
  const std::string all = shown(text, stream);
  return is_terminal(stream) ? wrapped(all, columns(stream)) : all;
}

std::string Console::shown(std::string_view text, std::FILE* stream) const {
  const bool is_coloured = colours_ && is_terminal(stream);
  std::string out;
  while (!text.empty()) {
    std::size_t at = colours_ ? text.find('\033') : std::string_view::npos;
    while (at != std::string_view::npos && colour_size(text.substr(at)) == 0) {
      at = text.find('\033', at + 1);
    }
    out += plain_text(text.substr(0, at));
    text.remove_prefix(std::min(at, text.size()));
    const std::size_t colour = colour_size(text);
    out += is_coloured ? text.substr(0, colour) : "";
    text.remove_prefix(colour);
  }
  return out;
}

std::string Console::painted(std::string_view text, fmt::text_style style) const {
  return fmt::format("{}", fmt::styled(text, colours_ ? style : fmt::text_style()));
}

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

int write_output(const std::string& path, std::string_view text, Console& console) {
  const std::string problem = write_file(path, text);
  if (!problem.empty()) {
    console.report_error(problem);
  }
  return problem.empty() ? kExitHeld : kExitFound;
}

std::string write_file_synced(const std::string& path, std::string_view text) {
  return write_to(path, text, Sync::Yes);
}

void complain(std::string_view text) { (void)std::fwrite(text.data(), 1, text.size(), stderr); }

std::string flush_standard_output() {
  errno = 0;
  note_failure(stdout, std::fflush(stdout) == 0);
  if (output_failure != 0) {
    return problem_with("standard output", output_failure);
  }
  return std::ferror(stdout) != 0 ? "standard output: not all of it could be written" : "";
}

}  // namespace watchlab::scenarios
