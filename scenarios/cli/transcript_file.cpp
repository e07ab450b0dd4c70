#include "scenarios/cli/transcript_file.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <system_error>

#include "scenarios/cli/report.hpp"
#include "scenarios/command_line/interrupt.hpp"
#include "scenarios/fuzz/story_generator.hpp"
#include "scenarios/language/plain_text.hpp"
#include "scenarios/language/runner.hpp"

namespace watchlab::scenarios {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kClassic = "classic";

/// Why a scenario is left out; "" when it is not.
std::string why_not(const Scenario& scenario, std::string_view machine) {
  if (scenario.path.find("scenarios/museum/") != std::string::npos) {
    return "of the museum: more than one order is right";
  }
  return why_left_out(scenario, machine);
}

Scenario story_of(StoryKind kind, std::uint64_t seed) {
  switch (kind) {
    case StoryKind::Fuzz:
      return compared_story(seed);
    case StoryKind::Shaped:
      return shaped_story(seed);
    case StoryKind::Illegal:
      return illegal_story(seed);
    case StoryKind::Legal:
      break;
  }
  return generate_story(seed);
}

/// Says that a file takes no more, and why.
std::string unwritten(const std::string& path) {
  return fmt::format("{}: cannot be written: {}", path == "-" ? "standard output" : path,
                     errno != 0 ? std::strerror(errno) : "not all of it was taken");
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

TranscriptFile::TranscriptFile(const std::string& path, Console& console, std::string machine)
    : console_(console), path_(path), machine_(std::move(machine)) {}

Scenario TranscriptFile::on_the_machine(Scenario scenario) const {
  if (machine_ == kClassic) {
    return scenario;
  }
  Scenario moved = playable_on(machine_, std::move(scenario));
  // Since 0.36 a queue of newest states has synced when the pop that met the last key of its first
  // list comes back. Where that key was removed, such a pop waits for the next state, and which of
  // several idle workers gets that is open.
  if (!features::find_machine(machine_)->counts_before) {
    for (sim::StoryClientOptions& client : moved.clients) {
      client.workers = client.kind == sim::ClientKind::Fifo ? 1 : client.workers;
    }
  }
  return moved;
}

/// Makes sure that there is something to write to: not before it is known to be no input.
void TranscriptFile::open() {
  if (path_ == "-" || file_ || !problem_.empty()) {
    return;
  }
  std::error_code failure;
  const fs::file_status found = fs::symlink_status(path_, failure);
  const bool is_put_in_place = !fs::exists(found) || fs::is_regular_file(found);
  written_to_ = is_put_in_place ? fmt::format("{}.{}.part", path_, ::getpid()) : path_;
  errno = 0;
  if (is_put_in_place && fs::exists(found) && ::access(path_.c_str(), W_OK) != 0) {
    problem_ = unwritten(path_);
    return;
  }
  file_ = std::make_unique<std::ofstream>(written_to_, std::ios::trunc);
  problem_ = *file_ ? "" : unwritten(path_);
}

TranscriptFile::~TranscriptFile() {
  if (!written_to_.empty() && written_to_ != path_) {
    std::error_code failure;
    fs::remove(written_to_, failure);  // where it is not in its place already
  }
}

/// Returns what is wrong; "" when nothing is.
std::string TranscriptFile::put_in_place() {
  errno = 0;
  std::ostream& out = file_ ? *file_ : std::cout;
  out.flush();
  if (!out) {
    return unwritten(path_);
  }
  std::error_code failure;
  if (file_ && written_to_ != path_) {
    const fs::perms mode = fs::status(path_, failure).permissions();
    if (!failure) {
      fs::permissions(written_to_, mode, failure);
    }
    fs::rename(written_to_, path_, failure);
  }
  errno = failure.value();
  return failure ? unwritten(path_) : "";
}

void TranscriptFile::add(const Scenario& scenario, Demand demand, Locks locks) {
  if (const std::string why = why_not(scenario, machine_); !why.empty()) {
    write(transcript_text_of_none(scenario, why));
    return;
  }
  const Transcript transcript = transcribe(scenario, locks);
  const bool has_end = !transcript.line.empty();
  const bool is_good = demand == Demand::Holds  ? transcript.problem.empty()
                       : demand == Demand::Ends ? has_end
                                                : true;
  if (!is_good) {
    console_.report_error(fmt::format("{}: {}", scenario.name, transcript.problem));
    ++broken_;
    exit_code_ = std::max(exit_code_, kExitFound);
  }
  if (has_end) {
    write(transcript.line);
    ++written_;
  } else if (demand != Demand::Holds) {
    write(transcript_text_of_none(scenario, "it has no end"));
  }
}

void TranscriptFile::write(const std::string& line) {
  open();
  if (!problem_.empty()) {
    return;
  }
  std::ostream& out = file_ ? *file_ : std::cout;
  errno = 0;
  out << visible_text(line) << '\n';
  problem_ = out ? problem_ : unwritten(path_);
}

void TranscriptFile::add_scenarios(const std::vector<CatalogueEntry>& files) {
  for (const CatalogueEntry& each : files) {
    problem_ = problem_.empty() ? overwriting(path_, each.path) : problem_;
  }
  for (const CatalogueEntry& each : files) {
    if (is_over()) {
      return;
    }
    console_.count(static_cast<std::size_t>(&each - files.data()), files.size(), "stories");
    if (each.parsed.scenario) {
      add(on_the_machine(*each.parsed.scenario),
          machine_ == kClassic ? Demand::Holds : Demand::Nothing);
    } else {
      console_.report_error(problem_text(each));
      exit_code_ = kExitUsage;
    }
  }
}

void TranscriptFile::add_stories(StoryKind kind, Seeds seeds) {
  bool is_last = false;  // one more than the last seed may be 0 again
  for (std::uint64_t seed = seeds.first; !is_last && !is_over(); ++seed) {
    is_last = seed == seeds.second;
    const bool hands_over = kind == StoryKind::Shaped && locks_are_handed_over(seed);
    add(on_the_machine(story_of(kind, seed)),
        kind == StoryKind::Legal ? Demand::Holds : Demand::Ends,
        hands_over ? Locks::HandedOver : Locks::Free);
    console_.count(seed - seeds.first + 1, seeds.second - seeds.first + 1, "stories");
  }
}

int TranscriptFile::finish() {
  if (Interrupt::requested()) {
    console_.report_error(fmt::format("stopped before all of {} was written", path_));
    return kExitInterrupted;
  }
  open();
  const std::string problem = problem_.empty() ? put_in_place() : problem_;
  if (!problem.empty()) {
    console_.report_error(problem);
    return kExitFound;
  }
  if (broken_ > 0) {
    console_.report_error(fmt::format("{} stories did not hold", broken_));
  }
  if (file_) {
    console_.note(fmt::format("{} transcripts in {}", written_, path_));
  }
  return exit_code_;
}

}  // namespace watchlab::scenarios
