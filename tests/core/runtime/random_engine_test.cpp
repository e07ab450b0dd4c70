#include "core/runtime/random_engine.hpp"

#include <boost/random/mersenne_twister.hpp>
#include <boost/test/unit_test.hpp>
#include <cstdint>
#include <utility>

using watchlab::runtime::RandomEngine;

BOOST_AUTO_TEST_SUITE(random_engine_test)

BOOST_AUTO_TEST_CASE(gives_the_numbers_of_a_mersenne_twister) {
  // Past the numbers that need no engine, and past two turns of one.
  constexpr int kNumbers = 1000;
  for (const std::uint64_t seed : {0ULL, 1ULL, 5489ULL, 0x8000000000000000ULL, ~0ULL}) {
    RandomEngine mine(seed);
    boost::random::mt19937_64 theirs(seed);
    int first_other = kNumbers;
    for (int i = 0; i < kNumbers && first_other == kNumbers; ++i) {
      first_other = mine() == theirs() ? kNumbers : i;
    }
    BOOST_TEST(first_other == kNumbers, "seed " << seed << ", number " << first_other);
  }
}

BOOST_AUTO_TEST_CASE(continues_where_it_was_when_it_is_moved) {
  for (const int drawn : {0, 3, 200}) {
    RandomEngine mine(7);
    boost::random::mt19937_64 theirs(7);
    for (int i = 0; i < drawn; ++i) {
      (void)mine();
      (void)theirs();
    }
    RandomEngine moved(std::move(mine));
    BOOST_TEST(moved() == theirs());
  }
}

BOOST_AUTO_TEST_SUITE_END()
