// Plays stories with the libraries of the engine and nothing else, for `./dev cross`. Prints the
// digest and the name of each, as `watchlab digest` does. Exit 0 if all held, 1 otherwise.

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <string>
#include <vector>

#include "scenarios/language/catalogue.hpp"
#include "scenarios/language/runner.hpp"

namespace {

/// Clients from outside, and programs on the story's clock, are none of the engine.
bool is_of_the_engine(const watchlab::scenarios::Scenario& scenario) {
  return std::ranges::none_of(scenario.clients, [](const auto& client) {
    return client.kind == watchlab::sim::ClientKind::External ||
           client.kind == watchlab::sim::ClientKind::Go;
  });
}

}  // namespace

int main(int count, char** words) {
  using namespace watchlab::scenarios;
  int status = 0;
  for (const CatalogueEntry& file : load_catalogue({words + 1, words + count})) {
    if (!file.parsed.scenario) {
      std::fputs(fmt::format("{} cannot be read\n", file.path).c_str(), stderr);
      status = 1;
    } else if (is_of_the_engine(*file.parsed.scenario)) {
      const Played played = run_scenario(*file.parsed.scenario);
      if (!played.held()) {
        std::fputs(fmt::format("{} does not hold\n", file.path).c_str(), stderr);
        status = 1;
      }
      std::fputs(
          fmt::format("{:016x}  {}\n", played.result.digest, display_name(file.path)).c_str(),
          stdout);
    }
  }
  return status;
}
