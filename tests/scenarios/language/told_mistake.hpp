#pragma once

#include <boost/test/unit_test.hpp>
#include <ostream>
#include <string>
#include <vector>

#include "scenarios/language/parse.hpp"

namespace watchlab::tests {

/// What people type wrong, and what they are told.
struct Mistake {
  std::string name;
  std::string text;
  std::string what;  ///< the place and what is wrong there
  std::string cure;  ///< a part of what follows
};
inline std::ostream& operator<<(std::ostream& out, const Mistake& each) { return out << each.name; }

inline const std::string head = "apiVersion: watchlab/v1\nname: demo\nstory: A demo.\n";
inline const std::string kClients = "clients: [{name: app, kind: informer}]\n";

/// A mistake has one message, with its place and its cure.
inline void check(const Mistake& each) {
  const std::vector<scenarios::Problem> found = scenarios::parse_scenario(each.text).problems;
  BOOST_TEST_REQUIRE(found.size() == 1U,
                     (found.empty() ? "none" : describe("f", found.back()) + " too"));
  const std::string message = describe("f", found.front());
  BOOST_TEST(message.starts_with(each.what), message);
  BOOST_TEST(message.find(each.cure, each.what.size()) != std::string::npos, message);
}

}  // namespace watchlab::tests
