#include "exercises/sandbox/walls.hpp"

#include <linux/keyctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <cerrno>
#include <string>

namespace watchlab::course {

BOOST_AUTO_TEST_SUITE(walls_test)

namespace {

constexpr const char* kName = "watchlab-walls-test";

bool finds_key() {
  return ::syscall(SYS_keyctl, KEYCTL_SEARCH, KEY_SPEC_SESSION_KEYRING, "user", kName, 0) > 0;
}

/// In a process of its own, whose keyring goes with it: 0 when a key of before is found before the
/// wall is raised and not afterwards; else the step that went otherwise.
int step_that_fails() {
  if (!take_own_keyring() ||
      ::syscall(SYS_add_key, "user", kName, "x", 1, KEY_SPEC_SESSION_KEYRING) < 0) {
    return 1;
  }
  if (!finds_key()) {
    return 2;
  }
  if (!take_own_keyring()) {
    return 3;
  }
  return finds_key() || errno != ENOKEY ? 4 : 0;
}

}  // namespace

BOOST_AUTO_TEST_CASE(a_keyring_of_its_own_does_not_hold_the_keys_of_the_one_before) {
  const std::vector<std::string> walls = walls_of_this_machine();
  if (std::ranges::find(walls, "own keyring") == walls.end()) {
    BOOST_TEST_MESSAGE("this machine offers no keyrings");
    return;
  }
  const pid_t child = ::fork();
  if (child == 0) {
    ::_exit(step_that_fails());
  }
  int status = 0;
  BOOST_TEST_REQUIRE(::waitpid(child, &status, 0) == child);
  BOOST_TEST(WIFEXITED(status));
  BOOST_TEST(WEXITSTATUS(status) == 0);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace watchlab::course
