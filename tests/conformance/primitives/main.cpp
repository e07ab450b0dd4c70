// Writes down small generated programs over the primitives and every outcome that our exploration
// finds, a JSON line each, for Go to judge: conformance-primitives COUNT (seeds 1 to COUNT).
#include <boost/json.hpp>
#include <charconv>
#include <cstdio>
#include <iostream>
#include <string>
#include <string_view>

#include "sim/explore/dpor_strategy.hpp"
#include "sim/explore/random_strategy.hpp"
#include "tests/sim/explore/generated_program.hpp"

namespace {

namespace json = boost::json;
using namespace watchlab::sim;

constexpr std::size_t kRunsMax = 100'000;
constexpr std::size_t kRandomRuns = 20'000;

/// What can be seen of a run; that tasks are stuck, but not how.
std::string without_kind(std::string outcome) {
  for (const std::string_view kind : {"deadlock", "leak"}) {
    if (outcome.ends_with(kind)) {
      outcome.replace(outcome.size() - kind.size(), kind.size(), "stuck");
    }
  }
  return outcome;
}

json::object text_of(const Listing& listing, std::uint64_t seed) {
  json::array tasks;
  for (const std::vector<Instruction>& task : listing.tasks) {
    json::array instructions;
    for (const Instruction& each : task) {
      instructions.push_back(json::object{{"op", to_string(each.op)}, {"which", each.which}});
    }
    tasks.push_back(std::move(instructions));
  }
  return {{"seed", seed}, {"group", listing.group_count}, {"tasks", std::move(tasks)}};
}

/// Everything that exploration finds: with reduction, or by chance when there is too much.
Enumeration explored(const Listing& listing) {
  Outcome outcome;
  const Program program = program_from(listing, "program", outcome);
  DporStrategy reduced(DporStrategy::Mode::WakeupTrees);
  Enumeration found = enumerate(reduced, program, kRunsMax);
  if (!found.exhausted) {
    RandomStrategy random(1);
    const Enumeration more = enumerate(random, program, kRandomRuns);
    found.outcomes.insert(more.outcomes.begin(), more.outcomes.end());
  }
  return found;
}

void write_program(std::uint64_t seed) {
  const Listing listing = list_go_program(seed);
  const Enumeration found = explored(listing);
  json::object text = text_of(listing, seed);
  json::array outcomes;
  for (const std::string& outcome : found.outcomes) {
    outcomes.emplace_back(without_kind(outcome));
  }
  text["runs"] = found.executions;
  text["exhausted"] = found.exhausted;
  text["outcomes"] = std::move(outcomes);
  std::cout << json::serialize(text) << '\n';
}

}  // namespace

int main(int argc, char** argv) {
  const std::string_view argument = argc == 2 ? argv[1] : "";
  std::uint64_t count = 0;
  const auto [end, failure] =
      std::from_chars(argument.data(), argument.data() + argument.size(), count);
  if (failure != std::errc() || end != argument.data() + argument.size() || count == 0) {
    std::fputs("usage: conformance-primitives COUNT\n", stderr);
    return 2;
  }
  for (std::uint64_t seed = 1; seed <= count; ++seed) {
    write_program(seed);
  }
  return 0;
}
