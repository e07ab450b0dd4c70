#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <map>
#include <utility>

#include "sim/explain/wording.hpp"
#include "sim/kernel/path_text.hpp"
#include "sim/trace/pictures.hpp"

namespace watchlab::sim {
namespace {

constexpr std::string_view kArrow = "arrowsize=0.5, color=\"#808080\"";

/// Whether a task has an object for itself from then on, or no longer.
bool takes(AccessKind kind) {
  return kind == AccessKind::Acquire || kind == AccessKind::ReadGranted ||
         kind == AccessKind::ReadLock || kind == AccessKind::WriteLock;
}
bool gives_back(AccessKind kind) {
  return kind == AccessKind::Release || kind == AccessKind::ReadUnlock ||
         kind == AccessKind::WriteUnlock;
}

/// "informer/watch x" of "main/informer/watch%20x": as people read it.
std::string readable(std::string_view path) {
  const std::string text = with_readable_tasks(path);
  return text.starts_with("main/") ? text.substr(5) : text;
}

/// Writes the steps that are shown, a row each.
class TasksWriter {
 public:
  TasksWriter(const Witness& witness, const TasksPicture& wanted, const Heading& heading)
      : witness_(witness), wanted_(wanted), canvas_(heading, width_for(witness, wanted)) {
    for (const WitnessedStep& step : witness.steps) {
      if (is_shown(step)) {
        use_lane(step.done.actor);
      }
    }
    for (const StuckTask& stuck : witness.stuck) {
      use_lane(stuck.wants.actor);
    }
  }

  std::string write() {
    for (const WitnessedStep& step : witness_.steps) {
      take(step);
    }
    finish();
    std::vector<std::string> names;
    for (const std::uint32_t task : lanes_) {
      names.push_back(readable(witness_.name(task)));
    }
    canvas_.lanes(names, row_);
    draw_bars();
    for (const auto& draw : later_) {
      draw();
    }
    return canvas_.text();
  }

 private:
  /// Something that takes from one row to another: a lock that is held, a wait.
  struct Span {
    std::uint32_t task = 0;
    std::size_t from = 0;
    std::size_t to = 0;
    Look look = Look::Queue;
  };

  [[nodiscard]] bool is_shown(const WitnessedStep& step) const { return is_shown(step, wanted_); }
  [[nodiscard]] static bool is_shown(const WitnessedStep& step, const TasksPicture& wanted) {
    const bool is_chosen = wanted.steps.empty() || wanted.steps.contains(step.step);
    return is_chosen && step.step >= wanted.first && step.step <= wanted.last;
  }
  /// Wide enough for nearly all of what stands in the columns.
  static int width_for(const Witness& witness, const TasksPicture& wanted) {
    constexpr std::size_t letter = 5;
    std::size_t widest = 40;
    for (const WitnessedStep& step : witness.steps) {
      if (is_shown(step, wanted)) {
        widest = std::max(widest, std::min<std::size_t>(short_deed(step.done).size(), 70));
      }
    }
    return static_cast<int>(widest * letter) + 30;
  }
  void use_lane(std::uint32_t task) {
    if (std::ranges::find(lanes_, task) == lanes_.end()) {
      lanes_.push_back(task);
    }
  }
  [[nodiscard]] bool has_lane(std::uint32_t task) const {
    return std::ranges::find(lanes_, task) != lanes_.end();
  }
  [[nodiscard]] int x_of(std::uint32_t task) const {
    return canvas_.x_of(static_cast<std::size_t>(std::ranges::find(lanes_, task) - lanes_.begin()));
  }

  void take(const WitnessedStep& step) {
    const bool shown = is_shown(step);
    if (shown) {
      note_left_out(step.step);
    }
    const std::size_t row = row_;
    waits_end(step.done.actor, row);
    if (step.handover == Handover::Waits && has_lane(step.left.actor)) {
      waiting_[step.left.actor] = {step.left.actor, row, row, Look::Stream};
      if (shown) {
        say_wait(step, row);
      }
    }
    for (const Access& access : step.done.accesses) {
      const auto key = std::pair(step.done.actor, access.object);
      if (takes(access.kind)) {
        held_.try_emplace(key, Span{step.done.actor, row, row});
      } else if (const auto held = held_.find(key);
                 gives_back(access.kind) && held != held_.end()) {
        close(held->second, row);
        held_.erase(held);
      }
    }
    if (shown) {
      draw(step);
      last_shown_ = step.step;
      ++row_;
    }
  }

