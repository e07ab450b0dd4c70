// Plays the programs of a suite for `./dev scoreboard`, which makes a table of what is printed
// here: a JSON line a program, or a line for what a strategy came to with one of them.
//
//   watchlab-scoreboard list
//   watchlab-scoreboard play PROGRAM STRATEGY SEED TRIALS CAP
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdlib>
#include <exception>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "tests/scoreboard/program.hpp"
#include "tests/scoreboard/trials.hpp"

namespace watchlab::scoreboard {
namespace {

std::string describe(const Published& published) {
  std::vector<std::string> parts;
  for (const auto& [name, figure] :
       {std::pair("surw", published.surw), std::pair("pct3", published.pct3),
        std::pair("pct10", published.pct10), std::pair("pos", published.pos),
        std::pair("random", published.random), std::pair("period", published.period),
        std::pair("maple", published.maple)}) {
    if (figure.found >= 0) {
      parts.push_back(fmt::format(R"("{}":[{},{}])", name, figure.found, figure.median));
    }
  }
  return fmt::format("{}", fmt::join(parts, ","));
}

void list() {
  for (const Program& each : sctbench()) {
    fmt::print(
        "{{\"program\":\"{}\",\"threads\":{},\"kind\":\"{}\",\"remark\":\"{}\",\"published\":{{{}}}"
        "}}"
        "\n",
        each.name, each.threads, each.kind, each.remark, describe(each.published));
  }
}

/// Null stands for a trial in which the bug was missed.
void print(const Program& program, const Plan& plan, const std::vector<Trial>& trials) {
  std::vector<std::string> schedules;
  std::vector<std::string> kinds;
  bool exhausted = false;
  for (const Trial& each : trials) {
    schedules.push_back(each.kind ? std::to_string(each.schedules) : "null");
    exhausted = exhausted || each.exhausted;
    if (each.kind && std::find(kinds.begin(), kinds.end(), *each.kind) == kinds.end()) {
      kinds.push_back(*each.kind);
    }
  }
  fmt::print(
      "{{\"program\":\"{}\",\"strategy\":\"{}\",\"schedules\":[{}],\"kinds\":\"{}\","
      "\"exhausted\":{}}}\n",
      program.name, plan.strategy, fmt::join(schedules, ","), fmt::join(kinds, ", "), exhausted);
}

int run(const std::vector<std::string>& words) {
  if (words.size() == 1 && words[0] == "list") {
    list();
    return 0;
  }
  if (words.size() != 6 || words[0] != "play") {
    fmt::print(stderr, "usage: watchlab-scoreboard list | play PROGRAM STRATEGY SEED TRIALS CAP\n");
    return 2;
  }
  const auto programs = sctbench();
  const auto program = std::find_if(programs.begin(), programs.end(),
                                    [&](const Program& each) { return each.name == words[1]; });
  if (program == programs.end()) {
    fmt::print(stderr, "scoreboard: there is no program '{}'\n", words[1]);
    return 2;
  }
  const Plan plan{.strategy = words[2],
                  .seed = std::stoull(words[3]),
                  .trials = std::stoi(words[4]),
                  .cap = std::stoul(words[5])};
  print(*program, plan, play(*program, plan));
  return 0;
}

}  // namespace
}  // namespace watchlab::scoreboard

int main(int count, char** words) {
  try {
    return watchlab::scoreboard::run({words + 1, words + count});
  } catch (const std::exception& error) {
    fmt::print(stderr, "scoreboard: {}\n", error.what());
    return 2;
  }
}
