#include "exercises/toolkit/loaded_suite.hpp"

#include <dlfcn.h>
#include <fcntl.h>
#include <linux/landlock.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cstdint>
#include <cstdio>
#include <initializer_list>

#include "exercises/toolkit/seccomp_filter.hpp"
#include "exercises/toolkit/session.hpp"

namespace watchlab::course {
namespace {

/// An exception of an initialiser ends the program, as it does in a program that is not loaded.
void* load(const char* path) noexcept {
  void* const library = ::dlopen(path, RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) {
    std::fprintf(stderr, "%s\n", ::dlerror());
    std::fflush(stderr);
    ::_exit(1);
  }
  return library;
}

/// From here on this process opens no file but these: everything else is loaded. Where the kernel
/// has no Landlock, `Sandbox::walls` says so.
void keep_to_files(std::initializer_list<const char*> paths) {
  landlock_ruleset_attr handled{};
  handled.handled_access_fs = LANDLOCK_ACCESS_FS_EXECUTE | LANDLOCK_ACCESS_FS_READ_FILE |
                              LANDLOCK_ACCESS_FS_READ_DIR | LANDLOCK_ACCESS_FS_WRITE_FILE;
  const int ruleset = static_cast<int>(
      ::syscall(SYS_landlock_create_ruleset, &handled, sizeof handled.handled_access_fs, 0));
  if (ruleset < 0) {
    return;
  }
  for (const char* const path : paths) {
    landlock_path_beneath_attr rule{};
    rule.allowed_access = LANDLOCK_ACCESS_FS_READ_FILE;
    rule.parent_fd = ::open(path, O_PATH | O_CLOEXEC);
    ::syscall(SYS_landlock_add_rule, ruleset, LANDLOCK_RULE_PATH_BENEATH, &rule, 0);
    ::close(rule.parent_fd);
  }
  if (::syscall(SYS_landlock_restrict_self, ruleset, 0) != 0) {
    std::fputs("the other files cannot be kept away\n", stderr);
    std::fflush(stderr);
    ::_exit(1);
  }
  ::close(ruleset);
}

}  // namespace

int run_loaded_suite(const LoadedSuite& suite) {
  load(suite.subject);
  if (Session::of_program().is_graded()) {
    keep_to_files({suite.suite, path_of_wall_library()});
  }
  load(suite.suite);
  return run_tests(suite.program);
}

int serve_loaded_host(const char* path) {
  void* const host = load(path);
  const auto serve = reinterpret_cast<void (*)()>(::dlsym(host, "watchlab_serve"));
  if (serve == nullptr) {
    std::fprintf(stderr, "%s serves no library\n", path);
    return 1;
  }
  static_cast<void>(Session::of_program());
  serve();
  return 1;  // it ends the process itself
}

}  // namespace watchlab::course
