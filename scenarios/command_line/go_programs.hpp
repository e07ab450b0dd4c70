#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "scenarios/language/catalogue.hpp"

namespace watchlab::scenarios {

/// A call of `go test`, taken apart: what builds the test program, and what runs it.
struct GoTest {
  std::string folder;                  ///< of -C, which it is called in; "" for where the story is
  std::vector<std::string> build;      ///< flags of the build: -race, -tags=x
  std::vector<std::string> arguments;  ///< of the program: -test.run=TestX
  std::string package = ".";
};
/// Nothing for words that are no call of `go test`.
[[nodiscard]] std::optional<GoTest> go_test_in(const std::vector<std::string>& words);

/// What a story in the folder `from` runs, as one in the folder `to` has to say it: the same
/// program runs in the same place.
[[nodiscard]] std::vector<std::string> run_from_folder(const std::vector<std::string>& run,
                                                       const std::filesystem::path& from,
                                                       const std::filesystem::path& to);

/// The line that plays the story again for a user whose Go test plays it, which is the test that
/// WATCHLAB_GO_PROGRAM names: its program is gone when it has ended. "" where there is no such
/// test.
[[nodiscard]] std::string go_test_line();

/// Builds what the story's clients of the kind go run, where that is a `go test`: once, so that
/// each play starts the built program. What cannot be built becomes a problem of the entry. The
/// programs are gone when this process ends. Where a Go test plays the story, WATCHLAB_GO_PROGRAM
/// names its program, which is run instead.
void build_go_programs(CatalogueEntry& entry);

}  // namespace watchlab::scenarios
