#pragma once

#include <set>
#include <string>
#include <vector>

#include "scenarios/language/problem.hpp"

namespace watchlab::scenarios {

/// A name that a file gives to something, or by which it calls something.
struct NameUse {
  std::string kind;  ///< "client", "object", "revision", …
  std::string name;
  Place place;
};

/// What one pass over a file collects beside the values: problems, and all names with their places.
class Reading {
 public:
  Problems problems;

  void defines(std::string kind, std::string name, Place place);
  void uses(std::string kind, std::string name, Place place);
  /// Puts a problem for each name that is used and that nobody gave, and for each client, handler
  /// or symbol that was given twice. Call it once, after the pass.
  void check_names();

 private:
  [[nodiscard]] std::vector<std::string> names_of(const std::string& kind) const;

  std::vector<NameUse> defined_;
  std::vector<NameUse> used_;
};

}  // namespace watchlab::scenarios
