// What dpor and dfs call exhausted, against an oracle of its own; see oracle/comparison.hpp.
#include <fmt/format.h>

#include <algorithm>
#include <boost/algorithm/string/trim.hpp>
#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "sim/explore/dfs_strategy.hpp"
#include "sim/explore/dpor_strategy.hpp"
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

std::unique_ptr<TreeSearch> make(Searched searched) {
  switch (searched) {
    case Searched::Everything:
      return std::make_unique<DfsStrategy>(DfsBounds{});
    case Searched::Bounded:
      return std::make_unique<DfsStrategy>(DfsBounds{.preemptions_max = 1});
    default:
      return std::make_unique<DporStrategy>(searched == Searched::SourceSets
                                                ? DporStrategy::Mode::SourceSets
                                                : DporStrategy::Mode::WakeupTrees);
  }
}

/// What all parts of a search showed.
struct Shared {
  Found found;
  std::size_t given = 0;
  bool ended = true;  ///< within the limit
};

/// How a search is split: after so many runs it gives at most so many parts away, and continues.
struct Split {
  std::size_t runs;
  std::size_t gives_max;
  /// Of all parts together. A search that keeps what it gives away never ends.
  std::size_t parts_max;
};

/// Plays a search in parts, each in a strategy of its own, the rest of the one that gave first.
Shared search_in_parts(Searched searched, const Listing& listing, const Graph& graph,
                       const Split& split) {
  Shared all;
  std::vector<std::string> waiting{""};
  for (std::size_t played = 0; !waiting.empty(); ++played) {
    if (played == split.parts_max) {
      all.ended = false;
      break;
    }
    const std::unique_ptr<TreeSearch> part = make(searched);
    part->share();
    const std::string state = std::move(waiting.back());
    waiting.pop_back();
    if (!state.empty()) {
      part->restore(state);
    }
    Found found = search(*part, listing, &graph, split.runs);
    all.found.executions += found.executions;
    all.found.blocked += found.blocked;
    all.found.error += found.error;
    all.found.outcomes.merge(found.outcomes);
    all.found.classes.merge(found.classes);
    if (found.exhausted) {
      continue;
    }
    for (std::size_t i = 0; i < split.gives_max; ++i) {
      std::optional<std::string> given = part->give_away();
      if (!given) {
        break;
      }
      waiting.push_back(*std::move(given));
      ++all.given;
    }
    waiting.push_back(part->state());
  }
  return all;
}

/// Of many searches, beside each other.
struct Sums {
  std::size_t given = 0;
  std::size_t executions = 0;
  std::size_t executions_of_wholes = 0;
};

