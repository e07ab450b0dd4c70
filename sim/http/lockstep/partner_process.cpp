#include "sim/http/lockstep/partner_process.hpp"

#include <fmt/format.h>
#include <poll.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <sstream>
#include <stdexcept>
#include <utility>

#include "sim/kernel/plain_text.hpp"
#include "sim/story/program_start.hpp"

namespace watchlab::sim {
namespace {

using std::chrono::milliseconds;

constexpr int kDescriptor = 3;  ///< of the program's end
constexpr milliseconds kStackTime{3000};
constexpr milliseconds kEndTime{10'000};
constexpr milliseconds kLook{5};
constexpr milliseconds kWait{100};
constexpr std::size_t kPrintedMax = 4000;
constexpr std::size_t kLookedAtMax = 1 << 20;  ///< for the words of a panic

/// What has cost real time, and would in each further run.
api::Error slow_failure(std::string message) {
  return {.kind = api::ErrorKind::Timeout, .message = std::move(message), .status = {}};
}

std::string ending_text(int status) {
  return WIFSIGNALED(status) ? fmt::format("was ended by signal {} ({})", WTERMSIG(status),
                                           ::strsignal(WTERMSIG(status)))
                             : fmt::format("ended with status {}", WEXITSTATUS(status));
}

/// What a program has printed, for the end of a message; "" for nothing.
std::string in_quotes(std::string_view text, bool begins_before = false, bool continues = false) {
  while (text.starts_with('\n')) {
    text.remove_prefix(1);
  }
  while (text.ends_with('\n')) {
    text.remove_suffix(1);
  }
  if (text.empty()) {
    return "";
  }
  std::string lines = begins_before ? "\n  …\n  " : "\n  ";
  for (const char c : plain_text(text)) {  // before lines are told apart: it has more of them then
    lines += c == '\n' ? std::string("\n  ") : std::string(1, c);
  }
  return "; it printed:" + lines + (continues ? "\n  …" : "");
}

/// "goroutine 1.1 of x.go:7, at y.go:9", of what is known.
std::string goroutine_text(const std::string& path, const std::string& born,
                           const std::string& at) {
  const auto with = [](std::string_view word, const std::string& place) {
    return place == "-" ? "" : fmt::format("{} {}", word, place.substr(place.rfind('/') + 1));
  };
  return fmt::format("goroutine {}{}{}", path, with(" of", born), with(", at", at));
}

/// Which goroutines went before their turn in a program that has died, as its overlay printed that,
/// for the end of a message; "" where they were not chosen.
std::string goroutines_in(const std::string& printed) {
  constexpr std::string_view kCase = "13";  // of the overlay's operations: a case of a select
  std::istringstream lines(printed);
  std::string text;
  for (std::string line; std::getline(lines, line);) {
    std::istringstream words(line);
    std::array<std::string, 9> word;
    for (std::string& each : word) {
      words >> each;
    }
    const auto& [mark, from, born, at, made, operation, to, to_born, to_at] = word;
    if (mark == "watchlab-place" && !to_at.empty()) {
      text +=
          fmt::format("\n  {}: {}", goroutine_text(from, born, at),
                      operation == kCase ? fmt::format("takes case {} of those that are ready", to)
                                         : goroutine_text(to, to_born, to_at) + ", goes before it");
    }
  }
  return text.empty() ? "" : "\nGoroutines that went before their turn:" + text;
}

}  // namespace

PartnerProcess::PartnerProcess(PartnerCommand command) : command_(std::move(command)) { start(); }

PartnerProcess::~PartnerProcess() {
  kill();
  ::close(socket_);
  ::close(output_);
}

void PartnerProcess::start() {
  struct stat folder = {};
  if (!command_.folder.empty() &&
      (::stat(command_.folder.c_str(), &folder) != 0 || !S_ISDIR(folder.st_mode))) {
    throw std::invalid_argument(fmt::format("there is no folder {}", command_.folder));
  }
  std::array<int, 2> ends{};
  if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()) != 0) {
    throw std::runtime_error(fmt::format("no socket can be made: {}", std::strerror(errno)));
  }
  socket_ = ends[0];
  output_ = ::memfd_create("watchlab-partner", MFD_CLOEXEC);
  // The variables make a Go program do the same each time, as far as its environment can.
  const auto [process, failure] = start_program(
      {.words = command_.words,
       .variables = {{"WATCHLAB_LOCKSTEP", std::to_string(kDescriptor)},
                     {"WATCHLAB_SEED", std::to_string(command_.seed)},
                     {"GOMAXPROCS", "1"},
                     {"GODEBUG", "randautoseed=0,randseednop=0"},
                     {"GOGC", "off"},  // the module collects garbage when nothing else runs
                     {"GOMEMLIMIT", "1GiB"}},
       .descriptors = {{output_, STDOUT_FILENO}, {output_, STDERR_FILENO}, {ends[1], kDescriptor}},
       .folder = command_.folder,
       .has_group = true});
  process_ = process;
  ::close(ends[1]);
  if (failure != 0) {
    ::close(socket_);
    ::close(output_);
    throw std::invalid_argument(fmt::format("the program '{}' cannot be run: {}",
                                            command_.words.front(), std::strerror(failure)));
  }
}

