#include "exercises/grader/plain_process.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <stdexcept>

namespace watchlab::course {
namespace {

[[noreturn]] void become(const std::vector<std::string>& words, const std::filesystem::path& folder,
                         int output) {
  ::dup2(::open("/dev/null", O_RDONLY), STDIN_FILENO);
  ::dup2(output, STDOUT_FILENO);
  ::dup2(output, STDERR_FILENO);
  std::vector<char*> arguments;
  for (const std::string& word : words) {
    arguments.push_back(const_cast<char*>(word.c_str()));
  }
  arguments.push_back(nullptr);
  if (::chdir(folder.c_str()) == 0) {
    ::execv(arguments.front(), arguments.data());
  }
  ::dprintf(STDOUT_FILENO, "%s: %s\n", arguments.front(), std::strerror(errno));
  ::_exit(127);
}

}  // namespace

ProcessEnd run_plainly(const std::vector<std::string>& words, const std::filesystem::path& folder) {
  std::array<int, 2> pipe{};
  if (::pipe2(pipe.data(), O_CLOEXEC) != 0) {
    throw std::runtime_error(fmt::format("no pipe: {}", std::strerror(errno)));
  }
  const pid_t child = ::fork();
  if (child == 0) {
    become(words, folder, pipe[1]);
  }
  ::close(pipe[1]);
  ProcessEnd end;
  std::array<char, 4096> buffer{};
  for (ssize_t size = 1; size != 0;) {
    size = ::read(pipe[0], buffer.data(), buffer.size());
    if (size > 0) {
      end.output.append(buffer.data(), static_cast<std::size_t>(size));
    } else if (size < 0 && errno != EINTR) {
      break;
    }
  }
  ::close(pipe[0]);
  int status = 0;
  ::waitpid(child, &status, 0);
  end.status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  return end;
}

}  // namespace watchlab::course
