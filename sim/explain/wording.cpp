#include "sim/explain/wording.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <vector>

#include "sim/explain/data_race.hpp"
#include "sim/kernel/path_text.hpp"

namespace watchlab::sim {
namespace {

/// The verb as an order: "lock", "wait on".
std::string order_to(OperationKind kind) {
  switch (kind) {
    case OperationKind::Relock:
      return "take back";
    case OperationKind::ReadGranted:
      return "get the read lock on";
    case OperationKind::WriteGranted:
      return "get the write lock on";
    case OperationKind::Select:
      return "select";  // what, say its arms
    case OperationKind::CondTimeout:
      return "give up waiting on";
    case OperationKind::TaskDone:
      return "look whether it has ended:";
    default:
      return std::string(verb_for(kind));
  }
}

/// The same in the third person: "lock" becomes "locks", "notify" "notifies", "go" "goes".
std::string third_person(const std::string& word) {
  const char last = word.back();
  const char before = word.size() > 1 ? word[word.size() - 2] : ' ';
  if (last == 'y' && std::string_view("aeiou").find(before) == std::string_view::npos) {
    return word.substr(0, word.size() - 1) + "ies";
  }
  return word + (last == 'o' || last == 'h' || last == 's' ? "es" : "s");
}

/// Whether a line of the program is meant: the end of a task is written nowhere.
bool has_place(const WitnessedOperation& operation) {
  return operation.kind != OperationKind::Exit && operation.here.line() != 0;
}

std::string without_kind(const std::string& object) {
  const std::size_t name = object.find('\'');
  const bool is_named = name != std::string::npos && !object.ends_with("''");
  const bool is_one = !object.starts_with("to ");  // or the arms of a select
  return is_named && is_one ? object.substr(name) : object;
}

std::string with_place(std::string text, const WitnessedOperation& operation) {
  if (has_place(operation)) {
    text += fmt::format(" ({})", place_text(operation.here));
  }
  return text;
}

}  // namespace

std::string does(OperationKind kind) {
  const std::string words = order_to(kind);
  const std::size_t end = words.find(' ');
  return third_person(words.substr(0, end)) + (end == std::string::npos ? "" : words.substr(end));
}

std::string deed(const WitnessedOperation& operation) {
  std::string text = does(operation.kind);
  if (!operation.object.empty()) {
    text += " " + operation.object;
  }
  return with_place(std::move(text), operation);
}

std::string describe(const Witness& witness, const WitnessedOperation& operation) {
  return witness.name(operation.actor) + " " + deed(operation);
}

std::string short_deed(const WitnessedOperation& operation) {
  std::string text = order_to(operation.kind);
  if (!operation.object.empty()) {
    text += " " + without_kind(operation.object);
  }
  return with_place(std::move(text), operation);
}

std::string_view while_it_continues(std::string_view because) {
  return because.starts_with("and no task is left that would") ? "" : because;
}

std::string with_short_places(std::string_view text) {
  std::string result;
  while (!text.empty()) {
    const std::size_t end = text.find_first_of(" (\n", 1);
    std::string_view word = text.substr(0, end);
    const std::size_t folder = word.rfind('/');
    if (folder != std::string_view::npos && word.find(".cpp:") != std::string_view::npos) {
      const bool bracket = word.front() == '(' || word.front() == ' ';
      result += word.substr(0, bracket ? 1 : 0);
      word = word.substr(folder + 1);
    }
    result += word;
    text = end == std::string_view::npos ? "" : text.substr(end);
  }
  return with_readable_tasks(result);
}

std::string listed(const std::vector<std::string>& names) {
  std::string text;
  for (std::size_t i = 0; i < names.size(); ++i) {
    const char* const between = i == 0 ? "" : i + 1 == names.size() ? " and " : ", ";
    text += between + names[i];
  }
  return text;
}

std::string counted(std::size_t count, std::string_view noun) {
  return fmt::format("{} {}{}", count, noun, count == 1 ? "" : "s");
}

namespace {

/// Steps of one task that do the same thing in the same place, one after the other.
struct Row {
  const WitnessedStep* step = nullptr;
  std::size_t times = 1;
  bool is_plain = false;       ///< an access to plain data: no step
  std::string handover{};      ///< why another task continues here; "" where the same one does
  std::size_t loop_rows = 0;   ///< of the last row of a loop: how many rows it has
  std::size_t loop_times = 0;  ///< and how often they come again
};

bool same_deed(const WitnessedOperation& a, const WitnessedOperation& b) {
  return a.actor == b.actor && a.kind == b.kind && a.object_id == b.object_id &&
         a.here.line() == b.here.line();
}

/// Whether a step is about what the world needs to play and to record a story: its server's and its
/// recorder's locks, the timers of its messages. A handler that takes its time is none of that.
bool is_of_toolkit(const WitnessedOperation& operation) {
  constexpr std::array<std::string_view, 3> folders{"sim/network/", "sim/story/", "sim/record/"};
  const std::string_view file = operation.here.file_name();
  const bool is_own = operation.kind == OperationKind::Sleep ||
                      operation.kind == OperationKind::Start ||
                      operation.kind == OperationKind::Exit;
  return !is_own && std::ranges::any_of(folders, [&](std::string_view folder) {
    return file.find(folder) != std::string_view::npos;
  });
}

/// `plain` are accesses that are no steps: each is a row behind the step that it follows.
std::vector<Row> rows_of(const Witness& witness, const ColumnsOptions& options,
                         const std::vector<WitnessedStep>& plain) {
  std::vector<Row> rows;
  auto access = plain.begin();
  const auto add_accesses_before = [&](std::size_t step) {
    for (; access != plain.end() && access->step < step; ++access) {
      rows.push_back({.step = &*access, .is_plain = true});
    }
  };
  for (const WitnessedStep& step : witness.steps) {
    add_accesses_before(step.step);
    if (options.last_step > 0 && step.step > options.last_step) {
      break;
    }
    if (!options.toolkit && is_of_toolkit(step.done)) {
      continue;
    }
    const bool repeats =
        !rows.empty() && same_deed(rows.back().step->done, step.done) && step.woken.empty();
    if (repeats) {
      ++rows.back().times;
    } else {
      rows.push_back({.step = &step, .handover = handover_text(witness, step)});
    }
  }
  add_accesses_before(options.last_step > 0 ? options.last_step + 1 : SIZE_MAX);
  return rows;
}

bool same_row(const Row& a, const Row& b) {
  return same_deed(a.step->done, b.step->done) && a.times == b.times && a.handover == b.handover;
}

/// How often the `length` rows from `from` on come again right behind.
std::size_t repeats(const std::vector<Row>& rows, std::size_t from, std::size_t length) {
  std::size_t at = from + length;
  while (at < rows.size() && same_row(rows[at], rows[at - length])) {
    ++at;
  }
  return (at - from) / length - 1;
}

/// A few rows that come again and again stand there once.
std::vector<Row> with_loops_folded(const std::vector<Row>& rows) {
  constexpr std::size_t longest = 8;
  constexpr std::size_t times_min = 2;
  std::vector<Row> folded;
  for (std::size_t i = 0; i < rows.size();) {
    std::size_t length = 2;
    while (length <= longest && i + length < rows.size() && repeats(rows, i, length) < times_min) {
      ++length;
    }
    const bool loops = length <= longest && i + length < rows.size();
    const std::size_t kept = loops ? length : 1;
    folded.insert(folded.end(), rows.begin() + static_cast<std::ptrdiff_t>(i),
                  rows.begin() + static_cast<std::ptrdiff_t>(i + kept));
    i += kept;
    if (loops) {
      folded.back().loop_rows = length;
      folded.back().loop_times = repeats(rows, i - length, length);
      i += length * folded.back().loop_times;
    }
  }
  return folded;
}

class Table {
 public:
  Table(const Witness& witness, const ColumnsOptions& options)
      : witness_(witness),
        options_(options),
        plain_(racing_accesses(witness)),
        rows_(with_loops_folded(rows_of(witness, options, plain_))) {
    const std::size_t left_out = rows_.size() - std::min(rows_.size(), options.rows_max);
    if (left_out > 0) {
      steps_left_out_ = rows_[left_out].step->step - 1;
      rows_.erase(rows_.begin(), rows_.begin() + static_cast<std::ptrdiff_t>(left_out));
    }
    for (const Row& row : rows_) {
      use_lane(row.step->done.actor);
    }
    for (const StuckTask& stuck : witness.stuck) {
      use_lane(stuck.wants.actor);
    }
    std::ranges::sort(lanes_);
    in_columns_ = lanes_.size() <= options.lanes_max;
  }