api::Result<void> PartnerProcess::greet(const PartnerHello& hello) {
  if (const api::Result<void> sent = send(hello_line(hello) + "\n"); !sent) {
    return sent.error();
  }
  const api::Result<std::string> line = receive_line();
  if (!line) {
    return line.error();
  }
  return read_hello(*line);
}

api::Result<FrameFromPartner> PartnerProcess::exchange(const FrameToPartner& frame) {
  if (const api::Result<void> sent = send(frame_text(frame)); !sent) {
    return sent.error();
  }
  const api::Result<std::string> prefix = receive(kPartnerPrefixSize);
  if (!prefix) {
    return prefix.error();
  }
  const api::Result<std::size_t> size = frame_size(*prefix);
  if (!size) {
    return size.error();
  }
  const api::Result<std::string> text = receive(*size);
  if (!text) {
    return text.error();
  }
  return frame_from(*text);
}

api::Result<void> PartnerProcess::send(std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t count = ::send(socket_, bytes.data(), bytes.size(), MSG_NOSIGNAL);
    if (count < 0 && errno == EINTR) {
      continue;
    }
    if (count <= 0) {
      return gone();
    }
    bytes.remove_prefix(static_cast<std::size_t>(count));
  }
  return {};
}

/// Waits in short looks, whose number is the limit: signals interrupt them now and then. Takes all
/// that has come, which is a whole frame most of the time.
api::Result<std::string> PartnerProcess::receive(std::size_t size) {
  milliseconds waited{0};
  milliseconds waited_in_all{0};
  std::optional<milliseconds> used_before;
  while (received_.size() < size) {
    pollfd wait{.fd = socket_, .events = POLLIN, .revents = 0};
    const int ready = ::poll(&wait, 1, static_cast<int>(kWait.count()));
    if (ready == 0) {
      const milliseconds used = processor_time(process_).value_or(milliseconds(0));
      if (used - used_before.value_or(used) >= command_.computes_max) {
        return circles();
      }
      used_before = used_before.value_or(used);
      waited += could_run(process_) ? milliseconds(0) : kWait;
      waited_in_all += kWait;
      if (waited >= command_.answer_max) {
        return silence(command_.answer_max);
      }
      if (waited_in_all >= kPatience * command_.answer_max) {
        return silence(kPatience * command_.answer_max);
      }
    }
    if (ready <= 0) {
      continue;
    }
    const ssize_t count = ::recv(socket_, chunk_.data(), chunk_.size(), 0);
    if (count < 0 && errno == EINTR) {
      continue;
    }
    if (count <= 0) {
      return gone();
    }
    received_.append(chunk_.data(), static_cast<std::size_t>(count));
  }
  std::string bytes = received_.substr(0, size);
  received_.erase(0, size);
  return bytes;
}

api::Result<std::string> PartnerProcess::receive_line() {
  constexpr std::size_t line_max = 4000;
  std::string line;
  while (line.size() < line_max) {
    api::Result<std::string> next = receive(1);
    if (!next) {
      return next.error();
    }
    if (*next == "\n") {
      break;
    }
    line += *next;
  }
  return line;
}

