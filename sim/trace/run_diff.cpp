#include "sim/trace/run_diff.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

namespace watchlab::sim {
namespace {

constexpr std::size_t kShownBefore = 3;
constexpr std::size_t kContext = 2;
constexpr std::size_t kCellsMax = 4'000'000;

/// A step or a note, in one line.
struct Event {
  std::string name;  ///< what is compared
  std::string note;  ///< for people, behind it
  std::int64_t at = 0;

  [[nodiscard]] std::string to_string() const {
    return fmt::format("{:.3f}s  {}{}", static_cast<double>(at) / 1e9, name, note);
  }
};

Event event_of(const TraceStep& step) {
  std::string note = step.place.empty() ? "" : " (" + step.place + ")";
  if (!step.handover.empty()) {
    note += "; before that, " + step.handover;
  }
  return {step.task + " " + step.does, fmt::format("{}, step {}", note, step.step), step.at};
}

Event event_of(const TraceNote& note) {
  std::string name = note.kind + " " + note.subject + (note.by.empty() ? "" : " " + note.by);
  name += note.text.empty() ? "" : ": " + note.text;
  return {name, fmt::format(", after step {}", note.step), note.at};
}

std::vector<Event> events_of(const RunTrace& trace) {
  std::vector<Event> events;
  auto note = trace.notes.begin();
  for (const TraceStep& step : trace.steps) {
    for (; note != trace.notes.end() && note->step < step.step; ++note) {
      events.push_back(event_of(*note));
    }
    events.push_back(event_of(step));
  }
  for (; note != trace.notes.end(); ++note) {
    events.push_back(event_of(*note));
  }
  return events;
}

/// By what it is about, in the order in which it came.
using Observed = std::map<std::string, std::vector<std::string>>;

Observed observed_in(const RunTrace& trace) {
  static const std::map<std::string, std::string, std::less<>> titles{
      {"handler", "handler calls of "},
      {"print", "what is printed by "},
      {"delta", "deltas of "},
      {"dedup", "merged deletions of "},
      {"pop", "pops of "},
      {"requeue", "requeues of "},
      {"queue", "queueing of "},
      {"write", "writes to "},
      {"fault", "faults: "},
      {"stream", "watches of "}};
  Observed observed;
  for (const TraceNote& note : trace.notes) {
    if (note.kind == "send") {
      const std::size_t first = note.text.find(' ');
      const std::size_t second = note.text.find(' ', first + 1);
      if (second != std::string::npos) {
        observed["messages from " + note.text.substr(0, first) + " to " +
                 note.text.substr(first + 1, second - first - 1)]
            .push_back(note.text.substr(second + 1));
      }
    } else if (const auto title = titles.find(note.kind); title != titles.end()) {
      const std::string by = note.by.empty() ? "" : ", handler " + note.by;
      observed[title->second + note.subject + by].push_back(note.text.empty() ? note.kind
                                                                              : note.text);
    }
  }
  return observed;
}

/// The longest common subsequence, as the length for each pair of tails; all 0 for lists so long
/// that the table would not fit, which then count as having nothing in common but their beginnings.
std::vector<std::vector<std::size_t>> common_lengths(const std::vector<std::string>& first,
                                                     const std::vector<std::string>& second) {
  if (first.size() * second.size() > kCellsMax) {
    return {};
  }
  std::vector<std::vector<std::size_t>> lengths(first.size() + 1,
                                                std::vector<std::size_t>(second.size() + 1, 0));
  for (std::size_t i = first.size(); i-- > 0;) {
    for (std::size_t j = second.size(); j-- > 0;) {
      lengths[i][j] = first[i] == second[j] ? lengths[i + 1][j + 1] + 1
                                            : std::max(lengths[i + 1][j], lengths[i][j + 1]);
    }
  }
  return lengths;
}

/// Leaves of what both have only the lines next to a difference.
std::vector<std::string> with_context(const std::vector<std::string>& lines) {
  std::vector<std::string> kept;
  bool gap = false;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const std::size_t from = i - std::min(i, kContext);
    const std::size_t to = std::min(lines.size(), i + kContext + 1);
    const bool near_a_difference =
        std::any_of(lines.begin() + static_cast<std::ptrdiff_t>(from),
                    lines.begin() + static_cast<std::ptrdiff_t>(to),
                    [](const std::string& line) { return line.front() != ' '; });
    if (near_a_difference) {
      kept.push_back(lines[i]);
    } else if (!gap || kept.empty()) {
      kept.emplace_back("  …");
    }
    gap = !near_a_difference;
  }
  return kept;
}

ObservedDifference compare(const std::string& what, const std::vector<std::string>& first,
                           const std::vector<std::string>& second) {
  ObservedDifference difference{.what = what};
  const auto lengths = common_lengths(first, second);
  std::size_t i = 0;
  std::size_t j = 0;
  while (i < first.size() || j < second.size()) {
    if (i < first.size() && j < second.size() && first[i] == second[j]) {
      difference.lines.push_back("  " + first[i++]);
      ++j;
    } else if (j == second.size() ||
               (i < first.size() && (lengths.empty() || lengths[i + 1][j] >= lengths[i][j + 1]))) {
      difference.lines.push_back("- " + first[i++]);
      ++difference.only_first;
    } else {
      difference.lines.push_back("+ " + second[j++]);
      ++difference.only_second;
    }
  }
  difference.lines = with_context(difference.lines);
  return difference;
}

void find_first_difference(const RunTrace& first, const RunTrace& second, RunDiff& diff) {
  const std::vector<Event> a = events_of(first);
  const std::vector<Event> b = events_of(second);
  const auto [in_a, in_b] = std::ranges::mismatch(a, b, {}, &Event::name, &Event::name);
  diff.alike = static_cast<std::size_t>(in_a - a.begin());
  for (auto event = in_a - static_cast<std::ptrdiff_t>(std::min(diff.alike, kShownBefore));
       event != in_a; ++event) {
    diff.before.push_back(event->to_string());
  }
  if (in_a != a.end()) {
    diff.first = in_a->to_string();
  }
  if (in_b != b.end()) {
    diff.second = in_b->to_string();
  }
  if (!diff.first && !diff.second) {
    const auto [late_a, late_b] = std::ranges::mismatch(a, b, {}, &Event::at, &Event::at);
    if (late_a != a.end()) {
      diff.later = fmt::format("{}, but in b at {:.3f}s", late_a->to_string(),
                               static_cast<double>(late_b->at) / 1e9);
    }
  }
}

}  // namespace

