// What dpor and dfs call exhausted, against an oracle of its own; see oracle/comparison.hpp.
#include <fmt/format.h>

#include <algorithm>
#include <boost/algorithm/string/trim.hpp>
#include <boost/test/unit_test.hpp>
#include <string>
#include <utility>
#include <vector>

#include "sim/explore/portfolio_strategy.hpp"
#include "tests/sim/explore/oracle/comparison.hpp"
#include "tests/sim/explore/oracle/listing.hpp"
#include "tests/support/campaign.hpp"

namespace watchlab::sim::oracle {
BOOST_AUTO_TEST_SUITE(oracle_test)

namespace {

std::size_t classes_of(const std::string& text) {
  return Graph(parse_listing(text), Limits{}).classes();
}

}  // namespace

BOOST_AUTO_TEST_CASE(listings_are_text_and_back) {
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    const std::string text = to_string(generate(seed));
    BOOST_TEST(to_string(parse_listing(text)) == text);
  }
  BOOST_CHECK_THROW((void)parse_listing("fly 1"), std::invalid_argument);
  BOOST_CHECK_THROW((void)parse_listing("store"), std::invalid_argument);
}

BOOST_AUTO_TEST_CASE(classes_are_as_many_as_theory_says) {
  const std::vector<std::pair<std::string, std::size_t>> rows{
      {"store 0 | store 1", 1},
      {"store 0 | store 0", 2},
      {"load 0 | load 0", 1},
      {"store 0 | load 0 | load 0 | load 0", 8},
      {"lock 0 | lock 0 | lock 0", 6},
      {"lock 0; unlock 0; lock 0 | lock 0; unlock 0; lock 0 | lock 0; unlock 0; lock 0", 90},
      {"lock 0; lock 1 | lock 1; lock 0", 3},
      {"send 0 | receive 0", 1},
      {"send 1; send 1 | send 1; send 1 | receive 1; receive 1; receive 1; receive 1", 6},
      {"read_lock | read_lock", 1},
      {"write_lock | write_lock", 2},
      {"choose 3 | choose 2", 6},
      {"sleep 1 | sleep 1", 1},
  };
  for (const auto& [text, expected] : rows) {
    BOOST_TEST(classes_of(text) == expected, text << ": " << classes_of(text));
  }
}

BOOST_AUTO_TEST_CASE(a_search_that_leaves_something_out_is_noticed) {
  FifoStrategy one_run;
  const Listing listing = parse_listing("store 0 | load 0");
  const Graph graph(listing, {});
  const Found found = search(one_run, listing, &graph, 1);
  BOOST_TEST(found.error == "");
  BOOST_TEST(found.outcomes.size() == 1U);
  BOOST_TEST(found.classes.size() == 1U);
  BOOST_TEST(graph.outcomes().size() == 2U);
  BOOST_TEST(graph.classes() == 2U);
}

BOOST_AUTO_TEST_CASE(a_listing_shrinks_to_what_still_fails) {
  const Listing listing =
      parse_listing("load 1; store 0; sleep 1 | yield | select s0 r1 r2; load 0 | send 0");
  const Listing small = shrink(listing, [](const Listing& smaller) {
    const bool selects = std::ranges::any_of(smaller.tasks, [](const auto& task) {
      return std::ranges::any_of(task, [](const Instruction& instruction) {
        return std::ranges::count(instruction.arms, 1, &Arm::channel) > 0;
      });
    });
    return selects && smaller.has(Verb::Store);
  });
  BOOST_TEST(to_string(small) == "store 0 | select r1");
}

BOOST_AUTO_TEST_CASE(listed_programs_lose_nothing) {
  const std::vector<std::string> listed{
      // Accesses of four tasks.
      "exchange 2 | store 1; exchange 1 | store 0; load 2 | exchange 1; exchange 0",
      // Two senders and a receiver without a buffer.
      "send 0; send 0 | send 0; send 0 | receive 0; receive 0; receive 0; receive 0",
      // A select takes the value that another task waits for.
      "select s2; receive 0 | send 0 | select r0 r3; size 2",
      "select s3 r1 | send 1; poll r1; receive 3",
      // A timer is due at the same instant as a poll, a sender, a stop, another timer.
      "timers 1 0 | sleep 1; try_receive 5",
      "timers 1 0 | sleep 1; send 0 | select r5 r0",
      "timers 1 0 | sleep 1; timer_stop 0; size 5",
      "timers 1 1 | select r5 r6",
      "timers 2 1 | receive 1; send 0 | try_receive 0 | send 1",
      // Whether a wait for a group sleeps is settled where it is announced.
      "group_done; group_wait | group_done | group_wait; group_add 1",
      "group_wait; group_add 1 | group_done; group_wait | group_done",
  };
  for (const std::string& text : listed) {
    const Comparison comparison = compare(parse_listing(text));
    BOOST_TEST(comparison.done, text);
    for (const std::string& difference : comparison.differences) {
      BOOST_TEST(false, text << ": " << difference);
    }
  }
}

namespace {

/// Whether a task does the same three times in a row. The kernel may take that for a loop that
/// polls (see `Spinning`), which the state machine knows nothing of; theme std-polls judges such
/// loops.
bool polls(const std::string& listing) {
  std::vector<std::string> last;
  std::size_t begin = 0;
  while (begin < listing.size()) {
    const std::size_t end = std::min(listing.find_first_of(";|", begin), listing.size());
    std::string word = listing.substr(begin, end - begin);
    boost::algorithm::trim(word);
    last.push_back(std::move(word));
    const std::size_t count = last.size();
    if (count >= 3 && last[count - 1] == last[count - 2] && last[count - 1] == last[count - 3]) {
      return true;
    }
    if (end < listing.size() && listing[end] == '|') {
      last.clear();
    }
    begin = end + 1;
  }
  return false;
}

}  // namespace

BOOST_AUTO_TEST_CASE(dpor_and_dfs_agree_with_the_oracle_on_generated_programs) {
  const std::size_t programs = tests::pieces_of({.default_one = 2'000, .lengthy = 20'000});
  std::size_t not_done = 0;
  for (std::uint64_t seed = 1; seed <= programs; ++seed) {
    const Listing listing = generate(seed);
    if (polls(to_string(listing))) {
      continue;
    }
    const Comparison comparison = compare(listing);
    not_done += comparison.done ? 0 : 1;
    for (const std::string& difference : comparison.differences) {
      BOOST_TEST(false, seed << ": " << to_string(listing) << ": " << difference);
    }
  }
  BOOST_TEST(not_done * 50 <= programs, not_done << " of " << programs << " were too large");
}

// Programs of other seeds than those that the oracle judges.
BOOST_AUTO_TEST_CASE(the_modes_of_dpor_show_the_same) {
  constexpr std::uint64_t kFirst = 1'000'001;
  constexpr std::size_t kRunsMax = 300;
  const std::size_t programs = tests::pieces_of({.default_one = 20'000, .lengthy = 60'000});
  for (std::uint64_t seed = kFirst; seed < kFirst + programs; ++seed) {
    const Listing listing = generate(seed);
    const ModesComparison modes = compare_modes(listing, kRunsMax);
    BOOST_TEST(modes.difference == "",
               seed << ": " << to_string(listing) << ": " << modes.difference);
    if (!modes.asks_oracle || polls(to_string(listing))) {
      continue;
    }
    for (const std::string& difference : compare(listing, {.dfs_runs_max = 0}).differences) {
      BOOST_TEST(false, seed << ": " << to_string(listing) << ": " << difference);
    }
  }
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace watchlab::sim::oracle
