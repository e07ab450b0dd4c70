// The main function of test programs: Boost.Test's, with an ear for the grader.
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <boost/test/framework.hpp>
#include <boost/test/results_collector.hpp>
#include <boost/test/tree/observer.hpp>
#include <boost/test/tree/traverse.hpp>
#include <boost/test/tree/visitor.hpp>
#include <boost/test/unit_test.hpp>
#include <boost/test/unit_test_log.hpp>
#include <exception>
#include <sstream>
#include <string>
#include <vector>

#include "exercises/toolkit/loaded_suite.hpp"
#include "exercises/toolkit/session.hpp"

namespace watchlab::course {
namespace {

namespace test = boost::unit_test;

constexpr std::size_t kLogBytesMax = 16 * 1024;

/// Reports what Boost.Test does.
class Listener final : public test::test_observer {
 public:
  /// Boost.Test writes its log into `log`.
  explicit Listener(std::ostringstream& log) : log_(log) {}

  void test_unit_start(const test::test_unit& unit) override {
    if (unit.p_type == test::TUT_CASE) {
      log_.str("");
      Session::of_program().begin(unit.full_name());
    }
  }
  void test_unit_finish(const test::test_unit& unit, unsigned long /*microseconds*/) override {
    if (unit.p_type == test::TUT_CASE) {
      const bool passed = test::results_collector.results(unit.p_id).passed();
      Session::of_program().end(passed, log_.str().substr(0, kLogBytesMax));
    }
  }
  /// Before Boost.Test's own observers, whose results are looked at above, it would come too early.
  int priority() override { return 10; }

 private:
  std::ostringstream& log_;
};

/// Counts what there is.
class Count final : public test::test_tree_visitor {
 public:
  std::size_t cases = 0;
  std::size_t longest_name = 0;

  bool visit(const test::test_unit& unit) override {
    cases += unit.p_type == test::TUT_CASE ? 1 : 0;
    longest_name = std::max(longest_name, unit.p_name->size());
    return true;
  }
};

/// Switches off what is not to be run, and names all that there is.
class Census final : public test::test_tree_visitor {
 public:
  bool visit(const test::test_unit& unit) override {
    if (unit.p_type == test::TUT_CASE) {
      Session& session = Session::of_program();
      const std::string name = unit.full_name();
      session.report({"found", name, ""});
      if (!is_wanted(session.settings(), name)) {
        test::framework::get(unit.p_id, test::TUT_CASE).p_default_status.value =
            test::test_unit::RS_DISABLED;
      }
    }
    return true;
  }

 private:
  static bool has(const std::vector<std::string>& names, const std::string& name) {
    return std::find(names.begin(), names.end(), name) != names.end();
  }
  static bool is_wanted(const RunSettings& settings, const std::string& name) {
    return (settings.cases.empty() || has(settings.cases, name)) && !has(settings.left_out, name);
  }
};

/// What lives as long as the tests run.
struct Stage {
  std::ostringstream log;
  Listener listener{log};
};

Stage& stage() {
  static Stage stage;
  return stage;
}

bool prepare() {
  Count count;
  test::traverse_test_tree(test::framework::master_test_suite(), count, true);
  if (count.cases > kTestsMax) {
    Session::of_program().report({"too many", std::to_string(count.cases), ""});
    ::_exit(1);
  }
  if (count.longest_name > kSubjectBytesMax) {
    Session::of_program().report({"too long", std::to_string(count.longest_name), ""});
    ::_exit(1);
  }
  Census census;
  test::traverse_test_tree(test::framework::master_test_suite(), census, true);
  test::framework::register_observer(stage().listener);
  test::unit_test_log.set_stream(stage().log);
  return true;
}

/// The arguments of Boost.Test under a grader: a crash is a crash, and words go nowhere.
std::vector<std::string> graded_arguments(const char* program) {
  std::vector<std::string> arguments{program,
                                     "--catch_system_errors=no",
                                     "--color_output=no",
                                     "--log_level=error",
                                     "--report_level=no",
                                     "--detect_memory_leaks=0"};
  const RunSettings& settings = Session::of_program().settings();
  if (settings.shuffled) {
    arguments.push_back(fmt::format("--random={}", settings.seed + 1));  // 1 stands for the clock
  }
  return arguments;
}

bool leave_as_it_is() { return true; }

int run_graded(const char* program) {
  std::vector<std::string> arguments = graded_arguments(program);
  std::vector<char*> pointers;
  for (std::string& argument : arguments) {
    pointers.push_back(argument.data());
  }
  const int status =
      test::unit_test_main(&prepare, static_cast<int>(pointers.size()), pointers.data());
  Session::of_program().report({"done", "", ""});
  return status;
}

}  // namespace

int run_tests(const char* program) {
  if (Session::of_program().is_graded()) {
    return run_graded(program);
  }
  std::string name = program;
  std::array<char*, 2> arguments{name.data(), nullptr};
  return test::unit_test_main(&leave_as_it_is, 1, arguments.data());
}

}  // namespace watchlab::course

int main(int argc, char** argv) {
  using namespace watchlab::course;
  return Session::of_program().is_graded()
             ? run_tests(argv[0])
             : boost::unit_test::unit_test_main(&leave_as_it_is, argc, argv);
}
