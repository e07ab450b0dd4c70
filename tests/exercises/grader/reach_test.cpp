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
    show_only({folder.home() / "shown", folder.home() / "shown/file", "/usr", "/no/such/file"});
  };
  BOOST_TEST(holds_for_another_user(reach, [&] { return can_read(folder.home() / "shown/file"); }));
  BOOST_TEST(holds_for_another_user(reach, [&] { return !fs::exists(folder.home() / "hidden"); }));
  BOOST_TEST(holds_for_another_user(reach, [] { return fs::exists("/usr/bin"); }));
  BOOST_TEST(holds_for_another_user(reach, [] { return !fs::exists("/etc"); }));
  BOOST_TEST(can_read(folder.home() / "hidden/file"));  // it is another view, not another folder
}

BOOST_AUTO_TEST_CASE(a_folder_that_is_not_closed_is_hidden_as_well) {
  const ClosedFolder folder;
  fs::permissions(folder.home(), fs::perms(0755));
  const fs::path hidden = folder.home() / "hidden/file";
  BOOST_TEST(holds_for_another_user([] {}, [&] { return can_read(hidden); }));
  const auto narrow = [&] { show_only({folder.home() / "shown"}); };
  BOOST_TEST(holds_for_another_user(narrow, [&] { return !fs::exists(hidden); }));
}

BOOST_AUTO_TEST_CASE(a_user_sees_nothing_else_either_where_there_are_user_namespaces) {
  const ClosedFolder folder;
  fs::permissions(folder.home(), fs::perms(0755));
  const auto as_a_user = [&] {
    if (::setgid(kAnotherUser) != 0 || ::setuid(kAnotherUser) != 0) {
      return false;
    }
    const EmptyNetwork network;
    if (!can_show_only(network)) {
      BOOST_TEST_MESSAGE("this machine gives users no views of their own");
      return true;
    }
    static_cast<void>(network.enter_user());
    show_only({folder.home() / "shown"});
    return can_read(folder.home() / "shown/file") && !fs::exists(folder.home() / "hidden");
  };
  const pid_t child = ::fork();
  if (child == 0) {
    ::_exit(as_a_user() ? 0 : 1);
  }
  int status = 1;
  ::waitpid(child, &status, 0);
  BOOST_TEST(WIFEXITED(status));
  BOOST_TEST(WEXITSTATUS(status) == 0);
}

BOOST_AUTO_TEST_CASE(without_a_view_a_closed_folder_is_named) {
  const ClosedFolder folder;
  BOOST_CHECK_NO_THROW(require_open({"/usr", folder.scratch.path()}));
  BOOST_CHECK_EXCEPTION(
      require_open({"/usr", folder.home() / "shown"}), std::runtime_error,
      [&](const std::runtime_error& error) {
        return std::string(error.what()).starts_with("open " + folder.home().string());
      });
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace watchlab::course
