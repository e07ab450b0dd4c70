#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "scenarios/export/timeline.hpp"

namespace watchlab::scenarios {

/// A timeline as track events of Perfetto, in protobuf.
[[nodiscard]] std::string to_perfetto(const Timeline& timeline);
/// The same as trace events of Chrome, in JSON: what more tools read, with less in it.
[[nodiscard]] std::string to_chrome(const Timeline& timeline);

/// A form in which a run can be handed to another tool: one row.
struct ExportFormat {
  std::string_view name;    ///< as `--format` takes it
  std::string_view ending;  ///< that files of it have by custom
  std::string_view doc;     ///< what it is for: a clause without its end
  bool is_binary = false;
  std::string (*write)(const Scenario& scenario, const SeenRun& seen);
};

[[nodiscard]] const std::vector<ExportFormat>& export_formats();

/// The row of that name; null when there is none.
[[nodiscard]] const ExportFormat* find_export_format(std::string_view name);

}  // namespace watchlab::scenarios
