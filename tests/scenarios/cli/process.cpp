#include "tests/scenarios/cli/process.hpp"

#include <fcntl.h>
#include <pty.h>
#include <sched.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdint>
#include <fstream>
#include <iterator>
#include <regex>
#include <sstream>
#include <stdexcept>

namespace watchlab::tests {
namespace {

/// In the child: never returns.
[[noreturn]] void become(std::vector<char*> words, const TemporaryFolder& folder) {
  constexpr int mode = 0600;
  const std::string out = folder.path("out");
  const std::string err = folder.path("err");
  dup2(open(folder.path("in").c_str(), O_RDONLY), STDIN_FILENO);
  dup2(open(out.c_str(), O_WRONLY | O_CREAT | O_TRUNC, mode), STDOUT_FILENO);
  dup2(open(err.c_str(), O_WRONLY | O_CREAT | O_TRUNC, mode), STDERR_FILENO);
  unsetenv("COLUMNS");                            // pages are as wide as in a pipe of anybody
  setenv("WATCHLAB_CALLED_AS", "./watchlab", 0);  // as lines to paste begin
  execv(words.front(), words.data());
  _exit(127);
}

/// The signals that a process has a handler for, as bits; all of them when it is gone.
std::uint64_t caught_signals(pid_t process) {
  std::ifstream status("/proc/" + std::to_string(process) + "/status");
  for (std::string line; std::getline(status, line);) {
    if (line.starts_with("SigCgt:")) {
      return std::stoull(line.substr(line.find_first_not_of(" \t", 7)), nullptr, 16);
    }
  }
  return UINT64_MAX;
}

/// What a process has used of a processor; much when it is gone.
double used_seconds(pid_t process) {
  std::ifstream stat("/proc/" + std::to_string(process) + "/stat");
  std::string word;
  double ticks = 0;
  constexpr int user = 14;
  for (int field = 1; field <= user + 1; ++field) {
    if (!(stat >> word)) {
      return 1e9;
    }
    ticks += field >= user ? std::stod(word) : 0;
  }
  return ticks / static_cast<double>(sysconf(_SC_CLK_TCK));
}

/// Interrupts a process that has a handler for that and has done some work.
void interrupt_at_work(pid_t process) {
  constexpr double some_work = 0.2;
  while ((caught_signals(process) >> (SIGINT - 1) & 1U) == 0 || used_seconds(process) < some_work) {
    sched_yield();
  }
  kill(process, SIGINT);
}

double seconds_of(const timeval& time) {
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) / 1e6;
}

}  // namespace

Finished run_watchlab(const std::vector<std::string>& arguments, const ProcessOptions& options) {
  const TemporaryFolder folder;
  folder.write("in", options.input);
  std::vector<std::string> words{options.program};
  words.insert(words.end(), arguments.begin(), arguments.end());
  std::vector<char*> pointers;
  for (std::string& word : words) {
    pointers.push_back(word.data());
  }
  pointers.push_back(nullptr);
  const pid_t child = fork();
  if (child == 0) {
    if (!options.folder.empty() && chdir(options.folder.c_str()) != 0) {
      _exit(126);
    }
    if (options.pending != 0) {
      sigset_t signals;
      sigemptyset(&signals);
      sigaddset(&signals, options.pending);
      sigprocmask(SIG_BLOCK, &signals, nullptr);
      raise(options.pending);
    }
    become(pointers, folder);
  }
  if (child > 0 && options.interrupted) {
    interrupt_at_work(child);
  }
  int status = 0;
  rusage usage{};
  if (child < 0 || wait4(child, &status, 0, &usage) != child) {
    throw std::runtime_error("the program could not be run");
  }
  Finished finished;
  finished.processor_seconds = seconds_of(usage.ru_utime) + seconds_of(usage.ru_stime);
  finished.exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  finished.memory_kilobytes = usage.ru_maxrss;
  finished.out = read_whole(folder.path("out"));
  finished.err = read_whole(folder.path("err"));
  return finished;
}

