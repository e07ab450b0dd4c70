#pragma once

#include <cstdint>
#include <fstream>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "scenarios/command_line/console.hpp"
#include "scenarios/command_line/interrupt.hpp"
#include "scenarios/language/catalogue.hpp"
#include "scenarios/language/scenario.hpp"
#include "scenarios/language/transcript.hpp"

namespace watchlab::scenarios {

/// The seeds that "3..7" names, both ends included; nothing when the text names none.
[[nodiscard]] std::optional<std::pair<std::uint64_t, std::uint64_t>> seed_range(
    std::string_view text);

/// The generated stories that can be written down.
enum class StoryKind : std::uint8_t {
  Legal,    ///< of `generate_story`: each must hold
  Fuzz,     ///< of the fuzzer, which looks at the invariants itself; each must have an end
  Shaped,   ///< of `shaped_story`; each must have an end
  Illegal,  ///< with illegal faults, which no invariant allows for; each must have an end
};

/// A file of transcripts, a JSON line each, while a command writes it. A regular file has its name
/// when it is whole, and not before: it may grow to gigabytes. A signal ends it early.
class TranscriptFile {
 public:
  /// Writes to `path`, or to standard output for "-", what happens to clients of that machine. All
  /// stories are put on another one than classic, and need not hold there.
  TranscriptFile(const std::string& path, Console& console, std::string machine = "classic");
  TranscriptFile(const TranscriptFile&) = delete;
  TranscriptFile& operator=(const TranscriptFile&) = delete;
  ~TranscriptFile();

  void add_scenarios(const std::vector<CatalogueEntry>& files);

  using Seeds = std::pair<std::uint64_t, std::uint64_t>;
  /// The generated stories of a kind with those seeds, both ends included.
  void add_stories(StoryKind kind, Seeds seeds);
  /// Says how many were written, and how many did not hold. Returns the exit status: 1 when a story
  /// did not hold or the file could not be written, 2 when one could not be read, 130 after a
  /// signal.
  [[nodiscard]] int finish();

 private:
  [[nodiscard]] bool is_over() const { return !problem_.empty() || Interrupt::requested(); }
  void open();
  [[nodiscard]] std::string put_in_place();
  enum class Demand : std::uint8_t { Holds, Ends, Nothing };
  void add(const Scenario& scenario, Demand demand, Locks locks = Locks::Free);
  void write(const std::string& line);

  [[nodiscard]] Scenario on_the_machine(Scenario scenario) const;

  Console& console_;
  std::string path_;
  std::string machine_;
  const Interrupt interrupt_;
  std::string written_to_;  // a file beside `path_` until all is there, or `path_` itself
  std::unique_ptr<std::ofstream> file_;  // null for standard output
  std::string problem_;                  // why nothing can be written; "" for nothing
  std::size_t written_ = 0;
  std::size_t broken_ = 0;  // stories that did not hold
  int exit_code_ = kExitHeld;
};

}  // namespace watchlab::scenarios
