#include "sim/story/program_start.hpp"

#include <fcntl.h>
#include <spawn.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <string_view>

namespace watchlab::sim {
namespace {

std::vector<char*> pointers_to(std::vector<std::string>& texts) {
  std::vector<char*> pointers;
  for (std::string& text : texts) {
    pointers.push_back(text.data());
  }
  pointers.push_back(nullptr);
  return pointers;
}

std::vector<std::string> environment_of(const ProgramStart& start) {
  std::vector<std::string> environment;
  for (char** each = environ; *each != nullptr; ++each) {
    const std::string_view entry(*each);
    if (std::ranges::none_of(start.variables, [&](const auto& variable) {
          return entry.starts_with(variable.first + "=");
        })) {
      environment.emplace_back(entry);
    }
  }
  for (const auto& [name, value] : start.variables) {
    environment.push_back(name + "=" + value);
  }
  return environment;
}

void set_signals(posix_spawnattr_t& attributes, bool has_group) {
  sigset_t all;
  (void)sigfillset(&all);
  sigset_t none;
  (void)sigemptyset(&none);
  (void)::posix_spawnattr_setsigdefault(&attributes, &all);
  (void)::posix_spawnattr_setsigmask(&attributes, &none);
  (void)::posix_spawnattr_setpgroup(&attributes, 0);
  const int group = has_group ? POSIX_SPAWN_SETPGROUP : 0;
  (void)::posix_spawnattr_setflags(
      &attributes, static_cast<short>(POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK | group));
}

void set_streams(posix_spawn_file_actions_t& actions, const ProgramStart& start) {
  if (!start.descriptors.empty() && !start.keeps_input) {
    (void)::posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  }
  for (const auto& [ours, theirs] : start.descriptors) {
    (void)::posix_spawn_file_actions_adddup2(&actions, ours, theirs);
  }
  if (!start.folder.empty()) {
    (void)::posix_spawn_file_actions_addchdir_np(&actions, start.folder.c_str());
  }
}

}  // namespace

ProgramStarted start_program(ProgramStart start) {
  std::vector<std::string> environment = environment_of(start);
  posix_spawnattr_t attributes;
  (void)::posix_spawnattr_init(&attributes);
  set_signals(attributes, start.has_group);
  posix_spawn_file_actions_t actions;
  (void)::posix_spawn_file_actions_init(&actions);
  set_streams(actions, start);
  ProgramStarted started;
  started.failure =
      ::posix_spawnp(&started.process, start.words.front().c_str(), &actions, &attributes,
                     pointers_to(start.words).data(), pointers_to(environment).data());
  (void)::posix_spawn_file_actions_destroy(&actions);
  (void)::posix_spawnattr_destroy(&attributes);
  if (started.failure != 0) {
    started.process = -1;
  }
  return started;
}

}  // namespace watchlab::sim
