#include <boost/test/unit_test.hpp>
#include <fstream>
#include <iterator>
#include <set>
#include <string>
#include <string_view>

#include "sim/explore/explore.hpp"
#include "tests/scoreboard/program.hpp"
#include "tests/scoreboard/trials.hpp"

namespace watchlab::scoreboard {
BOOST_AUTO_TEST_SUITE(sctbench_test)

namespace {

/// The first failure within `cap` schedules: its kind, or "missed".
std::string found(const Program& program, std::string_view strategy, std::size_t cap) {
  const auto trials = play(program, {.strategy = std::string(strategy), .trials = 1, .cap = cap});
  return trials.front().kind.value_or("missed");
}

}  // namespace

BOOST_AUTO_TEST_CASE(each_program_has_the_bug_that_its_row_names) {
  for (const Program& each : sctbench()) {
    const std::string kind = found(each, "portfolio", 2000);
    const bool is_for_nobody = each.published.surw.found == 0;  // within so few schedules
    BOOST_TEST(is_of(each, kind) != is_for_nobody, each.name << ": " << kind);
  }
}

BOOST_AUTO_TEST_CASE(programs_that_fail_in_every_schedule_fail_in_the_first) {
  for (const Program& each : sctbench()) {
    for (const std::string_view name : {"CS/sync01", "CS/sync02", "CS/phase01", "CS/fsbench"}) {
      if (each.name == name) {
        BOOST_TEST(play(each, {.trials = 1}).front().schedules == 1U, name);
      }
    }
  }
}

BOOST_AUTO_TEST_CASE(a_trial_with_the_same_seed_comes_to_the_same) {
  for (const Program& each : sctbench()) {
    if (each.name == "CS/lazy01") {
      const auto first = play(each, {.strategy = "random", .seed = 3, .trials = 2});
      const auto second = play(each, {.strategy = "random", .seed = 4, .trials = 1});
      BOOST_TEST(first.at(1).schedules == second.at(0).schedules);
    }
  }
}

BOOST_AUTO_TEST_CASE(names_are_unique_and_figures_within_their_caps) {
  std::set<std::string_view> names;
  for (const Program& each : sctbench()) {
    BOOST_TEST(names.insert(each.name).second, each.name);
    for (const auto& figure : {each.published.surw, each.published.pct3, each.published.pct10,
                               each.published.pos, each.published.random, each.published.period}) {
      BOOST_TEST(figure.found <= 20, each.name);
      BOOST_TEST(figure.median <= 10'000, each.name);
      BOOST_TEST((figure.found >= 10) == (figure.median > 0), each.name);
    }
  }
}

BOOST_AUTO_TEST_CASE(the_page_has_a_row_for_each_program) {
  std::ifstream file("docs/scoreboard.md");
  const std::string page{std::istreambuf_iterator<char>(file), {}};
  for (const Program& each : sctbench()) {
    const std::string row = "\n| " + std::string(each.name) + (each.remark.empty() ? " |" : "* |");
    BOOST_TEST(page.find(row) != std::string::npos, each.name);
  }
}

BOOST_AUTO_TEST_SUITE_END()
}  // namespace watchlab::scoreboard
