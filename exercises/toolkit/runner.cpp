// The main function of test programs: Boost.Test's, which reports to the grader.
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
#include <cstdint>
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

/// All suites and cases.
class Units final : public test::test_tree_visitor {
 public:
  Units() { test::traverse_test_tree(test::framework::master_test_suite(), *this, true); }

  std::vector<const test::test_unit*> cases;
  std::size_t longest_name = 0;

 private:
  bool visit(const test::test_unit& unit) override {
    if (unit.p_type == test::TUT_CASE) {
      cases.push_back(&unit);
    }
    longest_name = std::max(longest_name, unit.p_name->size());
    return true;
  }
};

bool is_wanted(const RunSettings& settings, const std::string& name) {
  const auto is_named_in = [&name](const std::vector<std::string>& names) {
    return std::ranges::find(names, name) != names.end();
  };
  return (settings.cases.empty() || is_named_in(settings.cases)) && !is_named_in(settings.left_out);
}

[[noreturn]] void refuse(const char* why, std::size_t number) {
  Session::of_program().report({why, std::to_string(number), ""});
  ::_exit(1);
}

/// What lives as long as the tests run.
struct Stage {
  std::ostringstream log;
  Listener listener{log};
};

Stage& stage() {
  static Stage stage;
  return stage;
}

/// Names all cases, and switches off those that are not to be run.
bool prepare() {
  Session& session = Session::of_program();
  const Units units;
  if (units.cases.size() > kTestsMax) {
    refuse("too many", units.cases.size());
  }
  if (units.longest_name > kSubjectBytesMax) {
    refuse("too long", units.longest_name);
  }
  for (const test::test_unit* const unit : units.cases) {
    const std::string name = unit->full_name();
    session.report({"found", name, ""});
    if (!is_wanted(session.settings(), name)) {
      test::framework::get(unit->p_id, test::TUT_CASE).p_default_status.value =
          test::test_unit::RS_DISABLED;
    }
  }
  test::framework::register_observer(stage().listener);
  test::unit_test_log.set_stream(stage().log);
  return true;
}

/// The arguments of Boost.Test under a grader: a crash is a crash, and the log goes nowhere.
std::vector<std::string> graded_arguments(const char* program) {
  std::vector<std::string> arguments{program,
                                     "--catch_system_errors=no",
                                     "--color_output=no",
                                     "--log_level=error",
                                     "--report_level=no",
                                     "--detect_memory_leaks=0"};
  const RunSettings& settings = Session::of_program().settings();
  if (settings.shuffled) {
    // 0 is no order, 1 stands for the clock, and it has 32 bits.
    constexpr std::uint64_t orders = 1'000'000'000;
    arguments.push_back(fmt::format("--random={}", 2 + settings.seed % orders));
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

std::string log_of_checks() { return Session::of_program().is_graded() ? stage().log.str() : ""; }

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