/// It does not answer.
api::Error PartnerProcess::silence(milliseconds waited) {
  const std::string text = stacks();
  return slow_failure(fmt::format(
      "has not answered for {} ms of real time, in which the clock of the story stands still{}",
      waited.count(), text.empty() ? printed() : in_quotes(text)));
}

/// It computes, and does not wait for anything.
api::Error PartnerProcess::circles() {
  const std::string text = stacks();
  const std::string place = place_in_stacks(text);
  return slow_failure(fmt::format(
      "runs in circles{}{}: it has computed for {} ms without waiting for anything, and as long as "
      "it does, the clock of the story stands still{}",
      place.empty() ? "" : " at ", place, command_.computes_max.count(),
      text.empty() ? printed() : in_quotes(text)));
}

/// Ends it. What a Go program says of its goroutines then, beginning with one that computes.
std::string PartnerProcess::stacks() {
  const auto before = static_cast<std::size_t>(std::max<off_t>(::lseek(output_, 0, SEEK_END), 0));
  ask_for_stacks(process_);
  (void)ends_within(kStackTime);
  kill();
  return output_from(before, kPrintedMax);
}

api::Error PartnerProcess::gone() {
  if (!ends_within(kStackTime)) {
    kill();
    return partner_failure("closed its connection and went on" + printed());
  }
  return partner_failure(fmt::format("{} in the middle of the story{}{}", ending_text(*status_),
                                     printed(), goroutines_in(output_from(0, kLookedAtMax))));
}

api::Result<void> PartnerProcess::finish() {
  if (!ends_within(kEndTime)) {
    kill();
    return partner_failure("said that it is done, and has not ended" + printed());
  }
  if (*status_ != 0) {
    return partner_failure(ending_text(*status_) + printed());
  }
  return {};
}

/// In real time, in which nothing of it could run; up to `kPatience` times as long.
bool PartnerProcess::ends_within(milliseconds time) {
  milliseconds waited{0};
  for (milliseconds in_all{0}; !status_; in_all += kLook) {
    int status = 0;
    if (::waitpid(process_, &status, WNOHANG) == process_) {
      status_ = status;
    } else if (waited >= time || in_all >= kPatience * time) {
      return false;
    } else {
      (void)::poll(nullptr, 0, static_cast<int>(kLook.count()));
      waited += could_run(process_) ? milliseconds(0) : kLook;
    }
  }
  return true;
}

void PartnerProcess::kill() {
  if (process_ <= 0) {
    return;
  }
  (void)::kill(-process_, SIGKILL);  // also what it has started, if it has ended itself
  int status = 0;
  while (!status_) {
    if (::waitpid(process_, &status, 0) == process_) {
      status_ = status;
    } else if (errno != EINTR) {
      status_ = 0;
    }
  }
  process_ = -1;
}

std::string PartnerProcess::output_from(std::size_t begin, std::size_t max) const {
  std::string text(max, '\0');
  const ssize_t count = ::pread(output_, text.data(), text.size(), static_cast<off_t>(begin));
  text.resize(static_cast<std::size_t>(std::max<ssize_t>(count, 0)));
  return text;
}

std::string PartnerProcess::printed() const {
  const auto size = static_cast<std::size_t>(std::max<off_t>(::lseek(output_, 0, SEEK_END), 0));
  const std::size_t looked_at = size - std::min(size, kLookedAtMax);
  const std::string text = "\n" + output_from(looked_at, kLookedAtMax);
  const std::size_t end = text.size() - std::min(text.size(), kPrintedMax);
  std::size_t first = end;
  // Go ends a panic with status 2; it says first what was wrong, and then where all goroutines are,
  // which is longer than is shown.
  if (status_ && WIFEXITED(*status_) && WEXITSTATUS(*status_) == 2) {
    for (const std::string_view words : {"\npanic: ", "\nfatal error: "}) {
      first = std::min(first, text.rfind(words));
    }
  }
  return in_quotes(text.substr(first, kPrintedMax), looked_at + first > 0, first < end);
}

}  // namespace watchlab::sim
