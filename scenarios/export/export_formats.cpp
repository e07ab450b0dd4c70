#include "scenarios/export/export_formats.hpp"

#include <algorithm>

namespace watchlab::scenarios {
namespace {

Timeline timeline_for(const Scenario& scenario, const SeenRun& seen) {
  return timeline_of(scenario, seen, PageData(scenario, seen, PageFacts{}));
}

std::string perfetto(const Scenario& scenario, const SeenRun& seen) {
  return to_perfetto(timeline_for(scenario, seen));
}

std::string chrome(const Scenario& scenario, const SeenRun& seen) {
  return to_chrome(timeline_for(scenario, seen));
}

}  // namespace

const std::vector<ExportFormat>& export_formats() {
  static const std::vector<ExportFormat> rows{
      {.name = "perfetto",
       .ending = ".pftrace",
       .doc = "for the Perfetto viewer: a track per task and per part of a client, flows and "
              "counters",
       .is_binary = true,
       .write = perfetto},
      {.name = "chrome",
       .ending = ".json",
       .doc = "the same as Chrome trace events, for tools that do not read protobuf",
       .write = chrome}};
  return rows;
}

const ExportFormat* find_export_format(std::string_view name) {
  const auto& rows = export_formats();
  const auto found = std::ranges::find(rows, name, &ExportFormat::name);
  return found == rows.end() ? nullptr : &*found;
}

}  // namespace watchlab::scenarios
