#include "scenarios/cli/picture_notes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <map>
#include <set>
#include <stdexcept>
#include <utility>

#include "scenarios/language/document.hpp"
#include "scenarios/language/values.hpp"
#include "scenarios/report/lanes.hpp"
#include "scenarios/report/narration.hpp"
#include "sim/explain/wording.hpp"
#include "sim/kernel/path_text.hpp"
#include "sim/story/pattern.hpp"

namespace watchlab::scenarios {
namespace {

/// How many rows before and behind a step that matters are drawn.
constexpr std::size_t kRowsBefore = 7;
constexpr std::size_t kRowsBehind = 4;
/// Fewer than that are drawn: to say that they are left out takes a row, too.
constexpr std::size_t kLeftOutMin = 4;
/// What a fault does more often than that is known by then.
constexpr std::size_t kRepeatsMax = 3;

/// Adds notes to those of a run, each where it belongs.
class NoteWriter {
 public:
  NoteWriter(const Scenario& scenario, const SeenRun& seen, const std::vector<TurningPoint>& turns)
      : scenario_(scenario),
        seen_(seen),
        turns_(turns),
        unused_(boost::json::object()),
        names_(scenario, seen, unused_),
        notes_(seen.witness.result.notes) {}

  std::vector<sim::NoteRecord> write() && {
    for (sim::NoteRecord& note : notes_) {
      const std::string client = note.kind == "reflector" ? names_.client_of(note.task) : "";
      note.subject = client.empty() ? note.subject : client;
    }
    add_streamed();
    add_metadata();
    add_returns();
    add_work();
    add_full();
    for (const TurningPoint& turn : turns_) {
      insert_before_step(
          turn.step, {.kind = "turn",
                      .text = fmt::format("step {} decides: {}", turn.step, deed_at(turn.step))});
    }
    if (const FailureMark mark = failure_mark(scenario_, seen_); !mark.text.empty()) {
      insert_behind_step(mark.step, {.kind = "failure", .text = mark.text});
    }
    return std::move(notes_);
  }

 private:
  [[nodiscard]] runtime::Duration time_of(const sim::CallRecord& call) const {
    for (const sim::StoryClientOptions& client : scenario_.clients) {
      for (const sim::StoryHandlerOptions& handler : client.handlers) {
        if (client.name == call.client && handler.name == call.handler) {
          return handler.takes;
        }
      }
    }
    return runtime::Duration::zero();
  }

  /// A list that came as events of a watch, once its last event is there.
  void add_streamed() {
    std::set<std::string> streaming;  // clients
    for (std::size_t i = 0; i < notes_.size(); ++i) {
      const std::string& text = notes_[i].text;
      if (notes_[i].kind != "reflector") {
        continue;
      }
      if (text.starts_with("watch list rv=")) {
        streaming.insert(notes_[i].subject);
      } else if (text.starts_with("list rv=") || text.starts_with("watch rv=")) {
        streaming.erase(notes_[i].subject);
      } else if (text.starts_with("listed ") && streaming.contains(notes_[i].subject)) {
        sim::NoteRecord streamed = notes_[i];
        streamed.kind = "streamed";
        notes_.insert(notes_.begin() + static_cast<std::ptrdiff_t>(++i), std::move(streamed));
      }
    }
  }

  /// What the notes of calls leave out of their objects. A call is written down with its note.
  void add_metadata() {
    std::vector<bool> noted(seen_.live.calls.size());
    for (sim::NoteRecord& note : notes_) {
      for (std::size_t i = 0; note.kind == "handler" && i < noted.size(); ++i) {
        const sim::CallRecord& call = seen_.live.calls[i];
        if (!noted[i] && call.client == note.subject && sim::given_name(call.handler) == note.by &&
            note_of(call) == note.text) {
          noted[i] = true;
          note.text += metadata_of(call);
          break;
        }
      }
    }
  }

  void add_returns() {
    for (const sim::CallRecord& call : seen_.live.calls) {
      const runtime::Duration takes = time_of(call);
      if (takes > runtime::Duration::zero() && !call.panics) {
        insert_at(call.at + takes, {.kind = "returns",
                                    .subject = call.client,
                                    .text = note_of(call) + metadata_of(call),
                                    .by = std::string(sim::given_name(call.handler))});
      }
    }
  }

  void add_work() {
    for (const Growth& growth : seen_.growth) {
      if (growth.list != RecordKind::Work) {
        continue;
      }
      const sim::WorkRecord& work = seen_.live.work[growth.index];
      if (work.type != sim::WorkType::Added) {
        const bool is_done = work.type == sim::WorkType::Done;
        insert_behind_step(growth.step, {.at = work.at,
                                         .kind = is_done ? "reconciled" : "reconcile",
                                         .subject = work.client,
                                         .text = work.key});
      }
    }
  }

  /// What a task does next after a moment, if it does anything.
  [[nodiscard]] const sim::WitnessedStep* next_of(const TaskMoment& moment) const {
    const auto& steps = seen_.witness.steps;
    const auto next = std::ranges::find_if(steps, [&](const sim::WitnessedStep& step) {
      return step.step > moment.step && step.done.actor == moment.task;
    });
    return next == steps.end() ? nullptr : &*next;
  }

