#pragma once

#include <boost/test/unit_test.hpp>
#include <functional>
#include <string>

#include "sim/explore/explore.hpp"

namespace watchlab::sim {

/// What is explored here is handed no runtime: it knows the standard library only.
using PlainBody = std::function<void()>;

/// What an exploration of everything comes to: "held" when nothing is found and nothing is left.
/// Limits of time end waits only when all tasks wait.
inline std::string outcome(const PlainBody& body, const std::string& strategy = "dpor") {
  const ExploreResult result =
      explore({.strategy = strategy, .schedules_max = 200'000, .early_advances_max = 0},
              [&](runtime::Runtime&) { body(); });
  if (result.failure) {
    return result.failure->kind + ": " + result.failure->sentence;
  }
  return result.exhausted ? "held" : "not exhausted";
}

/// In all orders of a world.
inline void check_held(const PlainBody& body) {
  BOOST_TEST(outcome(body, "dfs") == "held");
  BOOST_TEST(outcome(body, "dpor") == "held");
}

inline void check_found(const PlainBody& body, const std::string& part) {
  for (const char* const strategy : {"dfs", "dpor", "random"}) {
    const std::string found = outcome(body, strategy);
    BOOST_TEST(found.find(part) != std::string::npos, strategy << ": " << found);
  }
}

}  // namespace watchlab::sim
