#pragma once

#include <optional>
#include <string>
#include <vector>

#include "scenarios/language/catalogue.hpp"

namespace watchlab::scenarios {

/// A call of `go test`, taken apart: what builds the test program, and what runs it.
struct GoTest {
  std::vector<std::string> build;      ///< flags of the build: -race, -tags=x
  std::vector<std::string> arguments;  ///< of the program: -test.run=TestX
  std::string package = ".";
};
/// Nothing for words that are no call of `go test`.
[[nodiscard]] std::optional<GoTest> go_test_in(const std::vector<std::string>& words);

/// Builds what the story's clients of the kind go run, where that is a `go test`: once, so that
/// each play starts the built program. What cannot be built becomes a problem of the entry. The
/// programs are gone when this process ends. Where a Go test plays the story, WATCHLAB_GO_PROGRAM
/// names its program, which is run instead.
void build_go_programs(CatalogueEntry& entry);

}  // namespace watchlab::scenarios
