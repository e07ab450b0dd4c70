#include "exercises/grader/planned_runs.hpp"

#include <algorithm>

namespace watchlab::course {
namespace {

bool is_first_meeting(const std::vector<MetLibrary>& met, std::size_t number) {
  return number == 0 || met[number - 1].variant.id != met[number].variant.id;
}

/// Whether more runs with a library could make a difference.
bool is_open(const MetLibrary& library) {
  return library.runs.size() < Tally::kRunsMax &&
         std::ranges::any_of(tallies_of(library),
                             [](const auto& tally) { return tally.second.is_open(); });
}

}  // namespace

std::vector<PlannedRun> first_runs(const std::vector<MetLibrary>& met,
                                   const std::vector<std::uint64_t>& seeds,
                                   const std::vector<std::uint64_t>& further_seeds) {
  std::vector<PlannedRun> planned;
  for (std::size_t i = 0; i < met.size(); ++i) {
    std::vector<std::uint64_t> own = seeds;
    if (is_correct(met[i].variant) && is_first_meeting(met, i)) {
      own.insert(own.end(), further_seeds.begin(), further_seeds.end());
    }
    for (std::size_t number = 0; number < own.size(); ++number) {
      planned.push_back({i, number, own[number]});
    }
  }
  return planned;
}

std::vector<PlannedRun> further_runs(const std::vector<MetLibrary>& met,
                                     const std::vector<std::uint64_t>& seeds) {
  std::vector<PlannedRun> planned;
  for (std::size_t i = 0; i < met.size() && std::ranges::any_of(met, is_open); ++i) {
    const std::size_t number = met[i].runs.size();
    if (is_open(met[i]) || (is_correct(met[i].variant) && is_first_meeting(met, i))) {
      planned.push_back({i, number, seeds[number % seeds.size()]});
    }
  }
  return planned;
}

}  // namespace watchlab::course