  std::string write() {
    if (in_columns_) {
      write_head();
    }
    if (steps_left_out_ > 0) {
      text_ += fmt::format("        ({} before are left out)\n", counted(steps_left_out_, "step"));
    }
    for (const Row& row : rows_) {
      if (!row.handover.empty()) {
        text_ += fmt::format("        -- {}\n", row.handover);
      }
      write_cell(row.is_plain ? "  race" : fmt::format("{:>6}", row.step->step),
                 row.step->done.actor, cell_of(row));
      if (row.loop_times > 0) {
        text_ += fmt::format("        -- these {} rows come again {}\n", row.loop_rows,
                             counted(row.loop_times, "time"));
      }
    }
    for (const StuckTask& stuck : witness_.stuck) {
      write_cell("   end", stuck.wants.actor, "STUCK: " + short_deed(stuck.wants));
    }
    text_.pop_back();
    return text_;
  }

 private:
  void use_lane(std::uint32_t actor) {
    if (std::ranges::find(lanes_, actor) == lanes_.end()) {
      lanes_.push_back(actor);
    }
  }

  [[nodiscard]] std::string cell_of(const Row& row) const {
    std::string text = short_deed(row.step->done);
    if (row.times > 1) {
      text += fmt::format(", {} times", row.times);
    }
    std::vector<std::string> names;
    for (const std::uint32_t actor : row.step->woken) {
      names.push_back(witness_.name(actor));
    }
    const bool notifies = row.step->done.kind == OperationKind::NotifyAll ||
                          row.step->done.kind == OperationKind::NotifyOne;
    if (notifies) {
      text += names.empty() ? ": no task waits" : ": wakes " + listed(names);
    }
    return text;
  }

