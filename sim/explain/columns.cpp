#include "sim/explain/columns.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "sim/explain/wording.hpp"
#include "sim/kernel/place_text.hpp"

namespace watchlab::sim {
namespace {

/// Steps of one task that do the same thing in the same place, one after the other.
struct Row {
  const WitnessedStep* step = nullptr;
  std::size_t times = 1;
  std::string remark;          ///< why another task goes on here; "" where the same one does
  std::size_t loop_rows = 0;   ///< of the last row of a loop: how many rows it has
  std::size_t loop_times = 0;  ///< and how often they come again
};

bool same_deed(const WitnessedOperation& a, const WitnessedOperation& b) {
  return a.actor == b.actor && a.kind == b.kind && a.object_id == b.object_id &&
         a.here.line() == b.here.line();
}

std::vector<Row> rows_of(const Witness& witness) {
  std::vector<Row> rows;
  for (const WitnessedStep& step : witness.steps) {
    const bool repeats =
        !rows.empty() && same_deed(rows.back().step->done, step.done) && step.woken.empty();
    if (repeats) {
      ++rows.back().times;
    } else {
      rows.push_back({&step, 1, handover_text(witness, step)});
    }
  }
  return rows;
}

bool same_row(const Row& a, const Row& b) {
  return same_deed(a.step->done, b.step->done) && a.times == b.times && a.remark == b.remark;
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
      : witness_(witness), options_(options), rows_(with_loops_folded(rows_of(witness))) {
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
    std::sort(lanes_.begin(), lanes_.end());
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
      if (!row.remark.empty()) {
        text_ += fmt::format("        -- {}\n", row.remark);
      }
      write_cell(fmt::format("{:>6}", row.step->step), row.step->done.actor, cell_of(row));
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
    if (std::find(lanes_.begin(), lanes_.end(), actor) == lanes_.end()) {
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
      text += names.empty() ? ": nobody waits" : ": wakes " + listed(names);
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
    const auto lane = std::find(lanes_.begin(), lanes_.end(), actor) - lanes_.begin();
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
      return fmt::format("{} is interrupted before: {}; {} goes on", before, short_deed(step.left),
                         next);
    case Handover::Yielded:
      return fmt::format("{} yields; {} goes on", before, next);
    default:
      break;
  }
  const bool sleeps = step.left.kind == OperationKind::Sleep;
  const std::string why = sleeps ? fmt::format("sleeps ({})", place_text(step.left.here))
                                 : "cannot go on: " + short_deed(step.left);
  return fmt::format("{} {}; {} goes on", before, why, next);
}

std::string columns_text(const Witness& witness, const ColumnsOptions& options) {
  if (witness.steps.empty()) {
    return "";
  }
  return Table(witness, options).write();
}

}  // namespace watchlab::sim
