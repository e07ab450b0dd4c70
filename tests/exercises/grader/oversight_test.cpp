// What a grader leaves when a signal ends it, or when it dies: nothing.
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>

#include "exercises/sandbox/processes.hpp"
#include "tests/exercises/grader/scratch_folder.hpp"

namespace watchlab::course {

BOOST_AUTO_TEST_SUITE(oversight_test)

namespace {

namespace fs = std::filesystem;

/// A process in a session of its own that heeds no polite signal. Its number is written to `report`
/// when all of that is so.
void start_stubborn(int report) {
  std::array<int, 2> ready{};
  static_cast<void>(::pipe(ready.data()) == 0);
  const pid_t child = ::fork();
  if (child == 0) {
    ::setsid();
    for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
      (void)std::signal(signal, SIG_IGN);
    }
    static_cast<void>(::write(ready[1], "r", 1) == 1);
    while (true) {
      ::pause();
    }
  }
  char byte = 0;
  static_cast<void>(::read(ready[0], &byte, 1) == 1 &&
                    ::write(report, &child, sizeof child) == sizeof child);
}

/// What an overseen grader comes to that has started such a process and made a folder.
struct Overseen {
  int status = 0;
  bool is_clean = false;       ///< nothing is left in the folder for temporary files
  bool has_ended_all = false;  ///< the stubborn process is gone
};

/// `end` is done in the work once all is started; `ask` by the caller, with the overseer's number.
Overseen oversee_work(const std::function<void()>& end, const std::function<void(pid_t)>& ask) {
  const ScratchFolder place;
  std::array<int, 2> reports{};
  BOOST_TEST_REQUIRE(::pipe(reports.data()) == 0);
  const pid_t overseer = ::fork();
  if (overseer == 0) {
    ::setenv("TMPDIR", place.path().c_str(), 1);
    for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
      ::signal(signal, SIG_DFL);  // who runs the tests behind nohup has them ignored
    }
    oversee();
    fs::create_directory(fs::temp_directory_path() / "stage");
    std::ofstream(fs::temp_directory_path() / "stage/file") << "text";
    start_stubborn(reports[1]);
    end();
    ::_exit(0);
  }
  pid_t stubborn = 0;
  BOOST_TEST_REQUIRE(::read(reports[0], &stubborn, sizeof stubborn) == sizeof stubborn);
  ask(overseer);
  Overseen overseen;
  BOOST_TEST_REQUIRE(::waitpid(overseer, &overseen.status, 0) == overseer);
  overseen.is_clean = fs::is_empty(place.path());
  overseen.has_ended_all = ::kill(stubborn, 0) != 0 && errno == ESRCH;
  ::kill(stubborn, SIGKILL);
  ::close(reports[0]);
  ::close(reports[1]);
  return overseen;
}

void wait_to_be_ended() {
  while (true) {
    ::pause();
  }
}

}  // namespace

BOOST_DATA_TEST_CASE(a_signal_ends_all_that_was_started_and_leaves_no_folder,
                     boost::unit_test::data::make({SIGINT, SIGTERM, SIGHUP}), signal) {
  const Overseen overseen =
      oversee_work(wait_to_be_ended, [signal](pid_t overseer) { ::kill(overseer, signal); });
  BOOST_TEST(WIFSIGNALED(overseen.status));
  BOOST_TEST(WTERMSIG(overseen.status) == signal);
  BOOST_TEST(overseen.is_clean);
  BOOST_TEST(overseen.has_ended_all);
}

BOOST_AUTO_TEST_CASE(a_grader_that_dies_leaves_nothing_either) {
  const Overseen overseen = oversee_work([] { ::raise(SIGKILL); }, [](pid_t) {});
  BOOST_TEST(WIFSIGNALED(overseen.status));
  BOOST_TEST(WTERMSIG(overseen.status) == SIGKILL);
  BOOST_TEST(overseen.is_clean);
  BOOST_TEST(overseen.has_ended_all);
}

BOOST_AUTO_TEST_CASE(what_is_unfinished_goes_with_the_work) {
  const ScratchFolder place;
  const fs::path unfinished = place.path() / "unfinished";
  const pid_t overseer = ::fork();
  if (overseer == 0) {
    ::signal(SIGTERM, SIG_DFL);
    oversee(unfinished);
    fs::create_directories(unfinished / "part");
    std::ofstream(place.path() / "begun") << "text";
    wait_to_be_ended();
  }
  while (!fs::exists(place.path() / "begun")) {
    ::usleep(1000);
  }
  ::kill(overseer, SIGTERM);
  int status = 0;
  BOOST_TEST(::waitpid(overseer, &status, 0) == overseer);
  BOOST_TEST(!fs::exists(unfinished));
}

BOOST_DATA_TEST_CASE(after_a_signal_or_a_failure_the_caller_has_the_last_word,
                     boost::unit_test::data::make({0, 1, 2, -SIGKILL}), end) {
  const ScratchFolder place;
  const pid_t overseer = ::fork();
  if (overseer == 0) {
    oversee({}, [&] { std::ofstream(place.path() / "after") << "text"; });
    end < 0 ? static_cast<void>(::raise(-end)) : ::_exit(end);
  }
  int status = 0;
  BOOST_TEST(::waitpid(overseer, &status, 0) == overseer);
  BOOST_TEST(fs::exists(place.path() / "after") == (end == 1 || end < 0));
}

// A list of folders for the loader or the linker ends at these, and what is graded would not start.
BOOST_DATA_TEST_CASE(a_temporary_folder_that_breaks_lists_of_folders_is_refused,
                     boost::unit_test::data::make({"a:b", "a;b", "a$b", "a,b", "a\nb"}), name) {
  const ScratchFolder place;
  fs::create_directory(place.path() / name);
  const char* const before = std::getenv("TMPDIR");
  const std::string kept = before == nullptr ? "" : before;
  ::setenv("TMPDIR", (place.path() / name).c_str(), 1);
  BOOST_CHECK_THROW(static_cast<void>(new_work_folder()), BadTemporaryFolder);
  ::setenv("TMPDIR", (place.path() / "none").c_str(), 1);
  BOOST_CHECK_THROW(static_cast<void>(new_work_folder()), BadTemporaryFolder);
  before == nullptr ? ::unsetenv("TMPDIR") : ::setenv("TMPDIR", kept.c_str(), 1);
}

BOOST_AUTO_TEST_CASE(what_the_grader_ends_with_is_what_the_caller_sees) {
  const Overseen overseen = oversee_work([] { ::_exit(3); }, [](pid_t) {});
  BOOST_TEST(WIFEXITED(overseen.status));
  BOOST_TEST(WEXITSTATUS(overseen.status) == 3);
  BOOST_TEST(overseen.is_clean);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace watchlab::course
