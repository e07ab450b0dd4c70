#pragma once

#include <string>
#include <vector>

#include "tests/sim/std/litmus/program.hpp"

namespace watchlab::litmus {

/// A test of table.txt, which says where its outcomes come from.
struct Row {
  std::string name;
  Program program;
  Outcomes sequential;
  Outcomes release_acquire;
};

[[nodiscard]] std::vector<Row> table();

}  // namespace watchlab::litmus
