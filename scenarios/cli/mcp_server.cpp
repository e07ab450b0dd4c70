#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <deque>
#include <filesystem>
#include <memory>
#include <optional>
#include <stdexcept>
#include <utility>

#include "scenarios/cli/mcp_session.hpp"
#include "scenarios/cli/report.hpp"
#include "scenarios/command_line/child_process.hpp"
#include "scenarios/command_line/console.hpp"
#include "scenarios/command_line/terminal.hpp"

namespace watchlab::scenarios {
namespace {

constexpr std::size_t kRead = 65'536;
/// How often, and how long each time, is looked whether something has ended.
constexpr int kLooks = 50;
constexpr int kLookMilliseconds = 20;
/// What a message may be long, in bytes; a schedule is the longest thing in one.
constexpr std::size_t kMessageMax = 16'777'216;

/// Throws when the client cannot be reached any more.
void send(const std::string& line) {
  if (!line.empty()) {
    fmt::print("{}\n", line);
    if (const std::string wrong = flush_standard_output(); !wrong.empty()) {
      throw std::runtime_error(wrong);
    }
  }
}

/// Sends the answer to a call, together with those to the rest of its batch; "" for no answer.
void send_answer(const ToolCall& call, const std::string& answer) {
  send(call.batch == nullptr ? answer : call.batch->add(answer));
}

/// Reads what there is and appends it. False at the end.
bool read_into(int descriptor, std::string& text) {
  std::array<char, kRead> buffer;
  const ssize_t size = ::read(descriptor, buffer.data(), buffer.size());
  if (size > 0) {
    text.append(buffer.data(), static_cast<std::size_t>(size));
  }
  return size > 0 || (size < 0 && errno == EINTR);
}

/// A pipe whose end is read here.
class Reading {
 public:
  ~Reading() { close(); }
  Reading() = default;
  Reading(const Reading&) = delete;
  Reading& operator=(const Reading&) = delete;

  /// Begins anew; the end to write to, which the caller closes.
  [[nodiscard]] int open() {
    std::array<int, 2> pipe{};
    if (::pipe2(pipe.data(), O_CLOEXEC) != 0) {
      throw std::runtime_error("no pipe can be made");
    }
    text.clear();
    descriptor_ = pipe[0];
    return pipe[1];
  }
  /// -1 when it is at its end, which `poll` passes over.
  [[nodiscard]] int descriptor() const { return descriptor_; }
  void read() { read_into(descriptor_, text) ? void() : close(); }

  std::string text;

 private:
  void close() { descriptor_ >= 0 ? (void)::close(std::exchange(descriptor_, -1)) : void(); }

  int descriptor_ = -1;
};

/// Runs calls as processes of this program, one after another, in the order in which they came.
class Calls {
 public:
  Calls() : program_(program()) {}
  Calls(const Calls&) = delete;
  Calls& operator=(const Calls&) = delete;
  ~Calls() { end_running(); }

  [[nodiscard]] bool is_busy() const { return running_ != nullptr; }
  [[nodiscard]] std::array<int, 2> descriptors() const {
    return {out_.descriptor(), err_.descriptor()};
  }

  void add(ToolCall call) {
    waiting_.push_back(std::move(call));
    start_next();
  }
  /// Ends the one that runs, soon however it takes that, and answers all that are left with `why`.
  void end(const std::string& why) {
    end_running();
    if (!is_cancelled_) {
      waiting_.push_front(std::move(call_));
    }
    for (const ToolCall& each : std::exchange(waiting_, {})) {
      send_answer(each, McpSession::finished(each, {kExitUsage, "", why}));
    }
  }
  /// Ends a call that nobody waits for; it is not answered.
  void cancel(const std::string& id) {
    std::erase_if(waiting_, [&](const ToolCall& each) {
      const bool is_meant = each.id == id;
      is_meant ? send_answer(each, "") : void();
      return is_meant;
    });
    if (running_ && call_.id == id && !std::exchange(is_cancelled_, true)) {
      send_answer(call_, "");
      running_->signal(SIGTERM);
    }
  }
  /// Takes in what the call has printed, and answers it when it has ended.
  void look(bool has_printed, bool has_said) {
    has_printed ? out_.read() : void();
    has_said ? err_.read() : void();
    if (descriptors() != std::array{-1, -1}) {
      return;
    }
    const int exit_code = running_->wait();
    running_.reset();
    if (!is_cancelled_) {
      send_answer(call_, McpSession::finished(call_, {exit_code, out_.text, err_.text}));
    }
    start_next();
  }

 private:
  void end_running() {
    if (running_) {
      running_->signal(SIGTERM);
      for (int i = 0; i < kLooks && !running_->ended(); ++i) {
        (void)::poll(nullptr, 0, kLookMilliseconds);
      }
      running_->signal(SIGKILL);
      running_.reset();
    }
  }

  /// The launcher, where that has started this: it builds the variants of the museum.
  static std::string program() {
    const char* const launcher = std::getenv("WATCHLAB_CALLS");
    return launcher != nullptr ? launcher
                               : std::filesystem::read_symlink("/proc/self/exe").string();
  }

  void start_next() {
    while (!running_ && !waiting_.empty()) {
      call_ = std::move(waiting_.front());
      waiting_.pop_front();
      start();
    }
  }

