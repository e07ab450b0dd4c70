#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "scenarios/language/document.hpp"
#include "scenarios/language/scenario.hpp"

namespace watchlab::scenarios {

/// A scenario, or what is wrong with its file. The problems are in the order of the file; a
/// scenario is there only when there are none.
struct Parsed {
  std::optional<Scenario> scenario;
  std::vector<Problem> problems;
  std::vector<Problem> notes = {};       ///< what is read, and should be said otherwise
  std::vector<Renaming> renamings = {};  ///< the same as `migrate` needs it
};

/// Reads the text of a scenario file. Never throws for bad input, whatever it is.
[[nodiscard]] Parsed parse_scenario(const std::string& text);
/// Reads a scenario file; its name must be the scenario's. Large files are refused unread.
[[nodiscard]] Parsed load_scenario(const std::string& path);

/// Why a scenario that was moved to the direct transport cannot be played there: the place of its
/// first fault about bytes, of which that transport has none. "" where it can.
[[nodiscard]] std::string unplayable_without_bytes(const Scenario& scenario);

/// A scenario as the text of a file, from which `parse_scenario` reads an equal one again, but for
/// the path, the lines and the hash, which is of the text. `comment` goes before everything else, a
/// `#` before each of its lines; "" for none.
[[nodiscard]] std::string scenario_text(const Scenario& scenario, const std::string& comment = "");

/// A hash of everything in a scenario file that decides how a run goes: name, server, clients,
/// script and ending. Comments, layout, the story's text, expectations and the exploration do not
/// count, so that a stored schedule survives a better wording. The order of keys does not count.
[[nodiscard]] std::uint64_t fingerprint_of(const Node& root);

}  // namespace watchlab::scenarios