  void write_head() {
    const bool fits = std::ranges::all_of(lanes_, [this](std::uint32_t lane) {
      return witness_.name(lane).size() < options_.lane_width;
    });
    std::string line = fits ? "  step  " : "";
    for (std::size_t i = 0; i < lanes_.size(); ++i) {
      if (fits) {
        line += padded(witness_.name(lanes_[i]));
      } else {  // a line for each name, above its column
        line += (i == 0 ? "  step" : "\n      ") + padded_bars(i) + witness_.name(lanes_[i]);
      }
    }
    text_ += trimmed(line) + "\n";
  }

  [[nodiscard]] std::string padded_bars(std::size_t lane) const {
    std::string text = "  ";
    for (std::size_t i = 0; i < lane; ++i) {
      text += padded("|");
    }
    return text;
  }

  void write_cell(const std::string& number, std::uint32_t actor, const std::string& cell) {
    if (!in_columns_) {
      text_ += fmt::format("{}  {}: {}\n", number, witness_.name(actor), cell);
      return;
    }
    const auto lane = std::ranges::find(lanes_, actor) - lanes_.begin();
    const std::string before(static_cast<std::size_t>(lane) * options_.lane_width, ' ');
    text_ += fmt::format("{}  {}{}\n", number, before, cell);
  }

  [[nodiscard]] std::string padded(const std::string& text) const {
    return fmt::format("{:<{}}", text, options_.lane_width);
  }
  static std::string trimmed(std::string text) {
    text.erase(text.find_last_not_of(' ') + 1);
    return text;
  }

  const Witness& witness_;
  const ColumnsOptions& options_;
  const std::vector<WitnessedStep> plain_;
  std::vector<Row> rows_;
  std::vector<std::uint32_t> lanes_;
  std::size_t steps_left_out_ = 0;
  bool in_columns_ = true;
  std::string text_;
};

}  // namespace

std::string handover_text(const Witness& witness, const WitnessedStep& step) {
  const std::string& next = witness.name(step.done.actor);
  if (step.handover == Handover::None || step.handover == Handover::Ended) {
    return "";
  }
  const std::string& before = witness.name(step.left.actor);
  switch (step.handover) {
    case Handover::Interrupted:
      return fmt::format("{} is interrupted before: {}; {} continues", before,
                         short_deed(step.left), next);
    case Handover::Yielded:
      return fmt::format("{} yields; {} continues", before, next);
    default:
      break;
  }
  const bool sleeps = step.left.kind == OperationKind::Sleep;
  const std::string why = sleeps ? fmt::format("sleeps ({})", place_text(step.left.here))
                                 : "cannot continue: " + short_deed(step.left);
  return fmt::format("{} {}; {} continues", before, why, next);
}

std::string columns_text(const Witness& witness, const ColumnsOptions& options) {
  if (witness.steps.empty()) {
    return "";
  }
  return Table(witness, options).write();
}

}  // namespace watchlab::sim
