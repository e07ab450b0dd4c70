#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <chrono>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "exercises/toolkit/cluster.hpp"
#include "exercises/toolkit/protocol.hpp"
#include "exercises/toolkit/remote_protocol.hpp"
#include "exercises/toolkit/search.hpp"
#include "exercises/toolkit/worlds.hpp"
#include "sim/explain/explain.hpp"
#include "sim/explain/wording.hpp"
#include "sim/explore/replay_strategy.hpp"
#include "sim/kernel/path_text.hpp"
#include "sim/kernel/world.hpp"

namespace watchlab::exercise {
namespace {

constexpr std::size_t kLinesMax = 40;

sim::RunResult record(const sim::Failure& failure, const Body& body) {
  const sim::Schedule schedule = sim::Schedule::parse(failure.schedule);
  sim::World world({.seed = schedule.seed,
                    .steps_max = schedule.steps_max,
                    .early_advances_max = schedule.early_advances_max,
                    .memory = schedule.memory,
                    .record = true});
  sim::ReplayStrategy strategy(schedule, sim::ReplayStrategy::Mode::Strict);
  return world.run(strategy, body);
}

/// Lines of equal text are one, with a count.
class Lines {
 public:
  void add(std::string text) {
    if (!texts_.empty() && texts_.back() == text) {
      ++counts_.back();
      return;
    }
    texts_.push_back(std::move(text));
    counts_.push_back(1);
  }
  /// The number of the last one; 0 for none.
  [[nodiscard]] std::size_t last() const { return texts_.size(); }

  [[nodiscard]] std::string to_string() const {
    std::string out;
    const std::size_t first = texts_.size() > kLinesMax ? texts_.size() - kLinesMax : 0;
    if (first > 0) {
      out += fmt::format("  … {} earlier steps\n", first);
    }
    for (std::size_t i = first; i < texts_.size(); ++i) {
      const std::string times = counts_[i] > 1 ? fmt::format(" ({} times)", counts_[i]) : "";
      out += fmt::format("  {:>2}. {}{}\n", i + 1, texts_[i], times);
    }
    return out;
  }

 private:
  std::vector<std::string> texts_;
  std::vector<std::size_t> counts_;
};

/// Says when something happened, where that is another moment than of the line before.
class Times {
 public:
  explicit Times(const sim::RunResult& run)
      : last_(run.steps_taken.empty() ? runtime::TimePoint() : run.steps_taken.front().at),
        start_(last_) {}

  /// " [12.5 s]", counted from the start of the run; "" for the same moment.
  std::string since(runtime::TimePoint at) {
    if (at == last_) {
      return "";
    }
    last_ = at;
    using Milliseconds = std::chrono::milliseconds;
    const auto passed = std::chrono::duration_cast<Milliseconds>(at - start_).count();
    return fmt::format(" [{} s]", static_cast<double>(passed) / 1000);
  }

 private:
  runtime::TimePoint last_;
  runtime::TimePoint start_;
};

std::string line_of(const sim::NoteRecord& note) {
  const std::string task = sim::with_readable_tasks(note.task);
  if (note.kind == kActionNote) {
    return fmt::format("Action: {}: {}", task, note.text);
  }
  if (note.kind == kExpectationNote) {
    return fmt::format("Expectation: {}", note.text);
  }
  return fmt::format("Action: {}: {} {} {}", task, note.kind, note.subject, note.text);
}

/// The locks and the cells of the library, of which the author of a test knows nothing.
bool is_inner(const sim::StepRecord& step) {
  using Kind = sim::OperationKind;
  const bool locks = step.kind >= Kind::Lock && step.kind <= Kind::NotifyAll;
  const bool is_cell = step.kind >= Kind::AtomicRead && step.kind <= Kind::AtomicUpdate;
  return (locks || is_cell) && course::is_foreign(step.here.file_name());
}

/// What a cluster's client does with tasks and timers; its notes say what it asked and was told.
bool is_of_client(const sim::StepRecord& step) {
  return step.task.starts_with(fmt::format("main/{}", kClientOfCluster));
}

/// A message on its way: what the client receives says as much.
bool is_on_its_way(const sim::NoteRecord& note) {
  return note.kind == "send" || (note.kind == "receive" && note.text.starts_with("client "));
}

/// Where a step of the world stands in a narration: in that line, or unseen behind it.
struct Shown {
  std::size_t line = 0;
  bool behind = false;
};

struct Narrated {
  Lines lines{};
  std::map<std::size_t, Shown> steps{};
  std::set<std::string> foreign{};  ///< the sources, without their folders, that students lack
};

/// Steps and notes of a run in the order in which they happened.
Narrated narrated(const sim::RunResult& run) {
  Narrated all;
  Lines& lines = all.lines;
  Times times(run);
  std::size_t next = 0;
  const auto add_notes_until = [&](std::size_t step) {
    for (; next < run.notes.size() && run.notes[next].step < step; ++next) {
      if (is_on_its_way(run.notes[next])) {
        continue;
      }
      lines.add(line_of(run.notes[next]) + times.since(run.notes[next].at));
    }
  };
  for (const sim::StepRecord& step : run.steps_taken) {
    add_notes_until(step.step);
    std::string text = sim::with_short_places(step.to_string());
    if (course::is_foreign(step.here.file_name())) {
      text.resize(text.rfind(" ("));
      const std::string place = sim::place_text(step.here);
      all.foreign.insert(place.substr(0, place.rfind(':')));
    }
    const bool shown = !is_inner(step) && !is_of_client(step);
    if (shown) {
      lines.add("Action: " + text + times.since(step.at));
    }
    all.steps[step.step] = {lines.last(), !shown};
  }
  add_notes_until(run.steps + 1);
  return all;
}

/// What the text says of the world's steps, in the numbers of the narration's lines: what is not
/// narrated happens after the line before it.
std::string with_numbers_of(const Narrated& all, std::string_view text) {
  constexpr std::string_view word = "step ";
  constexpr std::string_view at = "at ";
  std::string out;
  for (std::size_t found = text.find(word); found != text.npos; found = text.find(word)) {
    out += text.substr(0, found);
    text.remove_prefix(found + word.size());
    std::size_t number = 0;
    const char* const end = std::from_chars(text.data(), text.data() + text.size(), number).ptr;
    const auto step = all.steps.find(number);
    if (end == text.data() || step == all.steps.end()) {
      out += word;
      continue;
    }
    if (step->second.behind) {
      out.resize(out.size() - (out.ends_with(at) ? at.size() : 0));
      out += "after ";
    }
    out += fmt::format("{}{}", word, step->second.line);
    text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  }
  return out.append(text);
}

}  // namespace

std::string narrate(const sim::Failure& failure, const Body& body) {
  const sim::RunResult run = record(failure, body);
  const Narrated all = narrated(run);
  const std::string sentence = run.failure ? run.failure->sentence : "";
  const std::string words = course::without_places(
      fmt::format("  then: {}\n{}", course::without_guesses(sentence),
                  sim::explain_in_short(failure.schedule, body)),
      [&all](const std::string& source) { return all.foreign.contains(source); });
  return "It failed after these steps:\n" + all.lines.to_string() +
         course::without_foreign_places(with_numbers_of(all, words));
}

}  // namespace watchlab::exercise