  void start() {
    std::vector<std::string> words{program_};
    words.insert(words.end(), call_.words.begin(), call_.words.end());
    is_cancelled_ = false;
    const ChildProcess::Outputs outputs{out_.open(), err_.open()};
    try {
      running_ = std::make_unique<ChildProcess>(
          words, ChildProcess::Variables{{"WATCHLAB_ENDS_WITH_PARENT", "1"}}, outputs);
    } catch (const std::exception& failure) {
      send_answer(call_, McpSession::finished(call_, {kExitUsage, "", failure.what()}));
    }
    (void)::close(outputs.out);
    (void)::close(outputs.err);
  }

  std::string program_;
  std::deque<ToolCall> waiting_;
  ToolCall call_;
  std::unique_ptr<ChildProcess> running_;
  Reading out_;
  Reading err_;
  bool is_cancelled_ = false;
};

void take_outcome(McpOutcome outcome, Calls& calls) {
  send(outcome.answer);
  outcome.call ? calls.add(*std::move(outcome.call)) : void();
  outcome.cancelled ? calls.cancel(*outcome.cancelled) : void();
  const auto batch = std::make_shared<McpBatch>();
  for (const McpOutcome& each : outcome.batch) {
    each.call || !each.answer.empty() ? batch->expect() : void();
  }
  for (McpOutcome& each : outcome.batch) {
    if (!each.answer.empty()) {
      send(batch->add(each.answer));
    }
    if (each.call) {
      each.call->batch = batch;
    }
    each.answer.clear();
    take_outcome(std::move(each), calls);
  }
}

void take_lines(std::string& text, McpSession& session, Calls& calls) {
  std::size_t begin = 0;
  for (std::size_t end = text.find('\n'); end != std::string::npos; end = text.find('\n', begin)) {
    const std::string_view line = std::string_view(text).substr(begin, end - begin);
    begin = end + 1;
    if (line.find_first_not_of(" \t\r") == std::string_view::npos) {
      continue;
    }
    take_outcome(session.take(line), calls);
  }
  text.erase(0, begin);
}

/// A descriptor that can be read when one of these signals has come, which then does no more.
class Signals {
 public:
  Signals() {
    sigset_t set;
    (void)sigemptyset(&set);
    for (const int signal : {SIGTERM, SIGINT, SIGHUP}) {
      (void)sigaddset(&set, signal);
    }
    (void)::pthread_sigmask(SIG_BLOCK, &set, nullptr);
    descriptor_ = ::signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
  }
  Signals(const Signals&) = delete;
  Signals& operator=(const Signals&) = delete;
  ~Signals() { (void)::close(descriptor_); }

  [[nodiscard]] int descriptor() const { return descriptor_; }
  /// The signal that has come; 0 for none.
  [[nodiscard]] int taken() const {
    signalfd_siginfo info{};
    return ::read(descriptor_, &info, sizeof info) == sizeof info ? static_cast<int>(info.ssi_signo)
                                                                  : 0;
  }

 private:
  int descriptor_ = -1;
};

/// Whether the end of input is only that of a file, behind which there is no client that could end.
bool is_input_a_file() {
  struct stat found {};
  return ::fstat(STDIN_FILENO, &found) == 0 && S_ISREG(found.st_mode);
}

/// How long a call may go on for which a client that has closed its end may still wait.
constexpr double kLastCallSeconds = 1;

}  // namespace

/// Ends with its client: soon when that closes what it writes to, and at once when it reads no
/// answers any more or a signal says so. What is being called ends with it. What a file asks for is
/// answered to its end.
int serve_tools(const std::vector<Command>& commands) {
  constexpr int kSignalBase = 128;
  McpSession session(commands);
  const Signals signals;
  Calls calls;
  std::string text;
  std::optional<Stopwatch> closed;  // since the client has closed its end
  for (bool is_open = true; is_open || calls.is_busy();) {
    const auto [out, err] = calls.descriptors();
    std::array<pollfd, 5> looks{{{is_open ? STDIN_FILENO : -1, POLLIN, 0},
                                 {out, POLLIN, 0},
                                 {err, POLLIN, 0},
                                 {signals.descriptor(), POLLIN, 0},
                                 {STDOUT_FILENO, 0, 0}}};
    if (::poll(looks.data(), looks.size(), closed ? kLookMilliseconds : -1) < 0 && errno != EINTR) {
      throw std::runtime_error("standard input cannot be waited for");
    }
    if (closed && closed->seconds() > kLastCallSeconds) {
      calls.end("standard input was closed before this call had ended");
      break;
    }
    if (const int signal = looks[3].revents != 0 ? signals.taken() : 0; signal != 0) {
      return kSignalBase + signal;
    }
    if ((looks[4].revents & (POLLERR | POLLHUP)) != 0) {
      return kExitHeld;  // the client has gone
    }
    if (looks[1].revents != 0 || looks[2].revents != 0) {
      calls.look(looks[1].revents != 0, looks[2].revents != 0);
    }
    if (looks[0].revents != 0) {
      is_open = read_into(STDIN_FILENO, text);
      text += is_open ? "" : "\n";  // the last message need not end its line
      if (!is_open && !is_input_a_file()) {
        closed.emplace();
      }
      take_lines(text, session, calls);
      if (text.size() > kMessageMax) {
        complain(fmt::format("watchlab mcp: a message has no end after {} bytes\n", text.size()));
        return kExitUsage;
      }
    }
  }
  return kExitHeld;
}

void end_with_server_of_tools() {
  if (std::getenv("WATCHLAB_ENDS_WITH_PARENT") == nullptr) {
    return;
  }
  (void)::prctl(PR_SET_PDEATHSIG, SIGTERM);
  if (::getppid() == 1) {
    (void)::raise(SIGTERM);  // the parent had gone before
  }
}

}  // namespace watchlab::scenarios
