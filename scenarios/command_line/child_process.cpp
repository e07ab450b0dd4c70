#include "scenarios/command_line/child_process.hpp"

#include <fmt/format.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <boost/algorithm/string/replace.hpp>
#include <cctype>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <stdexcept>
#include <string_view>
#include <thread>
#include <utility>

#include "scenarios/language/plain_text.hpp"
#include "sim/story/program_start.hpp"

namespace watchlab::scenarios {

namespace {

constexpr int kSignalBase = 128;
/// For what nobody waits for any more.
constexpr std::chrono::seconds kGrace(1);

}  // namespace

std::string word_for_sh(const std::string& word) {
  const bool is_plain = !word.empty() && std::ranges::all_of(word, [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 ||
           std::string_view("_@%+=:,./-").find(c) != std::string_view::npos;
  });
  return is_plain ? word : "'" + boost::replace_all_copy(word, "'", "'\\''") + "'";
}

std::string word_for_shell(const std::string& word) {
  if (plain_line(word) == word) {
    return word_for_sh(word);
  }
  std::string quoted = "$'";
  for (const char c : word) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '\n' || c == '\t') {
      quoted += c == '\n' ? "\\n" : "\\t";
    } else if (c == '\'' || c == '\\') {
      quoted += {'\\', c};
    } else {
      quoted += byte < 0x20 || byte >= 0x7F ? fmt::format("\\x{:02x}", byte) : std::string(1, c);
    }
  }
  return quoted + "'";
}

std::string for_shell(const std::vector<std::string>& words) {
  std::string line;
  for (const std::string& word : words) {
    line += " " + word_for_shell(word);
  }
  return line;
}

ChildProcess::ChildProcess(const std::vector<std::string>& command, const Variables& variables,
                           std::optional<Outputs> outputs) {
  sim::ProgramStart start{.words = command, .variables = variables};
  if (outputs) {
    start.descriptors = {{outputs->out, STDOUT_FILENO}, {outputs->err, STDERR_FILENO}};
    start.keeps_input = outputs->keeps_input;
    start.has_group = has_group_ = outputs->has_group;
  }
  const auto [process, failure] = sim::start_program(std::move(start));
  process_ = process;
  if (failure == 0) {
    return;
  }
  const std::string message =
      fmt::format("the command '{}' cannot be run: {}", command.front(), std::strerror(failure));
  if (failure == ENOENT || failure == EACCES || failure == ENOEXEC || failure == ENOTDIR) {
    throw std::invalid_argument(message);
  }
  throw std::runtime_error(message);
}

ChildProcess::~ChildProcess() {
  if (!status_) {
    end(kGrace);
  }
}

bool ChildProcess::lives() { return !ended() || (has_group_ && ::kill(-process_, 0) == 0); }

void ChildProcess::end(std::chrono::milliseconds grace) {
  const auto send = [this](int number) { (void)::kill(has_group_ ? -process_ : process_, number); };
  constexpr std::chrono::milliseconds kLookAgain(5);
  if (!lives()) {
    return;
  }
  send(SIGTERM);
  for (std::chrono::milliseconds waited(0); lives() && waited < grace; waited += kLookAgain) {
    std::this_thread::sleep_for(kLookAgain);
  }
  if (lives()) {
    send(SIGKILL);
  }
  (void)wait();
}

std::optional<int> ChildProcess::ended() {
  int status = 0;
  if (!status_ && ::waitpid(process_, &status, WNOHANG) == process_) {
    note(status);
  }
  return status_;
}

int ChildProcess::wait() {
  int status = 0;
  while (!status_) {
    const pid_t found = ::waitpid(process_, &status, 0);
    if (found == process_ || errno != EINTR) {
      note(status);
    }
  }
  return *status_;
}

void ChildProcess::note(int status) {
  ended_by_ = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
  status_ = ended_by_ == 0 ? WEXITSTATUS(status) : kSignalBase + ended_by_;
}

void ChildProcess::signal(int number) const {
  if (!status_) {
    (void)::kill(has_group_ ? -process_ : process_, number);
  }
}

}  // namespace watchlab::scenarios