namespace watchlab::course {

std::string without_guesses(std::string text) {
  constexpr std::string_view guess = "perhaps a lost wake-up: ";  // of the kernel
  constexpr std::string_view last = "this wait began at step ";
  for (std::size_t at = text.find(guess); at != text.npos; at = text.find(guess, at)) {
    const std::size_t number = text.find(last, at);
    const std::size_t end = number == text.npos
                                ? text.npos
                                : text.find_first_not_of("0123456789", number + last.size());
    text.replace(at, std::min(end, text.size()) - at, "and no task is left that would notify it");
  }
  return text;
}

bool is_foreign(std::string_view file) {
  if (file == kVariantSource) {
    return true;
  }
  const auto has = [file](std::string_view part) { return file.find(part) != file.npos; };
  return file.ends_with(".cpp") && !has("/tests/") &&
         (has("core/") || has("sim/") || has("scenarios/") || has("exercises/"));
}

namespace {

/// A place in a text: "fifo.cpp:12", with the words that lead to it.
struct Citation {
  std::size_t begin = 0;
  std::size_t end = 0;
  std::string source{};  ///< "" where a folder stands before it, or no number behind it
};

/// The one whose "pp:" stands there.
Citation citation_at(std::string_view text, std::size_t at) {
  const std::size_t colon = at + 2;
  Citation place{.begin = text.find_last_of(" (\n", at) + 1,  // 0 for none
                 .end = std::min(text.find_first_not_of("0123456789", colon + 1), text.size())};
  const std::string_view source = text.substr(place.begin, colon - place.begin);
  const bool is_source = source.ends_with(".cpp") || source.ends_with(".hpp");
  if (is_source && place.end > colon + 1 && source.find('/') == source.npos) {
    place.source = source;
  }
  const std::string_view before = text.substr(0, place.begin);
  for (const std::string_view lead : {" (", " of ", " at "}) {
    if (before.ends_with(lead)) {
      place.begin -= lead.size();
      place.end += lead == " (" && text.substr(place.end).starts_with(')') ? 1 : 0;
    }
  }
  return place;
}

}  // namespace

std::string without_places(std::string text,
                           const std::function<bool(const std::string&)>& is_left_out) {
  constexpr std::string_view mark = "pp:";  // of ".cpp:" and ".hpp:"
  for (std::size_t at = text.find(mark); at != text.npos; at = text.find(mark, at)) {
    const Citation place = citation_at(text, at);
    if (!place.source.empty() && is_left_out(place.source)) {
      text.erase(place.begin, place.end - place.begin);
      at = place.begin;
    } else {
      at += mark.size();
    }
  }
  return text;
}

std::string without_foreign_places(std::string_view text) {
  std::string out;
  while (!text.empty()) {
    const std::size_t begin = std::min(text.find(" ("), text.size());
    const std::size_t end = text.find(')', begin);
    const std::size_t line = text.find(':', begin);
    out += text.substr(0, begin);
    text.remove_prefix(begin);
    if (text.empty()) {
      break;
    }
    const bool is_place = end != std::string_view::npos && line < end;
    if (is_place && is_foreign(text.substr(2, line - begin - 2))) {
      text.remove_prefix(end + 1 - begin);
    } else {
      out += text.substr(0, 2);
      text.remove_prefix(2);
    }
  }
  return sim::with_short_places(out);
}

}  // namespace watchlab::course
