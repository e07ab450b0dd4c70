#include "sim/explore/signature.hpp"

#include <algorithm>
#include <set>
#include <sstream>

namespace watchlab::sim {
namespace {

bool is_digit(char letter) { return letter >= '0' && letter <= '9'; }

/// Without "#2" and without numbers.
std::string without_numbers(const std::string& line) {
  std::string kept;
  for (std::size_t i = 0; i < line.size(); ++i) {
    const bool counts = line[i] == '#' && i + 1 < line.size() && is_digit(line[i + 1]);
    if (!counts && !is_digit(line[i])) {
      kept += line[i];
    }
  }
  return kept;
}

/// Of "main/a waits for mutex 'm' (x.cpp:9), which …" only who waits for what.
std::string who_waits(const std::string& line) {
  const std::size_t begin = line.find_first_not_of(' ');
  return without_numbers(line.substr(begin, line.find(" (", begin) - begin));
}

/// Of "…: main/a -> main/b -> main/a wait for each other in a circle" or "…: main waits for itself"
/// the tasks; empty without a circle.
std::set<std::string> circle_of(const std::string& headline) {
  std::set<std::string> members;
  const std::size_t end = std::min(headline.find(" wait for each other in a circle"),
                                   headline.find(" waits for itself"));
  const std::size_t before = headline.find_last_of(":;", end);
  if (end == std::string::npos || before == std::string::npos) {
    return members;
  }
  const std::string arrow = " -> ";
  for (std::size_t begin = before + 2; begin < end;) {
    const std::size_t next = std::min(headline.find(arrow, begin), end);
    members.insert(headline.substr(begin, next - begin));
    begin = next + arrow.size();
  }
  return members;
}

/// The first place of a line, "x.cpp:9"; "" without one.
std::string place_in(const std::string& line) {
  for (std::size_t open = line.find('('); open != std::string::npos;
       open = line.find('(', open + 1)) {
    const std::string inside = line.substr(open + 1, line.find(')', open) - open - 1);
    const std::size_t colon = inside.rfind(':');
    if (colon != std::string::npos && colon + 1 < inside.size() &&
        std::all_of(inside.begin() + static_cast<std::ptrdiff_t>(colon) + 1, inside.end(),
                    is_digit)) {
      return inside;
    }
  }
  constexpr std::string_view select = " waits in select at ";
  const std::size_t at = line.find(select);
  return at == std::string::npos
             ? ""
             : line.substr(at + select.size(),
                           line.find(' ', at + select.size()) - at - select.size());
}

bool is_stuck(const Failure& failure) {
  return failure.kind == "deadlock" || failure.kind == "leak";
}

/// Whether a line of the wait-for graph is about one of these, whose names may have blanks.
bool is_about(const std::string& line, const std::set<std::string>& tasks) {
  const std::string_view wait = std::string_view(line).substr(line.find_first_not_of(' '));
  return std::ranges::any_of(tasks, [&](const std::string& task) {
    return wait.starts_with(task) && (wait.substr(task.size()).starts_with(" wait") ||
                                      wait.substr(task.size()).starts_with(" was woken") ||
                                      wait.substr(task.size()).starts_with(" ("));
  });
}

bool is_endless(const Failure& failure) {
  return failure.kind == "livelock" || failure.kind == "no end";
}

/// The lines of a stuck run's report that say who waits for what.
std::vector<std::string> waits_of(const Failure& failure) {
  std::istringstream lines(failure.sentence);
  std::string line;
  std::getline(lines, line);
  const std::set<std::string> circle = circle_of(line);
  std::vector<std::string> waits;
  while (std::getline(lines, line)) {
    const bool matters = circle.empty() || is_about(line, circle);
    if (matters && line.find("wait") != std::string::npos) {
      waits.push_back(line);
    }
  }
  return waits;
}

std::string key_of(const Failure& failure) {
  std::set<std::string> places;
  if (is_stuck(failure)) {
    for (const std::string& wait : waits_of(failure)) {
      places.insert(place_in(wait));
    }
  } else if (!is_endless(failure)) {
    places.insert(place_in(failure.sentence.substr(0, failure.sentence.find('\n'))));
  }
  std::string key = signature_of(failure);
  for (const std::string& place : places) {
    key += "@" + place;
  }
  return key;
}

}  // namespace

std::string signature_of(const Failure& failure) {
  if (!is_stuck(failure)) {
    const std::string headline = failure.sentence.substr(0, failure.sentence.find('\n'));
    return failure.kind + (is_endless(failure) ? "" : "|" + without_numbers(headline));
  }
  std::set<std::string> waits;
  for (const std::string& wait : waits_of(failure)) {
    waits.insert(who_waits(wait));
  }
  std::string signature = failure.kind;
  for (const std::string& wait : waits) {
    signature += "|" + wait;
  }
  return signature;
}

DistinctFailure* find_failure(std::vector<DistinctFailure>& failures, const Failure& failure) {
  const std::string key = key_of(failure);
  const auto found = std::ranges::find_if(
      failures, [&](const DistinctFailure& each) { return key_of(each.first) == key; });
  return found == failures.end() ? nullptr : &*found;
}

void add_failure(std::vector<DistinctFailure>& failures, const DistinctFailure& found) {
  if (DistinctFailure* const known = find_failure(failures, found.first)) {
    known->count += found.count;
    if (found.first_run < known->first_run) {
      known->first_run = found.first_run;
      known->first = found.first;
    }
  } else {
    failures.push_back(found);
  }
  std::ranges::sort(failures, {}, &DistinctFailure::first_run);
}

}  // namespace watchlab::sim
