#include "scenarios/cli/transcript_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <fstream>
#include <iostream>

#include "scenarios/cli/report.hpp"
#include "scenarios/fuzz/compared_story.hpp"
#include "scenarios/fuzz/story_generator.hpp"
#include "scenarios/language/transcript.hpp"
#include "scenarios/language/transcript_text.hpp"

namespace watchlab::scenarios {
namespace {

/// Why a scenario is left out; "" when it is not.
std::string why_not(const Scenario& scenario) {
  if (scenario.path.find("scenarios/museum/") != std::string::npos) {
    return "of the museum: more than one order is right";
  }
  return why_left_out(scenario);
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
  if (const std::string why = why_not(scenario); !why.empty()) {
    write(transcript_text_of_none(scenario, why));
    return;
  }
  const Transcript transcript = transcribe(scenario);
  if (!transcript.problem.empty()) {
    console_.complain(fmt::format("{}: {}", scenario.name, transcript.problem));
    ++broken_;
    exit_code_ = std::max(exit_code_, exit_found);
  }
  if (!transcript.line.empty()) {
    write(transcript.line);
    ++written_;
  }
}

void TranscriptFile::add_whatever_came_of_it(const Scenario& scenario) {
  std::string why = why_not(scenario);
  if (why.empty()) {
    const Transcript transcript = transcribe(scenario);
    if (!transcript.line.empty()) {
      write(transcript.line);
      ++written_;
      return;
    }
    why = "it has no end";
    console_.complain(fmt::format("{}: {}", scenario.name, transcript.problem));
    ++broken_;
    exit_code_ = std::max(exit_code_, exit_found);
  }
  write(transcript_text_of_none(scenario, why));
}

void TranscriptFile::write(const std::string& line) {
  (file_ ? *file_ : std::cout) << line << '\n';
}

void TranscriptFile::report(std::uint64_t seed, std::uint64_t last) {
  if (seed % 100 == 0) {
    console_.progress(fmt::format("story {} of {}", seed, last));
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

void TranscriptFile::add_stories(Seeds seeds) {
  for (std::uint64_t seed = seeds.first; seed <= seeds.second; ++seed) {
    add(generate_story(seed));
    report(seed, seeds.second);
  }
}

void TranscriptFile::add_fuzz_stories(Seeds seeds) {
  for (std::uint64_t seed = seeds.first; seed <= seeds.second; ++seed) {
    add_whatever_came_of_it(compared_story(seed));
    report(seed, seeds.second);
  }
}

void TranscriptFile::add_illegal_stories(Seeds seeds) {
  for (std::uint64_t seed = seeds.first; seed <= seeds.second; ++seed) {
    add_whatever_came_of_it(illegal_story(seed));
    report(seed, seeds.second);
  }
}

int TranscriptFile::finish() {
  std::ostream& out = file_ ? *file_ : std::cout;
  errno = 0;
  out.flush();
  if (!out) {
    console_.complain(fmt::format("{}: cannot be written: {}", path_,
                                  errno != 0 ? std::strerror(errno) : "not all of it was taken"));
    return exit_found;
  }
  if (broken_ > 0) {
    console_.complain(fmt::format("{} stories did not hold", broken_));
  }
  if (file_) {
    console_.remark(fmt::format("{} transcripts in {}", written_, path_));
  }
  return exit_code_;
}

}  // namespace watchlab::scenarios
