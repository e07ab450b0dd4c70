#include "scenarios/cli/usual_arguments.hpp"

#include <filesystem>
#include <utility>

#include "scenarios/language/catalogue.hpp"
#include "scenarios/language/transports.hpp"

namespace watchlab::scenarios {

std::vector<std::string> named_paths(const std::vector<std::string>& names) {
  std::vector<std::string> paths;
  for (const std::string& name : names) {
    std::string nearest;
    const std::string path =
        std::filesystem::exists(name) ? name : find_scenario("scenarios", name, nearest);
    paths.push_back(path.empty() ? name : path);
  }
  return paths;
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
          .help = "The schedule, or @file for one in a file",
          .required = true};
}

Argument optional_schedule_argument(std::string& schedule, const std::string& otherwise) {
  return {.name = "--schedule",
          .target = &schedule,
          .help = "The schedule, or @file for one in a file; " + otherwise + " if left out"};
}

Argument transport_argument(std::string& transport) {
  return {.name = "--transport",
          .target = &transport,
          .help =
              "How messages travel: as values, as HTTP in bytes, or both ways and compared; "
              "what the file asks for if left out",
          .one_of = {"direct", "wire", "both"}};
}

Argument one_transport_argument(std::string& transport) {
  return {.name = "--transport",
          .target = &transport,
          .help =
              "How messages travel: as values, or as HTTP in bytes; what the file asks for if left "
              "out",
          .one_of = {"direct", "wire"}};
}

Scenario over_the_named(const std::string& transport, Scenario scenario) {
  if (transport.empty()) {
    return scenario;
  }
  return over(transport == "wire" ? sim::Transport::Wire : sim::Transport::Direct,
              std::move(scenario));
}

Argument jobs_argument(std::size_t& jobs) {
  return {.name = "--jobs,-j",
          .target = &jobs,
          .help = "Files that are played at the same time",
          .least = 1,
          .most = 1024};
}

}  // namespace watchlab::scenarios
