#include "scenarios/campaign/search_state.hpp"

#include <fmt/format.h>

#include <fstream>
#include <sstream>
#include <stdexcept>

namespace watchlab::scenarios {
namespace {

std::string head_for(std::uint64_t scenario) {
  return fmt::format("watchlab-search 1 {:016x}", scenario);
}

}  // namespace

std::string search_state_text(const std::vector<JobState>& jobs, std::uint64_t scenario) {
  std::string text = head_for(scenario) + "\n";
  for (const JobState& job : jobs) {
    text += fmt::format("{} {}\n", job.next_run, job.tree);
  }
  return text;
}

std::vector<JobState> read_search_state(const std::string& path, std::uint64_t scenario) {
  std::ifstream in(path);
  if (!in) {
    throw std::invalid_argument(fmt::format("{}: there is no such file", path));
  }
  std::string line;
  std::getline(in, line);
  if (!line.starts_with("watchlab-search 1 ")) {
    throw std::invalid_argument(fmt::format("{}: this is not where a search has stopped", path));
  }
  if (line != head_for(scenario)) {
    throw std::invalid_argument(
        fmt::format("{}: the search that stopped here was of another scenario, or the scenario "
                    "has been changed since",
                    path));
  }
  std::vector<JobState> jobs;
  while (std::getline(in, line)) {
    std::istringstream words(line);
    JobState& job = jobs.emplace_back();
    if (!(words >> job.next_run)) {
      throw std::invalid_argument(fmt::format("{}: the file is damaged", path));
    }
    std::getline(words >> std::ws, job.tree);
  }
  if (jobs.empty()) {
    throw std::invalid_argument(fmt::format("{}: the file ends too early", path));
  }
  return jobs;
}

}  // namespace watchlab::scenarios