  /// A task that waits to send while time passes, because the channel has a buffer and that is
  /// full.
  void add_full() {
    std::set<std::pair<std::uint32_t, std::string>> said;
    for (const TaskMoment& moment : seen_.tasks) {
      const std::string client = names_.client_of(seen_.witness.actors[moment.task].path);
      if (moment.state != TaskMoment::State::Waits || client.empty() ||
          !moment.next.starts_with("sends on")) {
        continue;
      }
      const sim::WitnessedStep* const next = next_of(moment);
      const bool has_buffer =
          next != nullptr && std::ranges::any_of(next->done.accesses, [](const auto& access) {
            return access.kind == sim::AccessKind::Send && access.capacity > 0;
          });
      const std::string channel = next == nullptr ? "" : next->done.object;
      if (has_buffer && next->at > at_of(moment.step) &&
          said.emplace(moment.task, channel).second) {
        insert_behind_step(moment.step, {.at = at_of(moment.step),
                                         .kind = "full",
                                         .subject = client,
                                         .text = channel + " is full"});
      }
    }
  }

  [[nodiscard]] runtime::TimePoint at_of(std::size_t step) const {
    const auto& steps = seen_.witness.steps;
    return step == 0 || step > steps.size() ? seen_.witness.result.started : steps[step - 1].at;
  }

  [[nodiscard]] std::string deed_at(std::size_t step) const {
    const auto& steps = seen_.witness.steps;
    return step == 0 || step > steps.size()
               ? ""
               : sim::with_readable_tasks(sim::describe(seen_.witness, steps[step - 1].done));
  }

  /// Before what the step does, and behind all before it.
  void insert_before_step(std::size_t step, sim::NoteRecord note) {
    const auto place = std::ranges::find_if(
        notes_, [&](const sim::NoteRecord& other) { return other.step >= step; });
    note.step = step;
    note.at = at_of(step);
    notes_.insert(place, std::move(note));
  }

  void insert_behind_step(std::size_t step, sim::NoteRecord note) {
    const auto place = std::ranges::find_if(
        notes_, [&](const sim::NoteRecord& other) { return other.step > step; });
    note.step = step;
    note.at = place == notes_.begin() ? at_of(step) : std::max(at_of(step), std::prev(place)->at);
    notes_.insert(place, std::move(note));
  }

  /// Before all else that happens at that moment.
  void insert_at(runtime::TimePoint at, sim::NoteRecord note) {
    const auto place =
        std::ranges::find_if(notes_, [&](const sim::NoteRecord& other) { return other.at >= at; });
    note.at = at;
    note.step = place == notes_.begin() ? 0 : std::prev(place)->step;
    notes_.insert(place, std::move(note));
  }

  const Scenario& scenario_;
  const SeenRun& seen_;
  const std::vector<TurningPoint>& turns_;
  EventLog unused_;
  LaneContext names_;
  std::vector<sim::NoteRecord> notes_;
};

}  // namespace

std::vector<sim::NoteRecord> picture_notes(const Scenario& scenario, const SeenRun& seen,
                                           const std::vector<TurningPoint>& turns) {
  return NoteWriter(scenario, seen, turns).write();
}

std::vector<sim::NoteRecord> around(const std::vector<sim::NoteRecord>& notes,
                                    const std::vector<std::size_t>& steps) {
  std::vector<bool> kept(notes.size());
  const auto keep = [&](std::size_t index, std::size_t before, std::size_t behind) {
    const std::size_t first = index - std::min(index, before);
    for (std::size_t i = first; i < std::min(index + behind + 1, notes.size()); ++i) {
      kept[i] = true;
    }
  };
  for (const std::size_t step : steps) {
    const auto found =
        std::ranges::find_if(notes, [&](const sim::NoteRecord& note) { return note.step >= step; });
    keep(static_cast<std::size_t>(found - notes.begin()), kRowsBefore, kRowsBehind);
  }
  std::map<std::string, std::size_t> acted;  // faults, by what they did
  for (std::size_t i = 0; i < notes.size(); ++i) {
    // What happened at all is told: writes, what went wrong, and faults until they repeat.
    const std::string& kind = notes[i].kind;
    const bool is_news =
        kind == "fault" && ++acted[notes[i].subject + notes[i].text] <= kRepeatsMax;
    kept[i] = kept[i] || is_news || kind == "write" || kind == "story" || kind == "failure" ||
              kind == "turn" || kind == "returns" || kind == "reconciled";
  }
  std::vector<sim::NoteRecord> chosen;
  for (std::size_t i = 0; i < notes.size();) {
    const auto from = kept.begin() + static_cast<std::ptrdiff_t>(i);
    const auto left_out = static_cast<std::size_t>(std::find(from, kept.end(), true) - from);
    if (left_out >= kLeftOutMin) {
      chosen.push_back({.at = notes[i].at,
                        .step = notes[i].step,
                        .kind = "gap",
                        .text = sim::counted(left_out, "event")});
      i += left_out;
    } else {
      const std::size_t end = std::min(notes.size(), i + std::max<std::size_t>(left_out, 1));
      for (; i < end; ++i) {
        chosen.push_back(notes[i]);
      }
    }
  }
  return chosen;
}

std::set<std::size_t> steps_around(const std::vector<std::size_t>& steps, std::size_t count) {
  std::set<std::size_t> chosen;
  for (const std::size_t step : steps) {
    const std::size_t first = step - std::min(step - std::min<std::size_t>(step, 1), kRowsBefore);
    for (std::size_t i = std::max<std::size_t>(first, 1); i <= std::min(step + kRowsBehind, count);
         ++i) {
      chosen.insert(i);
    }
  }
  return chosen;
}

}  // namespace watchlab::scenarios
