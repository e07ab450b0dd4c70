// The judge of the memory models of watchlab/std. Three answers meet here: a table that came from a
// program of others (table.txt), what the axioms of RC11 and the interleavings of a program allow
// (rc11.cpp, interleavings.cpp), and what worlds show (world_outcomes.cpp). The first two are
// compared so that the axioms can judge generated programs, too, which no table has. Neither was
// made from what worlds show, nor with their code in sight: keep it so. All comparisons are exact:
// an outcome that a world shows and the model forbids is as wrong as one that it never shows.
#include <boost/test/unit_test.hpp>
#include <iterator>
#include <string>

#include "sim/std/atomic.hpp"
#include "sim/std/thread.hpp"
#include "tests/sim/std/litmus/judges.hpp"
#include "tests/sim/std/litmus/random_program.hpp"
#include "tests/sim/std/litmus/table.hpp"
#include "tests/sim/std/litmus/world_outcomes.hpp"
#include "tests/support/campaign.hpp"

namespace watchlab::litmus {
BOOST_AUTO_TEST_SUITE(litmus_test)

namespace {

using sim::Memory;

std::string outcomes_only_in(const Outcomes& some, const Outcomes& others) {
  std::string text;
  for (const std::string& one : some) {
    text += others.contains(one) ? "" : " " + one;
  }
  return text;
}

void check_same(const std::string& name, const Outcomes& found, const Outcomes& allowed) {
  BOOST_TEST(found == allowed, name << ": missing" << outcomes_only_in(allowed, found)
                                    << ", not allowed" << outcomes_only_in(found, allowed));
}

void check_world(const std::string& name, const Program& program, Memory memory) {
  const Outcomes allowed = memory == Memory::SequentiallyConsistent ? sequential_outcomes(program)
                                                                    : rc11_outcomes(program);
  for (const char* const strategy : {"dfs", "dpor"}) {
    const std::string what = name + " " + to_string(program) + ", " + strategy;
    const Explored seen = explored(program, memory, strategy);
    BOOST_TEST(seen.whole, what << " is not exhausted: " << seen.failure);
    check_same(what, seen.outcomes, allowed);
  }
}

void check_random_programs(Memory memory) {
  const std::size_t programs = tests::pieces_of({.default_one = 50, .lengthy = 500});
  for (std::size_t seed = 1; seed <= programs; ++seed) {
    check_world("seed " + std::to_string(seed), random_program(seed), memory);
  }
}

/// Each of two tasks says that it comes, looks whether the other does, and if not, goes in.
void dekker(std::memory_order store, std::memory_order load) {
  stdx::watched<int> inside{0};
  stdx::atomic<bool> first{false};
  stdx::atomic<bool> second{false};
  stdx::thread other([&] {
    second.store(true, store);
    if (!first.load(load)) {
      inside = 2;
    }
  });
  first.store(true, store);
  if (!second.load(load)) {
    inside = 1;
  }
  other.join();
}

sim::ExploreResult explored_dekker(Memory memory, std::memory_order store, std::memory_order load) {
  return sim::explore({.strategy = "dfs", .schedules_max = 100'000, .memory = memory},
                      [=](runtime::Runtime&) { dekker(store, load); });
}

}  // namespace

BOOST_AUTO_TEST_CASE(the_axioms_and_the_interleavings_agree_with_the_table) {
  const std::vector<Row> rows = table();
  BOOST_TEST(rows.size() == 122U);
  for (const Row& row : rows) {
    check_same(row.name + ", sc", sequential_outcomes(row.program), row.sequential);
    check_same(row.name + ", ra", rc11_outcomes(row.program), row.release_acquire);
  }
}

BOOST_AUTO_TEST_CASE(a_program_is_read_as_it_is_written) {
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    const std::string text = to_string(random_program(seed));
    BOOST_TEST(to_string(parsed(text)) == text);
  }
  BOOST_CHECK_THROW((void)parsed("x=1 lax"), std::invalid_argument);
  BOOST_CHECK_THROW((void)parsed("x=1 rlx; a=v rlx"), std::invalid_argument);
}

BOOST_AUTO_TEST_CASE(sequentially_consistent_worlds_show_the_table) {
  for (const Row& row : table()) {
    check_world(row.name, row.program, Memory::SequentiallyConsistent);
  }
}

BOOST_AUTO_TEST_CASE(sequentially_consistent_worlds_show_all_interleavings_of_random_programs) {
  check_random_programs(Memory::SequentiallyConsistent);
}

BOOST_AUTO_TEST_CASE(release_acquire_worlds_show_the_table) {
  for (const Row& row : table()) {
    check_world(row.name, row.program, Memory::ReleaseAcquire);
  }
}

BOOST_AUTO_TEST_CASE(release_acquire_worlds_show_what_axioms_allow_of_random_programs) {
  check_random_programs(Memory::ReleaseAcquire);
}

BOOST_AUTO_TEST_CASE(dekker_is_safe_among_interleavings) {
  const sim::ExploreResult result = explored_dekker(
      Memory::SequentiallyConsistent, std::memory_order::release, std::memory_order::acquire);
  BOOST_TEST(!result.failure);
  BOOST_TEST(result.exhausted);
}

BOOST_AUTO_TEST_CASE(the_verdict_on_dekker_says_that_it_is_of_interleavings_only) {
  const std::string verdict = sim::verdict(explored_dekker(
      Memory::SequentiallyConsistent, std::memory_order::release, std::memory_order::acquire));
  BOOST_TEST(verdict.find("sequentially consistent interleavings only") != std::string::npos,
             verdict);
}

BOOST_AUTO_TEST_CASE(dekker_with_release_and_acquire_is_a_data_race) {
  const sim::ExploreResult weak = explored_dekker(
      Memory::ReleaseAcquire, std::memory_order::release, std::memory_order::acquire);
  BOOST_REQUIRE(weak.failure);
  BOOST_TEST(weak.failure->kind == "data race");

  const sim::ExploreResult strong = explored_dekker(
      Memory::ReleaseAcquire, std::memory_order::seq_cst, std::memory_order::seq_cst);
  BOOST_TEST(!strong.failure);
  BOOST_TEST(strong.exhausted);
}

BOOST_AUTO_TEST_SUITE_END()
}  // namespace watchlab::litmus
