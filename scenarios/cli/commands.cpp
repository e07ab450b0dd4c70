#include "scenarios/cli/commands.hpp"

#include <algorithm>
#include <array>

#include "core/features/machine_profile.hpp"
#include "scenarios/cli/result_formats.hpp"
#include "scenarios/cli/scenario_command.hpp"

namespace watchlab::scenarios {

bool plays_stories(std::string_view command) {
  static constexpr std::array<std::string_view, 13> kPlay{
      "run",  "explore", "replay", "shrink", "explain", "trace",     "diff",
      "draw", "report",  "branch", "digest", "fuzz",    "transcribe"};
  return std::ranges::find(kPlay, command) != kPlay.end();
}

Argument allow_run_argument(bool& allowed) {
  return {"--allow-run", &allowed,
          "Starts the programs that stories name; WATCHLAB_ALLOW_RUN=1 does the same"};
}

void add_common_options(std::vector<Argument>& arguments, CommonOptions& options) {
  arguments.push_back({"--json", &options.json, "JSON lines on standard output"});
  for (const ResultFormat& format : result_formats()) {
    arguments.push_back({.name = std::string(format.option),
                         .target = &(options.*format.file),
                         .help = std::string(format.help),
                         .type_name = "FILE",
                         .is_output = true});
  }
  arguments.push_back({"--quiet,-q", &options.quiet, "Only what went wrong"});
}

Argument scenario_argument(std::string& name) {
  return {
      .name = "FILE", .target = &name, .help = "A path, theme/name, or a name", .required = true};
}

Argument paths_argument(std::vector<std::string>& paths) {
  return {.name = "PATH",
          .target = &paths,
          .help = "Scenario files, folders of them, or names",
          .required = true};
}

Argument schedule_argument(std::string& schedule) {
  return {.name = "--schedule",
          .target = &schedule,
          .help = "The schedule, @file for one in a file, or default for the undisturbed order",
          .required = true};
}

Argument optional_schedule_argument(std::string& schedule) {
  return {
      "--schedule", &schedule,
      "The schedule, or @file for one in a file; default, or nothing, for the undisturbed order"};
}

Argument one_transport_argument(std::string& transport) {
  return {.name = "--transport",
          .target = &transport,
          .help =
              "How messages travel: as values, or as HTTP in bytes; what the file asks for if left "
              "out",
          .one_of = {"direct", "wire"}};
}

Argument one_machine_argument(std::string& machine) {
  return {
      .name = "--machine",
      .target = &machine,
      .help =
          "Which release of client-go all clients are like: classic is 0.32, modern 0.37; what the "
          "file asks for if left out",
      .one_of = features::machine_names(),
      .also = releases_as_machines()};
}

Argument jobs_argument(std::size_t& jobs, const std::string& help) {
  return {.name = "--jobs,-j", .target = &jobs, .help = help, .least = 1, .most = 1024};
}

Argument resume_argument(std::string& file, const std::string& earlier) {
  return {.name = "--resume",
          .target = &file,
          .help = "Continues from the file that " + earlier + " with the same options has left",
          .type_name = "FILE"};
}

Argument save_every_argument(runtime::Duration& duration) {
  return {"--save-every", &duration, "How often it writes down where it stands; 30s if left out"};
}

Argument output_argument(std::string& path, const std::string& help) {
  return {
      .name = "-o,--output", .target = &path, .help = help, .type_name = "FILE", .is_output = true};
}

}  // namespace watchlab::scenarios
