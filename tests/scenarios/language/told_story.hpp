#pragma once

#include <boost/test/unit_test.hpp>
#include <string>

#include "scenarios/language/parse.hpp"
#include "scenarios/language/runner.hpp"

namespace watchlab::tests {

/// A scenario `f` with these lines below its head.
inline std::string told(const std::string& lines) {
  return "apiVersion: watchlab/v1\nname: demo\nstory: A demo.\n" + lines;
}

/// What is wrong with it, a line a problem.
inline std::string problems_with(const std::string& lines) {
  std::string text;
  for (const scenarios::Problem& problem : scenarios::parse_scenario(told(lines)).problems) {
    text += describe("f", problem) + "\n";
  }
  return text;
}

/// What breaks when it is played, each time the same; "" for nothing.
inline std::string failure_of(const std::string& lines) {
  const scenarios::Parsed parsed = scenarios::parse_scenario(told(lines));
  BOOST_REQUIRE_MESSAGE(parsed.scenario.has_value(), problems_with(lines));
  const scenarios::Played played = run_scenario(*parsed.scenario);
  BOOST_TEST(played.result.digest == run_scenario(*parsed.scenario).result.digest);
  return played.result.failure ? played.result.failure->sentence : "";
}

}  // namespace watchlab::tests