  void note_left_out(std::size_t step) {
    const std::size_t left_out = step - last_shown_ - 1;
    if (left_out > 0) {
      const std::size_t row = row_++;
      later_.emplace_back([this, row, left_out] {
        canvas_.node(Canvas::kFirstLane / 2, Canvas::y_of(row),
                     fmt::format("fontcolor=\"#707070\", label={}",
                                 dot_quoted("… " + counted(left_out, "step"))));
      });
    }
  }

  /// What the task before waits for stands in its lane, where this row has nothing else.
  void say_wait(const WitnessedStep& step, std::size_t row) {
    const std::string why = with_short_places(while_it_continues(step.left_because));
    std::string text = "waits: " + short_deed(step.left) + (why.empty() ? "" : ",\n" + why);
    later_.emplace_back([this, row, task = step.left.actor, text = std::move(text)] {
      canvas_.node(x_of(task), Canvas::y_of(row),
                   fmt::format("style=filled, fillcolor=white, fontsize=8, fontcolor=\"#606060\", "
                               "label={}",
                               dot_quoted(text)));
    });
  }

  void draw(const WitnessedStep& step) {
    const std::size_t row = row_;
    const auto mark = wanted_.marks.find(step.step);
    const bool is_marked = mark != wanted_.marks.end();
    std::string text = short_deed(step.done) + (is_marked ? "\n" + mark->second : "");
    later_.emplace_back([this, row, is_marked, &step, text = std::move(text)] {
      canvas_.node(Canvas::kFirstLane / 2, Canvas::y_of(row),
                   fmt::format("fontcolor=\"#707070\", label=\"{}\"", step.step));
      const std::string box = canvas_.box(x_of(step.done.actor), Canvas::y_of(row),
                                          is_marked ? Look::Failure : Look::Queue, text);
      for (const std::uint32_t woken : step.woken) {
        if (has_lane(woken) && woken != step.done.actor) {
          canvas_.edge(box, canvas_.dot(x_of(woken), Canvas::y_of(row), "#808080"), kArrow);
        }
      }
    });
  }

  void waits_end(std::uint32_t task, std::size_t row) {
    if (const auto waiting = waiting_.find(task); waiting != waiting_.end()) {
      close(waiting->second, row);
      waiting_.erase(waiting);
    }
  }
  void close(Span span, std::size_t row) {
    span.to = row;
    if (span.to > span.from && has_lane(span.task)) {
      spans_.push_back(span);
    }
  }

  /// The tasks that are stuck, and what went wrong.
  void finish() {
    for (const StuckTask& stuck : witness_.stuck) {
      const std::size_t row = row_++;
      const std::string why = with_short_places(stuck.because);
      std::string text = "stuck: " + short_deed(stuck.wants) + (why.empty() ? "" : ",\n" + why);
      later_.emplace_back([this, row, task = stuck.wants.actor, text = std::move(text)] {
        canvas_.box(x_of(task), Canvas::y_of(row), Look::Failure, text);
      });
    }
    for (const auto& [task, span] : waiting_) {
      close(span, row_);
    }
    for (const auto& [key, span] : held_) {
      close(span, row_);
    }
    if (!wanted_.failure.empty()) {
      later_.emplace_back([this, row = row_++] {
        canvas_.failure(row, std::max<std::size_t>(lanes_.size(), 1), wanted_.failure);
      });
    }
  }

  /// Those of one task that take place at the same time stand beside one another.
  void draw_bars() {
    std::map<std::uint32_t, std::vector<std::size_t>> free_from;  // by task, by place
    std::ranges::stable_sort(spans_, {}, &Span::from);
    for (const Span& span : spans_) {
      auto& places = free_from[span.task];
      std::size_t place = 0;
      while (place < places.size() && places[place] > span.from) {
        ++place;
      }
      places.resize(std::max(places.size(), place + 1));
      places[place] = span.to;
      constexpr int apart = 9;
      canvas_.bar(x_of(span.task) + apart * static_cast<int>(place), span.from, span.to, span.look);
    }
  }

  const Witness& witness_;
  const TasksPicture& wanted_;
  Canvas canvas_;
  std::vector<std::uint32_t> lanes_;  // tasks
  std::size_t row_ = 0;
  std::size_t last_shown_ = 0;                                    // a step
  std::map<std::uint32_t, Span> waiting_;                         // by task
  std::map<std::pair<std::uint32_t, std::uint32_t>, Span> held_;  // by task and object
  std::vector<Span> spans_;
  std::vector<std::function<void()>> later_;  // what stands before the bars
};

}  // namespace

std::string tasks_dot(const Witness& witness, const TasksPicture& wanted, const Heading& heading) {
  return TasksWriter(witness, wanted, heading).write();
}

}  // namespace watchlab::sim
