#include "sim/kernel/schedule.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <charconv>

#include "sim/kernel/mix.hpp"
#include "sim/kernel/path_text.hpp"
#include "sim/kernel/sim_object.hpp"
#include "sim/kernel/strategy.hpp"

namespace watchlab::sim {

std::string_view to_string(ChoiceKind kind) {
  static constexpr std::array<std::string_view, 11> kNames{
      "actor", "waiter",  "case",     "partner", "parked",  "order",
      "value", "advance", "handover", "memory",  "spurious"};
  return kNames.at(static_cast<std::size_t>(kind));
}

namespace {

constexpr std::string_view kVersion = "w1";
constexpr std::size_t kTextMax = std::size_t{16} * 1024 * 1024;

std::uint32_t checksum(std::string_view text) {
  return static_cast<std::uint32_t>(mix(0, digest_of(text)));
}

std::uint32_t index_of(std::vector<std::string>& paths, const std::string& path) {
  const auto found = std::find(paths.begin(), paths.end(), path);
  if (found == paths.end()) {
    paths.push_back(path);
    return static_cast<std::uint32_t>(paths.size() - 1);
  }
  return static_cast<std::uint32_t>(found - paths.begin());
}

template <typename Number>
bool parse_number(std::string_view text, Number& number, int base) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number, base);
  return error == std::errc() && end == text.data() + text.size() && !text.empty();
}

ScheduledDeviation parse_deviation(std::string_view text,
                                   const std::vector<std::string_view>& paths) {
  const std::size_t dot = text.find('.');
  const std::size_t sign = text.find_first_of("-=", dot == std::string_view::npos ? 0 : dot);
  std::uint32_t at = 0;
  std::uint32_t target = 0;
  ScheduledDeviation deviation;
  if (dot == std::string_view::npos || sign == std::string_view::npos ||
      !parse_number(text.substr(0, dot), at, 10) || at >= paths.size() ||
      !parse_number(text.substr(dot + 1, sign - dot - 1), deviation.ordinal, 10) ||
      !parse_number(text.substr(sign + 1), target, 10)) {
    throw InvalidSchedule(
        fmt::format("'{}' is no decision of a schedule: expected something like 0.5-1 or 1.7=2",
                    text.substr(0, 40)));
  }
  deviation.at = paths[at];
  deviation.is_switch = text[sign] == '-';
  if (!deviation.is_switch) {
    deviation.index = target;
    return deviation;
  }
  if (target >= paths.size()) {
    throw InvalidSchedule(
        fmt::format("'{}' names an actor that the schedule does not list", text.substr(0, 40)));
  }
  deviation.next = paths[target];
  return deviation;
}

/// Reads "1", "1+a2", "1+a2+ra+t3+s500".
bool parse_seed(std::string_view text, Schedule& schedule) {
  const std::vector<std::string_view> parts = split(text, '+');
  bool good = parse_number(parts[0], schedule.seed, 16);
  for (std::size_t i = 1; i < parts.size(); ++i) {
    const std::string_view digits = parts[i].substr(std::min<std::size_t>(1, parts[i].size()));
    if (parts[i] == to_string(Memory::ReleaseAcquire)) {
      schedule.memory = Memory::ReleaseAcquire;
    } else if (parts[i].starts_with('a')) {
      good = good && parse_number(digits, schedule.early_advances_max, 10) &&
             schedule.early_advances_max > 0;
    } else if (parts[i].starts_with('t')) {
      good = good && parse_number(digits, schedule.equal_turns, 10) &&
             schedule.equal_turns > kEqualTurns && schedule.equal_turns <= kEqualTurnsMax;
    } else {
      good = good && parts[i].starts_with('s') && parse_number(digits, schedule.steps_max, 10);
    }
  }
  return good;
}

