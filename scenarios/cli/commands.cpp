#include "scenarios/cli/commands.hpp"

#include <fmt/format.h>

#include <stdexcept>

#include "core/features/machine_profile.hpp"
#include "scenarios/cli/scenario_command.hpp"

namespace watchlab::scenarios {

Argument allow_run_argument(bool& allowed) {
  return {"--allow-run", &allowed,
          "Starts the programs that stories name; WATCHLAB_ALLOW_RUN=1 does the same"};
}

void add_shared_options(std::vector<Argument>& arguments, SharedOptions shares,
                        CommonOptions& options) {
  if (shares.allow_run) {
    arguments.push_back(allow_run_argument(options.allow_run));
  }
  if (shares.json) {
    arguments.push_back({"--json", &options.json, "JSON lines on standard output"});
  }
  if (shares.junit) {
    arguments.push_back({.name = "--junit",
                         .target = &options.junit,
                         .help = "Writes the results as a JUnit file",
                         .type_name = "FILE",
                         .is_output = true});
  }
  if (shares.quiet) {
    arguments.push_back({"--quiet,-q", &options.quiet, "Only what went wrong"});
  }
}

void refuse_unused(bool is_given, std::string_view option, std::string_view why) {
  if (is_given) {
    throw std::invalid_argument(fmt::format("{} would have no effect: {}", option, why));
  }
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

Argument failing_schedule_argument(std::string& schedule) {
  return {"--schedule", &schedule,
          "The schedule, @file for one in a file, or default for the undisturbed order; if left "
          "out, that of the last failure that explore has found here, or else the undisturbed one"};
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
