#include "scenarios/command_line/child_process.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <spawn.h>
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

namespace watchlab::scenarios {

namespace {

constexpr int kSignalBase = 128;

std::vector<char*> pointers_to(std::vector<std::string>& texts) {
  std::vector<char*> pointers;
  for (std::string& text : texts) {
    pointers.push_back(text.data());
  }
  pointers.push_back(nullptr);
  return pointers;
}

std::vector<std::string> environment_with(const ChildProcess::Variables& variables) {
  std::vector<std::string> environment;
  for (char** each = environ; *each != nullptr; ++each) {
    const std::string_view entry(*each);
    if (std::ranges::none_of(variables, [&](const auto& variable) {
          return entry.starts_with(variable.first + "=");
        })) {
      environment.emplace_back(entry);
    }
  }
  for (const auto& [name, value] : variables) {
    environment.push_back(name + "=" + value);
  }
  return environment;
}

}  // namespace

std::string for_shell(const std::vector<std::string>& words) {
  std::string line;
  for (const std::string& word : words) {
    const bool is_plain = !word.empty() && std::ranges::all_of(word, [](char c) {
      return std::isalnum(static_cast<unsigned char>(c)) != 0 ||
             std::string_view("_@%+=:,./-").find(c) != std::string_view::npos;
    });
    line += is_plain ? " " + word : " '" + boost::replace_all_copy(word, "'", "'\\''") + "'";
  }
  return line;
}

ChildProcess::ChildProcess(const std::vector<std::string>& command, const Variables& variables,
                           std::optional<Outputs> outputs) {
  std::vector<std::string> arguments = command;
  std::vector<std::string> environment = environment_with(variables);
  posix_spawnattr_t attributes;
  (void)::posix_spawnattr_init(&attributes);
  sigset_t defaults;
  (void)sigfillset(&defaults);
  sigset_t none;
  (void)sigemptyset(&none);
  (void)::posix_spawnattr_setsigdefault(&attributes, &defaults);
  (void)::posix_spawnattr_setsigmask(&attributes, &none);
  (void)::posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK);
  posix_spawn_file_actions_t streams;
  (void)::posix_spawn_file_actions_init(&streams);
  if (outputs) {
    (void)::posix_spawn_file_actions_addopen(&streams, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    (void)::posix_spawn_file_actions_adddup2(&streams, outputs->out, STDOUT_FILENO);
    (void)::posix_spawn_file_actions_adddup2(&streams, outputs->err, STDERR_FILENO);
  }
  const int failure =
      ::posix_spawnp(&process_, arguments.front().c_str(), &streams, &attributes,
                     pointers_to(arguments).data(), pointers_to(environment).data());
  (void)::posix_spawn_file_actions_destroy(&streams);
  (void)::posix_spawnattr_destroy(&attributes);
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
    signal(SIGTERM);
    (void)wait();
  }
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
    (void)::kill(process_, number);
  }
}

}  // namespace watchlab::scenarios
