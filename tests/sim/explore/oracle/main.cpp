// Compares dpor and dfs with the oracle on generated listings, or on one.
//
//   explore-oracle 1 200000            seeds 1 to 200000
//   explore-oracle 1 200000 0 2        of these, each that leaves 0 when divided by 2
//   explore-oracle dpor 1 200000       without dfs, in half the time
//   explore-oracle "store 0 | load 0"  one listing: classes, outcomes, runs of each strategy
//
// And programs of themes, which brute force and a state machine judge (oracle/judgement.hpp):
//
//   explore-oracle --theme std --seed 17         one program
//   explore-oracle --theme std --seeds 1..5000   those seeds of a theme
//   explore-oracle --seeds 1..5000               of every theme
//   explore-oracle --long [--seeds FROM..]       500,000 programs over all themes and listings
//
// A seed that differs is made small and printed as a listing that the last form takes. Ends with
// "N programs, M differences, K not done", and 1 if there are differences.
#include <fmt/format.h>
#include <sys/resource.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <stdexcept>
#include <string>
#include <vector>

#include "tests/sim/explore/oracle/comparison.hpp"
#include "tests/sim/explore/oracle/listing.hpp"
#include "tests/sim/explore/oracle/programs.hpp"

namespace watchlab::sim::oracle {
namespace {

constexpr std::uint64_t kProgressEvery = 1000;
constexpr Costs kCosts{.modes_runs_max = 10'000};
constexpr Costs kCostsOfDpor{.dfs_runs_max = 0, .modes_runs_max = 10'000};

/// Seeds, and those of them that leave `shard` when divided by `shards`.
struct Range {
  std::uint64_t first = 1;
  std::uint64_t last = 1;
  std::uint64_t shard = 0;
  std::uint64_t shards = 1;
};

struct Sums {
  std::size_t programs = 0;
  std::size_t differences = 0;
  std::size_t not_done = 0;
  std::size_t classes = 0;
  std::array<std::size_t, kSearched> executions = {};
  std::array<std::size_t, kSearched> asked = {};
  std::array<std::size_t, kSearched> exact = {};  ///< programs with as many runs as classes

  void add(const Comparison& comparison) {
    ++programs;
    not_done += comparison.done ? 0 : 1;
    differences += comparison.differences.empty() ? 0 : 1;
    classes += comparison.done ? comparison.classes : 0;
    for (std::size_t i = 0; i < kSearched; ++i) {
      executions.at(i) += comparison.done ? comparison.executions.at(i) : 0;
      asked.at(i) += comparison.executions.at(i) > 0 ? 1 : 0;
      exact.at(i) += comparison.done && comparison.executions.at(i) == comparison.classes ? 1 : 0;
    }
  }
  void print() const {
    fmt::print("{} programs, {} differences, {} not done ({} classes", programs, differences,
               not_done, classes);
    for (std::size_t i = 0; i < kSearched; ++i) {
      fmt::print("; {}: {} runs of {} programs, {} with one a class",
                 to_string(static_cast<Searched>(i)), executions.at(i), asked.at(i), exact.at(i));
    }
    fmt::print(")\n");
    std::fflush(stdout);
  }
};

void print(const Listing& listing, const Comparison& comparison) {
  fmt::print("  {}\n", to_string(listing));
  for (const std::string& difference : comparison.differences) {
    fmt::print("    {}\n", difference);
  }
}

int compare_one(const std::string& text) {
  const Listing listing = parse_listing(text);
  const Comparison comparison = compare(listing, kCosts);
  fmt::print("{} states, {} classes, {} outcomes{}\n", comparison.states, comparison.classes,
             comparison.outcomes, comparison.done ? "" : "; not done");
  for (std::size_t i = 0; i < kSearched; ++i) {
    fmt::print("{}: {} runs, {} abandoned\n", to_string(static_cast<Searched>(i)),
               comparison.executions.at(i), comparison.blocked.at(i));
  }
  print(listing, comparison);
  return comparison.differences.empty() ? 0 : 1;
}

int compare_seeds(const Range& range, const Costs& costs) {
  Sums sums;
  for (std::uint64_t seed = range.first; seed <= range.last; ++seed) {
    if (seed % range.shards != range.shard) {
      continue;
    }
    const Listing listing = generate(seed);
    const Comparison comparison = compare(listing, costs);
    sums.add(comparison);
    if (!comparison.done) {
      fmt::print("seed {}: not done, {} states, {} classes: {}\n", seed, comparison.states,
                 comparison.classes, to_string(listing));
    }
    if (!comparison.differences.empty()) {
      const Listing small = shrink(listing, [&costs](const Listing& smaller) {
        return !compare(smaller, costs).differences.empty();
      });
      fmt::print("seed {} differs; made small:\n", seed);
      print(small, compare(small, costs));
      std::fflush(stdout);
    }
    if (sums.programs % kProgressEvery == 0) {
      sums.print();
    }
  }
  sums.print();
  return sums.differences == 0 ? 0 : 1;
}

/// What all of --long judge, a part of them listings, which take longer.
constexpr std::uint64_t kProgramsOfLong = 500'000;
constexpr std::uint64_t kListingsOfLong = 50'000;

struct Wanted {
  std::vector<const Theme*> themes = {};
  std::uint64_t first = 1;
  std::uint64_t last = 0;
  bool is_long = false;
};

std::uint64_t number_from(const std::string& text) { return std::stoull(text); }

Wanted wanted_from(const std::vector<std::string>& words) {
  Wanted wanted;
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (words[i] == "--long") {
      wanted.is_long = true;
      continue;
    }
    if (i + 1 == words.size()) {
      throw std::invalid_argument(words[i] + " wants a value");
    }
    const std::string& value = words[++i];
    if (words[i - 1] == "--theme") {
      wanted.themes.push_back(&program_theme(value));
    } else if (words[i - 1] == "--seed") {
      wanted.first = wanted.last = number_from(value);
    } else if (const std::size_t dots = value.find(".."); words[i - 1] == "--seeds") {
      wanted.first = number_from(value.substr(0, dots));
      const bool ends = dots != std::string::npos && dots + 2 < value.size();
      wanted.last = ends ? number_from(value.substr(dots + 2)) : wanted.last;
    } else {
      throw std::invalid_argument("there is no " + words[i - 1]);
    }
  }
  return wanted;
}

int judge_themes(Wanted wanted) {
  if (wanted.themes.size() == 1 && wanted.first == wanted.last) {
    return judge_one(*wanted.themes.front(), wanted.first, {});
  }
  if (wanted.themes.empty()) {
    for (const Theme& theme : program_themes()) {
      wanted.themes.push_back(&theme);
    }
  }
  if (wanted.is_long) {
    const std::uint64_t left = kProgramsOfLong - kListingsOfLong;
    wanted.last = wanted.first + left / wanted.themes.size() - 1;
  }
  ProgramSums all;
  for (const Theme* const theme : wanted.themes) {
    const auto began = std::chrono::steady_clock::now();
    const ProgramSums sums = judge_seeds(*theme, wanted.first, wanted.last, {});
    const std::chrono::duration<double> took = std::chrono::steady_clock::now() - began;
    fmt::print("{}: {}, {:.0f} a second\n", theme->name, sums.to_string(),
               static_cast<double>(sums.programs) / took.count());
    all.add(sums);
  }
  struct rusage used {};
  getrusage(RUSAGE_CHILDREN, &used);
  fmt::print("all: {}; memory at most {} MiB\n", all.to_string(), used.ru_maxrss / 1024);
  const int listings =
      wanted.is_long
          ? compare_seeds({.first = wanted.first, .last = wanted.first + kListingsOfLong - 1},
                          kCosts)
          : 0;
  return all.lost + all.wrong + all.crashes == 0 && listings == 0 ? 0 : 1;
}

int run(std::vector<std::string> words) {
  if (!words.empty() && words.front().starts_with("--")) {
    return judge_themes(wanted_from(words));
  }
  const bool is_dpor_only = !words.empty() && words.front() == "dpor";
  words.erase(words.begin(), words.begin() + (is_dpor_only ? 1 : 0));
  if (words.size() == 1 && !is_dpor_only) {
    return compare_one(words[0]);
  }
  if (words.size() == 2 || words.size() == 4) {
    Range range{.first = std::stoull(words[0]), .last = std::stoull(words[1])};
    if (words.size() == 4) {
      range.shard = std::stoull(words[2]);
      range.shards = std::stoull(words[3]);
    }
    return compare_seeds(range, is_dpor_only ? kCostsOfDpor : kCosts);
  }
  fmt::print(stderr,
             "usage: explore-oracle LISTING | [dpor] FIRST LAST [SHARD SHARDS] | "
             "[--theme NAME] --seed N | [--theme NAME] --seeds A..B | --long [--seeds A..]\n");
  return 2;
}

}  // namespace
}  // namespace watchlab::sim::oracle

int main(int count, char** words) {
  try {
    return watchlab::sim::oracle::run({words + 1, words + count});
  } catch (const std::exception& error) {
    fmt::print(stderr, "explore-oracle: {}\n", error.what());
    return 2;
  }
}
