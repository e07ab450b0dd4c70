#include "scenarios/cli/commands.hpp"

#include <fmt/format.h>

#include <stdexcept>

#include "core/features/release_profile.hpp"
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
    arguments.push_back({"--json", &options.json, "Prints JSON Lines"});
  }
  if (shares.junit) {
    arguments.push_back({.name = "--junit",
                         .target = &options.junit,
                         .help = "Writes the results as JUnit XML",
                         .type_name = "FILE",
                         .is_output = true});
  }
  if (shares.quiet) {
    arguments.push_back({"--quiet,-q", &options.quiet, "Prints only what went wrong"});
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
          .help = "The schedule, @FILE to read it from a file, or default for the default order",
          .required = true};
}

Argument optional_schedule_argument(std::string& schedule) {
  return {
      "--schedule", &schedule,
      "The schedule, or @FILE to read it from a file; default, or nothing, for the default order"};
}

Argument failing_schedule_argument(std::string& schedule) {
  return {"--schedule", &schedule,
          "The schedule, @FILE to read it from a file, or default for the default order; if "
          "omitted, the last failure that explore found here, or else the default order"};
}

Argument one_transport_argument(std::string& transport) {
  return {.name = "--transport",
          .target = &transport,
          .help = "How messages travel: as values, or as HTTP bytes; default: as the file says",
          .one_of = {"direct", "wire"}};
}

Argument one_machine_argument(std::string& machine) {
  return {
      .name = "--machine",
      .target = &machine,
      .help =
          "Which release of client-go all clients behave like: classic is 0.32, modern is 0.37; "
          "default: as the file says",
      .one_of = features::machine_names(),
      .also = releases_as_machines()};
}

Argument jobs_argument(std::size_t& jobs, const std::string& help) {
  return {.name = "--jobs,-j", .target = &jobs, .help = help, .least = 1, .most = 1024};
}

Argument resume_argument(std::string& file, const std::string& earlier) {
  return {.name = "--resume",
          .target = &file,
          .help = "Continues from the file that " + earlier + " with the same options has saved",
          .type_name = "FILE"};
}

Argument save_every_argument(runtime::Duration& duration) {
  return {"--save-every", &duration, "How often to save progress; default 30s"};
}

Argument output_argument(std::string& path, const std::string& help) {
  return {.name = "-o,--output",
          .target = &path,
          .help = help,
          .type_name = "FILE",
          .is_output = true,
          .may_be_standard_output = true};
}

}  // namespace watchlab::scenarios
