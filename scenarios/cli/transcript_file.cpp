#include "scenarios/cli/transcript_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <fstream>
#include <iostream>

#include "scenarios/cli/report.hpp"
#include "scenarios/fuzz/story_generator.hpp"
#include "scenarios/language/transcript.hpp"

namespace watchlab::scenarios {
namespace {

/// Another client cannot live through a program, which has no server; the museum's stories are
/// about moments in which more than one order is right; and broken bytes are in no transcript.
bool is_left_out(const Scenario& scenario) {
  return !scenario.program.empty() || scenario.transport == sim::Transport::Wire ||
         scenario.path.find("scenarios/museum/") != std::string::npos;
}

}  // namespace

std::optional<std::pair<std::uint64_t, std::uint64_t>> seed_range(std::string_view text) {
  const char* const end = text.data() + text.size();
  std::pair<std::uint64_t, std::uint64_t> range;
  const auto [dots, failure] = std::from_chars(text.data(), end, range.first);
  if (failure != std::errc() || !std::string_view(dots, end).starts_with("..")) {
    return {};
  }
  const auto [rest, failure_too] = std::from_chars(dots + 2, end, range.second);
  const bool whole = failure_too == std::errc() && rest == end && range.first <= range.second;
  return whole ? std::optional(range) : std::nullopt;
}

TranscriptFile::TranscriptFile(const std::string& path, Console& console)
    : console_(console), path_(path) {
  if (path != "-") {
    file_ = std::make_unique<std::ofstream>(path, std::ios::trunc);
  }
}

TranscriptFile::~TranscriptFile() = default;

void TranscriptFile::add(const Scenario& scenario) {
  if (is_left_out(scenario)) {
    return;
  }
  const Transcript transcript = transcribe(scenario);
  if (!transcript.problem.empty()) {
    console_.complain(fmt::format("{}: {}", scenario.name, transcript.problem));
    exit_code_ = std::max(exit_code_, exit_found);
  }
  if (!transcript.line.empty()) {
    (file_ ? *file_ : std::cout) << transcript.line << '\n';
    ++written_;
  }
}

void TranscriptFile::add_scenarios(const std::vector<CatalogueEntry>& files) {
  for (const CatalogueEntry& each : files) {
    if (each.parsed.scenario) {
      add(*each.parsed.scenario);
    } else {
      console_.complain(problem_text(each));
      exit_code_ = exit_usage;
    }
  }
}

void TranscriptFile::add_stories(std::pair<std::uint64_t, std::uint64_t> seeds) {
  for (std::uint64_t seed = seeds.first; seed <= seeds.second; ++seed) {
    add(generate_story(seed));
    if (seed % 100 == 0) {
      console_.progress(fmt::format("story {} of {}", seed, seeds.second));
    }
  }
}

int TranscriptFile::finish() {
  std::ostream& out = file_ ? *file_ : std::cout;
  out.flush();
  if (!out) {
    console_.complain(fmt::format("{} cannot be written", path_));
    return exit_usage;
  }
  if (file_) {
    console_.remark(fmt::format("{} transcripts in {}", written_, path_));
  }
  return exit_code_;
}

}  // namespace watchlab::scenarios
