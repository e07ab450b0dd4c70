#pragma once

#include <string>

#include "tests/tidy/source.hpp"

namespace watchlab::tidy {

/// What the checks say about a planted tree, a line each: "path:line: sentence". For the tests.
[[nodiscard]] inline std::string said(const Complaints& complaints) {
  std::string text;
  for (const Complaint& complaint : complaints) {
    text +=
        complaint.path + ":" + std::to_string(complaint.line) + ": " + complaint.sentence + "\n";
  }
  return text;
}

}  // namespace watchlab::tidy
