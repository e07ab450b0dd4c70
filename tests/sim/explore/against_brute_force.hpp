#pragma once

#include <boost/test/unit_test.hpp>

#include "sim/explore/dpor_strategy.hpp"
#include "tests/sim/explore/enumeration.hpp"

namespace watchlab::sim {

/// Whether brute force comes to its end within `runs_max` runs; then both modes of dpor must show
/// what it shows.
inline bool is_judged_by_brute_force(const Program& program, std::size_t runs_max) {
  const Enumeration all = brute_force(program, runs_max);
  if (!all.exhausted) {
    return false;
  }
  for (const auto mode : {DporStrategy::Mode::SourceSets, DporStrategy::Mode::WakeupTrees}) {
    DporStrategy strategy(mode);
    const Enumeration reduced = enumerate(strategy, program);
    BOOST_TEST_CONTEXT(program.name) {
      BOOST_TEST(reduced.exhausted);
      BOOST_TEST(reduced.outcomes == all.outcomes, boost::test_tools::per_element());
      BOOST_TEST((reduced.stuck > 0) == (all.stuck > 0));
    }
  }
  return true;
}

}  // namespace watchlab::sim