/// Compares a search in parts, which are split by the number, with the whole. Passes over what
/// takes long.
void compare_in_parts(Searched searched, const Listing& listing, std::uint64_t number, Sums& sums) {
  const bool is_dfs = searched == Searched::Everything || searched == Searched::Bounded;
  const Graph graph(listing, {});
  if (!graph.complete() || !graph.has_classes() || graph.runs() > (is_dfs ? 5'000 : 1'000'000)) {
    return;
  }
  const Found whole = search(*make(searched), listing, &graph, is_dfs ? SIZE_MAX : 1'000);
  if (!whole.exhausted) {
    return;
  }
  // One that gives all away has nothing left; one that gives less meets its closed decisions.
  const Split split{.runs = 1 + number % 7,
                    .gives_max = number % 4 == 0 ? 1'000 : number % 4,
                    .parts_max = 30 * (whole.executions + whole.blocked) + 1'000};
  const Shared parts = search_in_parts(searched, listing, graph, split);
  BOOST_TEST_CONTEXT(to_string(searched) << ", " << number << ": " << to_string(listing)) {
    BOOST_TEST_REQUIRE(parts.ended,
                       "more than " << split.parts_max << " parts: what is given away is kept");
    BOOST_TEST(parts.found.error == "");
    BOOST_TEST((parts.found.outcomes == whole.outcomes));
    BOOST_TEST((parts.found.classes == whole.classes));
    BOOST_TEST((!is_dfs || parts.found.executions == whole.executions));
  }
  sums.given += parts.given;
  sums.executions += parts.found.executions;
  sums.executions_of_wholes += whole.executions;
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

BOOST_AUTO_TEST_CASE(a_search_that_is_continued_elsewhere_shows_the_same) {
  const auto make = [](bool reduced) -> std::unique_ptr<TreeSearch> {
    if (reduced) {
      return std::make_unique<DporStrategy>(DporStrategy::Mode::WakeupTrees);
    }
    return std::make_unique<DfsStrategy>(DfsBounds{.preemptions_max = 1});
  };
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    const Listing listing = generate(seed);
    for (const bool reduced : {false, true}) {
      const std::unique_ptr<TreeSearch> whole = make(reduced);
      const Found all = search(*whole, listing, nullptr, 300);
      if (!all.exhausted) {
        continue;
      }
      std::unique_ptr<TreeSearch> part = make(reduced);
      Found found = search(*part, listing, nullptr, 3);
      std::size_t executions = found.executions;
      std::set<std::string> outcomes = found.outcomes;
      while (!found.exhausted) {
        const std::string state = part->state();
        part = make(reduced);
        part->restore(state);
        found = search(*part, listing, nullptr, 3);
        executions += found.executions;
        outcomes.merge(found.outcomes);
      }
      BOOST_TEST(executions == all.executions, to_string(listing));
      BOOST_TEST((outcomes == all.outcomes), to_string(listing));
    }
  }
}

BOOST_AUTO_TEST_CASE(the_shards_of_dfs_show_everything_once) {
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    const Listing listing = generate(seed);
    const Graph graph(listing, {});
    if (!graph.complete() || graph.runs() > 500) {
      continue;
    }
    std::size_t executions = 0;
    std::set<std::string> outcomes;
    for (std::size_t shard = 0; shard < 3; ++shard) {
      DfsStrategy strategy({.iterative = false});
      strategy.split(shard, 3);
      Found found = search(strategy, listing, nullptr, 100'000);
      BOOST_TEST(found.exhausted);
      executions += found.executions;
      outcomes.merge(found.outcomes);
    }
    BOOST_TEST(executions == graph.runs(), to_string(listing));
    BOOST_TEST((outcomes == graph.outcomes()), to_string(listing));
  }
}

BOOST_DATA_TEST_CASE(parts_that_are_given_away_show_everything_once,
                     boost::unit_test::data::make({0, 1, 2, 3}), number) {
  const auto searched = static_cast<Searched>(number);
  const std::size_t programs = tests::pieces_of({.default_one = 200, .lengthy = 4'000});
  Sums sums;
  for (std::uint64_t seed = 1; seed <= programs; ++seed) {
    compare_in_parts(searched, generate(seed), seed, sums);
  }
  BOOST_TEST(sums.given > programs);
  // dpor plays a class more than once where a step turns out to be another one than was planned.
  BOOST_TEST(sums.executions <= sums.executions_of_wholes + sums.executions_of_wholes / 100);
}

/// What comes first in one part has to come last in another, behind what does not depend on it.
BOOST_DATA_TEST_CASE(parts_of_programs_with_many_tasks_show_everything_once,
                     boost::unit_test::data::make({0, 1}), number) {
  const std::vector<std::string> listed{
      "store 0 | load 0 | load 0 | load 0",
      "lock 0; lock 1 | lock 1; lock 2 | lock 2; lock 0",
      "lock 0; unlock 0; lock 0 | lock 0; unlock 0; lock 0 | lock 0; unlock 0; lock 0",
      "store 0; store 1 | load 0; load 1 | load 1; load 0 | load 0",
      "send 0; send 0 | send 0 | receive 0; receive 0 | poll r0",
  };
  const std::size_t splits = tests::pieces_of({.default_one = 28, .lengthy = 28});
  for (const std::string& text : listed) {
    Sums sums;
    for (std::uint64_t split = 1; split <= splits; ++split) {
      compare_in_parts(static_cast<Searched>(number), parse_listing(text), split, sums);
    }
    BOOST_TEST(sums.given > splits, text);
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
