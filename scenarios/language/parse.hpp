#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "scenarios/language/document.hpp"
#include "scenarios/language/scenario.hpp"

namespace watchlab::scenarios {

/// A scenario, or what is wrong with its file. The problems are in the order of the file; there is
/// a scenario only if there are none.
struct Parsed {
  std::optional<Scenario> scenario;
  std::vector<Problem> problems;
  std::vector<Problem> notes = {};  ///< accepted, but should be written differently, or not heeded
  std::vector<Renaming> renamings = {};  ///< the same, as `migrate` needs it
};

/// Reads the text of a scenario file. Never throws for bad input.
[[nodiscard]] Parsed parse_scenario(const std::string& text);
/// Reads a scenario file, which must have the scenario's name. Refuses large files unread.
[[nodiscard]] Parsed load_scenario(const std::string& path);

/// Why a scenario that was moved to the direct transport cannot be played there: the place of its
/// first byte fault, which that transport does not have. "" if it can.
[[nodiscard]] std::string unplayable_without_bytes(const Scenario& scenario);

/// What watchlab does not do of what the scenario declares: a sentence for each part.
[[nodiscard]] std::vector<std::string> remarks_on(const Scenario& scenario);

/// A scenario as the text of a file, from which `parse_scenario` reads an equal scenario, except
/// for the path, the lines and the hash, which is of the text. `comment` goes first, with a `#`
/// before each of its lines; "" for none.
[[nodiscard]] std::string scenario_text(const Scenario& scenario, const std::string& comment = "");

/// A hash of everything in a scenario file that determines a run: name, server, clients, script and
/// ending. Comments, layout, the story's text, expectations, the exploration and the order of keys
/// do not count, so a stored schedule survives better wording.
[[nodiscard]] std::uint64_t fingerprint_of(const Node& root);

}  // namespace watchlab::scenarios