std::string help_of_all_commands(const std::string& called) {
  // As installed: the menu in a checkout has commands of the launcher, too.
  std::istringstream menu(run_watchlab({"--unset=WATCHLAB_HOME", WATCHLAB_EXECUTABLE, "--help"},
                                       {.program = "/usr/bin/env"})
                              .out);
  std::string names;
  for (std::string line; std::getline(menu, line);) {
    if (line.starts_with("  ")) {
      names += line.substr(0, line.find(' ', 2));
    } else if (const std::string also = "Also:"; line.starts_with(also)) {
      names += line.substr(also.size(), line.find(';') - also.size());
    }
  }
  std::string text;
  std::istringstream words(names);
  for (std::string name; words >> name;) {
    text += run_watchlab({"WATCHLAB_CALLED_AS=" + called, WATCHLAB_EXECUTABLE, name, "--help"},
                         {.program = "/usr/bin/env"})
                .out;
  }
  return text;
}

std::string unwrapped(const std::string& help) {
  return std::regex_replace(help, std::regex("(?: \\\\)?\n {6,}"), " ");
}

std::string shown_on_terminal(const std::vector<std::string>& arguments, unsigned short columns,
                              const std::string& terminal_type) {
  std::vector<std::string> words{WATCHLAB_EXECUTABLE};
  words.insert(words.end(), arguments.begin(), arguments.end());
  std::vector<char*> pointers;
  for (std::string& word : words) {
    pointers.push_back(word.data());
  }
  pointers.push_back(nullptr);
  const winsize size{.ws_row = 24, .ws_col = columns, .ws_xpixel = 0, .ws_ypixel = 0};
  int terminal = -1;
  const pid_t child = forkpty(&terminal, nullptr, nullptr, &size);
  if (child == 0) {
    unsetenv("COLUMNS");
    unsetenv("NO_COLOR");
    setenv("TERM", terminal_type.c_str(), 1);
    setenv("WATCHLAB_CALLED_AS", "./watchlab", 0);  // as in a pipe
    execv(pointers.front(), pointers.data());
    _exit(127);
  }
  if (child < 0) {
    throw std::runtime_error("there is no terminal");
  }
  std::string shown;
  char buffer[4096];
  for (ssize_t count = 1; (count = read(terminal, buffer, sizeof buffer)) > 0;) {
    shown.append(buffer, static_cast<std::size_t>(count));
  }
  close(terminal);
  int status = 0;
  (void)waitpid(child, &status, 0);
  return shown;
}

TemporaryFolder::TemporaryFolder() {
  std::string pattern = (std::filesystem::temp_directory_path() / "watchlab-XXXXXX").string();
  if (mkdtemp(pattern.data()) == nullptr) {
    throw std::runtime_error("no temporary folder can be made");
  }
  folder_ = pattern;
}

TemporaryFolder::~TemporaryFolder() {
  std::error_code ignored;
  std::filesystem::remove_all(folder_, ignored);
}

std::string TemporaryFolder::write(const std::string& name, const std::string& text) const {
  std::ofstream(path(name), std::ios::binary) << text;
  return path(name);
}

ProcessOptions installed_in(const TemporaryFolder& folder, const std::string& name) {
  namespace fs = std::filesystem;
  const fs::path built = fs::path(WATCHLAB_EXECUTABLE).parent_path();
  const fs::path root = built.parent_path().parent_path();
  const fs::path prefix = folder.path("scenarios");
  fs::create_directories(prefix / "bin");
  fs::create_directories(prefix / "share" / "watchlab");
  fs::create_directory_symlink(fs::absolute("scenarios"), prefix / "share/watchlab/scenarios");
  fs::copy_file(WATCHLAB_EXECUTABLE, prefix / "bin" / name);
  fs::create_symlink(fs::absolute(built / "watchlab-serve"), prefix / "bin" / "watchlab-serve");
  for (const auto& entry : fs::directory_iterator(root)) {  // the libraries, of its $ORIGIN/../..
    if (entry.path().filename().string().starts_with("lib")) {
      fs::create_symlink(fs::absolute(entry.path()), folder.path(entry.path().filename()));
    }
  }
  unsetenv("WATCHLAB_HOME");  // another case sets it
  return {.program = (prefix / "bin" / name).string(), .folder = (prefix / "bin").string()};
}

std::string read_whole(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

}  // namespace watchlab::tests
