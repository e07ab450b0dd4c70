// Programs of themes, judged by brute force and by a state machine; see oracle/judgement.hpp.
#include <algorithm>
#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>
#include <memory>
#include <ostream>
#include <set>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "sim/explore/portfolio_strategy.hpp"
#include "tests/sim/explore/oracle/judgement.hpp"
#include "tests/support/campaign.hpp"

namespace watchlab::sim::oracle {
BOOST_AUTO_TEST_SUITE(programs_test)

namespace {

/// A theme, and how many of its programs CI judges.
struct Judged {
  std::string_view theme;
  std::size_t programs;  ///< some three seconds' work
  friend std::ostream& operator<<(std::ostream& out, const Judged& judged) {
    return out << judged.theme;
  }
};
const std::vector<Judged> kJudged{
    {"std", 400},  {"std-polls", 400}, {"std-waits", 400}, {"std-time", 300}, {"std-fails", 400},
    {"time", 300}, {"locks", 600},     {"channels", 200},  {"tasks", 1'000},  {"fails", 500},
};

const Word& word_of(const Theme& theme, std::string_view text) {
  for (const WordGroup& group : theme.groups) {
    const auto found = std::ranges::find(group, text, &Word::text);
    if (found != group.end()) {
      return *found;
    }
  }
  throw std::invalid_argument(std::string(text));
}

Program program_of(const Theme& theme, const std::vector<std::vector<std::string_view>>& tasks) {
  Program program{.theme = &theme};
  for (const auto& texts : tasks) {
    program.tasks.emplace_back();
    for (const std::string_view text : texts) {
      program.tasks.back().push_back({.word = &word_of(theme, text)});
    }
  }
  return program;
}

}  // namespace

BOOST_AUTO_TEST_CASE(what_a_search_leaves_out_is_lost) {
  const Program program = program_of(program_theme("std"), {{"a{o}.store({v})"}, {"a{o}.load()"}});
  // It plays one run, and says that there are no more.
  const Judgement judgement = judge(program, [] { return std::make_unique<FifoStrategy>(); });
  BOOST_TEST(judgement.modelled);
  BOOST_TEST(judgement.brute);
  BOOST_TEST((judgement.outcomes == std::set<std::string>{"end | 0 end | ", "end | 100 end | "}));
  BOOST_TEST(judgement.lost.size() == 1U);
  BOOST_TEST(judgement.wrong.empty());
}

BOOST_AUTO_TEST_CASE(what_a_failed_run_hides_is_counted_apart) {
  const Program program = program_of(
      program_theme("fails"),
      {{"a{o}.store({v})"}, {"a{o}.load()", "throw if what was seen last is 0"}, {"a{o}.load()"}});
  const Judgement judgement = judge(program);
  BOOST_TEST(judgement.lost.empty());
  BOOST_TEST(judgement.wrong.empty());
  BOOST_TEST(judgement.outcomes.contains("exception"));
}

// These were lost: a task that found the same twice took all further looks as one.
BOOST_AUTO_TEST_CASE(loops_with_an_end_lose_nothing) {
  const std::vector<Program> programs{
      program_of(
          program_theme("std-polls"),
          {{"a{o}.store({v})"}, {"a{o}.load()", "a{o}.load()", "a{o}.load()", "a{o}.load()"}}),
      program_of(program_theme("std-polls"), {{"f{o}.test_and_set()", "f{o}.test_and_set()",
                                               "f{o}.test_and_set()", "f{o}.test_and_set()"},
                                              {"f{o}.test_and_set()", "f{o}.clear()"}})};
  for (const Program& program : programs) {
    const Judgement judgement = judge(program);
    BOOST_TEST(judgement.modelled);
    BOOST_TEST(judgement.lost.empty(), to_string(program));
    BOOST_TEST(judgement.wrong.empty(), to_string(program));
  }
}

// This one was lost: between its attempts the task reads the clock, as loops do that end at a time.
BOOST_AUTO_TEST_CASE(loops_that_read_the_clock_lose_nothing) {
  Program program =
      program_of(program_theme("time"), {{"t{o}.try_receive()", "t{o}.try_receive()", "now()",
                                          "t{o}.try_receive()", "t{o}.try_receive()"}});
  program.advances = 2;
  const Judgement judgement = judge(program);
  BOOST_TEST(judgement.brute);
  BOOST_TEST(judgement.lost.empty());
  BOOST_TEST(judgement.wrong.empty());
}

// These passed for false: the deadlock of two is reported while the third could still go on, in one
// search earlier than in another.
BOOST_AUTO_TEST_CASE(a_deadlock_beside_a_task_that_can_go_on_is_the_same_whenever_it_is_seen) {
  const Program program = program_of(program_theme("std-fails"),
                                     {{"m{o}.lock()"},
                                      {"m{o}.lock()"},
                                      {"m{o}.try_lock()", "m{o}.try_lock()", "m{o}.try_lock()"}});
  const Judgement judgement = judge(program);
  BOOST_TEST(judgement.brute);
  BOOST_TEST(judgement.lost.empty());
  BOOST_TEST(judgement.wrong.empty());
}

// A strategy that does not come to the deadlock loses it, however far the third task comes.
BOOST_AUTO_TEST_CASE(a_deadlock_beside_a_task_that_can_go_on_is_not_taken_for_another_outcome) {
  const Program program = program_of(
      program_theme("std-fails"),
      {{"m{o}.lock()"}, {"m{o}.try_lock()", "m{o}.try_lock()", "m{o}.try_lock()", "m{o}.lock()"}});
  const Judgement judgement = judge(program, [] { return std::make_unique<FifoStrategy>(); });
  BOOST_TEST(judgement.brute);
  BOOST_TEST(judgement.lost.size() == 1U);
}

// These showed a send that fails although there is room: it passed for one more look of a loop that
// had looked twice at that channel, with two arms of one poll to receive.
BOOST_AUTO_TEST_CASE(a_poll_with_other_arms_is_no_turn_of_a_loop) {
  constexpr int kTwiceToReceive = 9;
  constexpr int kToSendOrReceive = 13;
  Program program = program_of(program_theme("channels"), {{"poll {arms}", "poll {arms}"}, {}});
  program.tasks[0][0].number = kTwiceToReceive;
  program.tasks[0][1].number = kToSendOrReceive;
  const Judgement judgement = judge(program);
  BOOST_TEST((judgement.outcomes == std::set<std::string>{"default 0 end | end | "}));
  BOOST_TEST(judgement.lost.empty());
  BOOST_TEST(judgement.wrong.empty());
}

// This one was lost: a third poll in one line was sure to meet a partner that the second had seen
// about to sleep, though the loop might have given up before it slept.
BOOST_AUTO_TEST_CASE(polls_may_end_before_their_partner_sleeps) {
  Program program = program_of(
      program_theme("channels"),
      {{"ch{o}.send({v})"},
       {"sleep({n}ms)", "ch{o}.try_receive()", "ch{o}.try_receive()", "ch{o}.try_receive()"}});
  program.tasks[1][0].number = 1;  // the other task is about to sleep by then
  const Judgement judgement = judge(program);
  BOOST_TEST(judgement.brute);
  BOOST_TEST(judgement.lost.empty());
  BOOST_TEST(judgement.wrong.empty());
}

BOOST_AUTO_TEST_CASE(a_program_without_a_difference_stays_as_it_is) {
  const Program program = write_program(program_theme("locks"), 1);
  BOOST_TEST(to_string(shrink(program, {})).size() == to_string(program).size());
}

BOOST_DATA_TEST_CASE(strategies_agree_with_brute_force, boost::unit_test::data::make(kJudged),
                     judged) {
  const Theme& theme = program_theme(judged.theme);
  const std::size_t programs =
      tests::pieces_of({.default_one = judged.programs, .lengthy = 20 * judged.programs});
  std::size_t skipped = 0;
  for (std::uint64_t seed = 1; seed <= programs; ++seed) {
    const Program program = write_program(theme, seed);
    const Judgement judgement = judge(program);
    skipped += judgement.skipped ? 1 : 0;
    for (const auto* lines : {&judgement.lost, &judgement.wrong}) {
      for (const std::string& line : *lines) {
        BOOST_TEST(false, to_string(program) << line);
      }
    }
  }
  BOOST_TEST(skipped * 2 <= programs, skipped << " of " << programs << " were too large");
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace watchlab::sim::oracle
