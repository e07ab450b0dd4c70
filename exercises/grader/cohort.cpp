#include "exercises/grader/cohort.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <map>

#include "exercises/grader/exercise.hpp"

namespace watchlab::course {
namespace {

namespace fs = std::filesystem;

std::vector<fs::path> folders_of(const fs::path& submissions) {
  if (!fs::is_directory(submissions)) {
    throw BadInput(fmt::format("{} is no folder", submissions.string()));
  }
  std::vector<fs::path> folders;
  for (const auto& entry : fs::directory_iterator(submissions)) {
    if (entry.is_directory() && !entry.is_symlink()) {
      folders.push_back(entry.path());
    }
  }
  std::sort(folders.begin(), folders.end());
  return folders;
}

pid_t start(const std::vector<std::string>& words) {
  const pid_t child = ::fork();
  if (child != 0) {
    return child;
  }
  ::dup2(::open("/dev/null", O_RDWR), STDOUT_FILENO);
  std::vector<char*> arguments;
  for (const std::string& word : words) {
    arguments.push_back(const_cast<char*>(word.c_str()));
  }
  arguments.push_back(nullptr);
  ::execv(arguments.front(), arguments.data());
  ::_exit(127);
}

}  // namespace

CohortResult grade_cohort(const fs::path& submissions, std::size_t jobs,
                          const std::function<std::vector<std::string>(const fs::path&)>& words_for,
                          const std::function<void(const std::string&)>& done) {
  const std::vector<fs::path> folders = folders_of(submissions);
  CohortResult result;
  std::map<pid_t, std::string> running;
  const auto wait_for_one = [&] {
    int status = 0;
    const pid_t ended = ::waitpid(-1, &status, 0);
    const std::string name = running[ended];
    running.erase(ended);
    if (WIFEXITED(status) && WEXITSTATUS(status) == 0) {
      ++result.graded;
    } else {
      result.broken.push_back(fmt::format(
          "{}: {}", name,
          WIFEXITED(status) ? fmt::format("the grader ended with status {}", WEXITSTATUS(status))
                            : fmt::format("the grader died of signal {}", WTERMSIG(status))));
    }
    done(name);
  };
  for (const fs::path& folder : folders) {
    while (running.size() >= std::max<std::size_t>(1, jobs)) {
      wait_for_one();
    }
    running[start(words_for(folder))] = folder.filename().string();
  }
  while (!running.empty()) {
    wait_for_one();
  }
  return result;
}

}  // namespace watchlab::course
