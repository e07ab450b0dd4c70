#pragma once

#include <string>
#include <vector>

#include "scenarios/language/parse.hpp"

namespace watchlab::scenarios {

/// A scenario file and what came of reading it.
struct CatalogueEntry {
  std::string path;
  Parsed parsed;
};

/// The scenario files that the paths mean: a file stands for itself, a folder for every `.yaml`
/// below it, in alphabetical order, save stories that stand beside a `fix.patch`: these fail until
/// core is fixed so, and `watchlab museum` plays them. A path that does not exist stands for
/// itself, so that reading it says what is wrong.
[[nodiscard]] std::vector<std::string> scenario_files(const std::vector<std::string>& paths);

/// Reads all files that the paths mean.
[[nodiscard]] std::vector<CatalogueEntry> load_catalogue(const std::vector<std::string>& paths);

/// "basics/configmap_life": the last folder and the name, as people call a scenario.
[[nodiscard]] std::string display_name(const std::string& path);

/// The file below `root` that a name means: a path, `theme/name`, or a name alone, also that of a
/// piece of the museum, whichever its patch is. "" when there is none, and then `nearest` is the
/// name that was probably meant.
[[nodiscard]] std::string find_scenario(const std::string& root, const std::string& name,
                                        std::string& nearest);

}  // namespace watchlab::scenarios