void check_version(std::string_view text) {
  if (text.size() > kTextMax) {
    throw InvalidSchedule("the text is too long for a schedule");
  }
  const std::string_view version = text.substr(0, text.find(':'));
  if (version == kVersion && text.find(':') != std::string_view::npos) {
    return;
  }
  const bool other = version.size() >= 2 && version.size() <= 4 && version[0] == 'w' &&
                     std::all_of(version.begin() + 1, version.end(),
                                 [](char letter) { return letter >= '0' && letter <= '9'; });
  if (other && version != kVersion) {
    throw InvalidSchedule(fmt::format(
        "the schedule is of version {}, and this program plays version {}", version, kVersion));
  }
  throw InvalidSchedule(fmt::format(
      "this is no schedule: expected {}:SCENARIO:SEED:ACTORS:DECISIONS:CHECK", kVersion));
}

}  // namespace

std::string Schedule::to_string() const {
  std::vector<std::string> paths;
  std::string decisions;
  for (const ScheduledDeviation& deviation : deviations) {
    const std::uint32_t at = index_of(paths, deviation.at);
    decisions += decisions.empty() ? "" : ",";
    if (deviation.is_switch) {
      decisions += fmt::format("{}.{}-{}", at, deviation.ordinal, index_of(paths, deviation.next));
    } else {
      decisions += fmt::format("{}.{}={}", at, deviation.ordinal, deviation.index);
    }
  }
  const std::string advances =
      early_advances_max != 0 ? "+a" + std::to_string(early_advances_max) : std::string();
  const std::string model = memory != Memory::SequentiallyConsistent
                                ? fmt::format("+{}", sim::to_string(memory))
                                : std::string();
  const std::string turns =
      equal_turns != kEqualTurns ? "+t" + std::to_string(equal_turns) : std::string();
  const std::string limit =
      steps_max != kStepsMax ? "+s" + std::to_string(steps_max) : std::string();
  const std::string text =
      fmt::format("{}:{:x}:{:x}{}{}{}{}:{}:{}", kVersion, scenario, seed, advances, model, turns,
                  limit, fmt::join(paths, ","), decisions);
  return fmt::format("{}:{:08x}", text, checksum(text));
}

Schedule Schedule::parse(std::string_view text) {
  check_version(text);
  const std::size_t last = text.rfind(':');
  std::uint32_t check = 0;
  const std::vector<std::string_view> parts = split(text, ':');
  if (parts.size() != 6 || parts[5].size() != 8 || !parse_number(parts[5], check, 16) ||
      check != checksum(text.substr(0, last))) {
    throw InvalidSchedule(
        "the schedule is incomplete or was changed: its checksum does not fit; paste all of it");
  }
  Schedule schedule;
  if (!parse_number(parts[1], schedule.scenario, 16) || !parse_seed(parts[2], schedule)) {
    throw InvalidSchedule("the schedule's scenario or seed is no hexadecimal number");
  }
  const std::vector<std::string_view> paths = split(parts[3], ',');
  for (const std::string_view path : paths) {
    if (!path.empty() && digest_of_path(path) == 0) {
      throw InvalidSchedule(fmt::format("'{}' is no name of an actor", path.substr(0, 40)));
    }
  }
  if (!parts[4].empty()) {
    for (const std::string_view deviation : split(parts[4], ',')) {
      schedule.deviations.push_back(parse_deviation(deviation, paths));
    }
  }
  return schedule;
}

std::vector<ScheduledDeviation> portable(const std::vector<Deviation>& deviations) {
  std::vector<ScheduledDeviation> result;
  result.reserve(deviations.size());
  for (const Deviation& deviation : deviations) {
    result.push_back({.is_switch = deviation.kind == ChoiceKind::Actor,
                      .at = deviation.at->identity().path(),
                      .ordinal = deviation.ordinal,
                      .next = deviation.next != nullptr ? deviation.next->identity().path() : "",
                      .index = deviation.index});
  }
  return result;
}

}  // namespace watchlab::sim