RunDiff diff_runs(const RunTrace& first, const RunTrace& second) {
  RunDiff diff;
  diff.first_outcome = first.outcome;
  diff.second_outcome = second.outcome;
  find_first_difference(first, second, diff);
  Observed in_first = observed_in(first);
  Observed in_second = observed_in(second);
  for (const auto& [what, texts] : in_second) {
    in_first.try_emplace(what);
  }
  for (const auto& [what, texts] : in_first) {
    if (texts != in_second[what]) {
      diff.observed.push_back(compare(what, texts, in_second[what]));
    }
  }
  return diff;
}

std::string RunDiff::to_string() const {
  std::string text = fmt::format("a: {}\nb: {}\n\n", first_outcome, second_outcome);
  if (is_empty()) {
    return text + fmt::format("The runs are the same: {} steps and notes.", alike);
  }
  if (later) {
    return text + "All is the same, but not when it happens. The first difference:\n  " + *later;
  }
  if (first || second) {
    text += fmt::format("The first {} steps and notes are the same. Then:\n", alike);
    for (const std::string& line : before) {
      text += "     " + line + "\n";
    }
    text += "  a: " + first.value_or("(the end)") + "\n  b: " + second.value_or("(the end)") + "\n";
  }
  text += observed.empty() ? "\nWhat clients and handlers see is the same."
                           : "\nWhat differs for those who look on (- only a, + only b):";
  for (const ObservedDifference& difference : observed) {
    text += fmt::format("\n{} (-{} +{})", difference.what, difference.only_first,
                        difference.only_second);
    for (const std::string& line : difference.lines) {
      text += "\n  " + line;
    }
  }
  return text;
}

}  // namespace watchlab::sim
