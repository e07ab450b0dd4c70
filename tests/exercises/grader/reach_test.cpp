#include <sys/wait.h>
#include <unistd.h>

#include <boost/test/unit_test.hpp>
#include <fstream>
#include <functional>

#include "exercises/sandbox/namespaces.hpp"
#include "tests/exercises/grader/scratch_folder.hpp"

namespace watchlab::course {
namespace fs = std::filesystem;

BOOST_AUTO_TEST_SUITE(reach_test,
                      *boost::unit_test::precondition([](auto) { return ::geteuid() == 0; }))

namespace {

constexpr uid_t kAnotherUser = 64'099;

/// A folder that only root may enter, with two folders in it.
struct ClosedFolder {
  ClosedFolder() {
    for (const char* const name : {"shown", "hidden"}) {
      fs::create_directories(scratch.path() / "home" / name);
      std::ofstream(scratch.path() / "home" / name / "file") << name;
    }
    fs::permissions(scratch.path(), fs::perms(0755));
    fs::permissions(home(), fs::perms::owner_all);
  }
  [[nodiscard]] fs::path home() const { return scratch.path() / "home"; }

  ScratchFolder scratch;
};

/// Whether `claim` holds for a process that becomes another user once it has done `before`.
bool holds_for_another_user(const std::function<void()>& before,
                            const std::function<bool()>& claim) {
  const pid_t child = ::fork();
  if (child == 0) {
    try {
      before();
    } catch (const std::exception& error) {
      ::dprintf(STDERR_FILENO, "could not %s\n", error.what());
      ::_exit(2);
    }
    ::_exit(::setuid(kAnotherUser) == 0 && claim() ? 0 : 1);
  }
  int status = 1;
  ::waitpid(child, &status, 0);
  return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

bool can_read(const fs::path& file) { return std::ifstream(file).peek() != EOF; }

}  // namespace

BOOST_AUTO_TEST_CASE(a_closed_folder_is_in_the_way_of_others) {
  const ClosedFolder folder;
  BOOST_TEST(
      !holds_for_another_user([] {}, [&] { return can_read(folder.home() / "shown/file"); }));
}

BOOST_AUTO_TEST_CASE(what_is_to_be_read_is_reached_and_nothing_beside_it) {
  const ClosedFolder folder;
  const auto reach = [&] {
    make_reachable({folder.home() / "shown", folder.home() / "shown/file", "/usr"});
  };
  BOOST_TEST(holds_for_another_user(reach, [&] { return can_read(folder.home() / "shown/file"); }));
  BOOST_TEST(holds_for_another_user(reach, [&] { return !fs::exists(folder.home() / "hidden"); }));
  BOOST_TEST(can_read(folder.home() / "hidden/file"));  // it is another view, not another folder
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace watchlab::course
