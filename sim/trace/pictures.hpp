#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "core/runtime/time.hpp"
#include "sim/explain/witness.hpp"
#include "sim/kernel/plain_text.hpp"
#include "sim/kernel/run_result.hpp"

namespace watchlab::sim {

/// The text above a picture of a run.
struct Heading {
  std::string title;
  std::string story;  ///< below the title
};

/// What a box in a picture is about; its colour.
enum class Look { Write, Fault, Handler, Stream, Queue, Failure };

/// A graph in the DOT language with a position for every node (layout `nop`): lanes side by side,
/// time running down row by row, not to scale. Append-only; `text` returns the whole graph.
class Canvas {
 public:
  explicit Canvas(const Heading& heading, int lane_width = kLaneWidth);

  static constexpr int kLaneWidth = 250;
  static constexpr int kRowHeight = 30;
  static constexpr int kFirstLane = 90;

  /// The middle of lane number `lane`, from 0.
  [[nodiscard]] int x_of(std::size_t lane) const {
    return kFirstLane + lane_width_ / 2 + lane_width_ * static_cast<int>(lane);
  }
  [[nodiscard]] static int y_of(std::size_t row) { return -kRowHeight * static_cast<int>(row + 1); }

  /// Each of these returns the name of the node.
  std::string node(int x, int y, std::string_view attributes);
  std::string dot(int x, int y, std::string_view colour);
  std::string box(int x, int y, Look look, const std::string& label);
  /// A bar in a lane, from one row to another: something that takes that long. Boxes that are drawn
  /// later are in front of it.
  void bar(int x, std::size_t from_row, std::size_t to_row, Look look);
  /// From one point to another.
  struct Line {
    int x1 = 0;
    int y1 = 0;
    int x2 = 0;
    int y2 = 0;
  };
  /// A label on a line, in front of it and with its own background, so that no line runs through
  /// it. If another label is in the middle, it moves along the line, or next to it.
  void label(const Line& line, std::string_view colour, const std::string& text);
  /// A row that says that something is left out.
  void gap(std::size_t row, const std::string& text);
  /// The row at which the run failed: a line across all lanes, and what was wrong.
  void failure(std::size_t row, std::size_t lanes, const std::string& text);
  /// A row for a decisive step: a line across all lanes, and then which step it is.
  void turn(std::size_t row, std::size_t lanes, const std::string& text);

  void edge(std::string_view from, std::string_view to, std::string_view attributes);
  /// The heads of the lanes, and lines from them down to below this row.
  void lanes(const std::vector<std::string>& names, std::size_t rows);
  /// The times of the rows on the left, in seconds since `start`, each where it starts.
  void times(const std::vector<runtime::TimePoint>& rows, runtime::TimePoint start);

  [[nodiscard]] std::string text() const { return text_ + "}\n"; }

 private:
  void across(std::size_t row, int right, std::string_view style);
  void mark(int x, std::size_t row, const std::string& text);

  std::string text_;
  int lane_width_;
  int next_ = 0;
  /// The labels so far: middle and half the width.
  struct Placed {
    int x = 0;
    int y = 0;
    int half = 0;
  };
  std::vector<Placed> labels_;
};

/// A text as a DOT string, of which everything is seen: a picture may be XML, which has no control
/// characters. Lines end with `\n`, or with `\l` to be left-aligned.
[[nodiscard]] inline std::string dot_quoted(std::string_view text, bool to_the_left = false) {
  std::string quoted = "\"";
  for (const char letter : visible_text(text)) {
    if (letter == '\n') {
      quoted += to_the_left ? "\\l" : "\\n";
      continue;
    }
    if (letter == '&') {  // else a text such as "&#27;" becomes the character
      quoted += "&amp;";
      continue;
    }
    if (letter == '"' || letter == '\\') {
      quoted += '\\';
    }
    quoted += letter;
  }
  return quoted + (to_the_left ? "\\l\"" : "\"");
}

/// Kinds of notes that pictures know beside those of a run: whoever draws knows more of it than
/// what was noted, and puts these between. `returns`: the call of a handler that has this subject,
/// text and name is over. `reconcile` and `reconciled`: a worker of the client has a key. `full`: a
/// task of the client waits because what it wants to fill is full. `streamed`: a list that came to
/// the client as events of a watch is complete, as the text says. `gap`: so many events are left
/// out. `turn`: a step that decides how the run ends comes next. `failure`: the run has failed
/// here. Of these two the text says more.
[[nodiscard]] inline bool is_of_picture(const NoteRecord& note) {
  return note.kind == "gap" || note.kind == "turn";
}

/// Which part of a run to draw.
struct PipelinePicture {
  std::vector<std::string> clients;  ///< the story's clients, by name
  /// The notes to draw, in order, with those of the picture (`is_of_picture`) in between; if unset,
  /// all of the run. Connections are found in the whole run.
  std::optional<std::vector<NoteRecord>> shown{};
};

/// How each change goes through the stations of a client: what is written at the server, what
/// arrives at the client, what is queued, what is popped, what is delivered to each handler. A lane
/// each, in this order; time goes down, not to scale. A line joins what follows from one another:
/// an item that waits in the queue is a long line, several that are popped at once are lines that
/// meet, and what was missed is a write with no line to it. Bookmarks and what comes after the end
/// of the story are left out. The run must have been recorded.
///
/// The result is a graph in the DOT language in which every node has its position (layout `nop`).
[[nodiscard]] std::string pipeline_dot(const RunResult& run, const PipelinePicture& wanted,
                                       const Heading& heading);

/// Who did what, when: a column for the servers, for each client, for each of its handlers and for
/// what a program says; time goes down, not to scale. An arrow is a message; a red one that ends
/// halfway was lost, a grey one had not arrived. Bookmarks are left out, and so is what comes after
/// the end of the story. The run must have been recorded.
///
/// The result is a graph in the DOT language in which every node has its position (layout `nop`).
[[nodiscard]] std::string spacetime_dot(const RunResult& run, const Heading& heading);

/// Which part of a run's tasks to draw, with which remarks.
struct TasksPicture {
  std::size_t first = 1;
  std::size_t last = SIZE_MAX;
  std::set<std::size_t> steps;               ///< only these; all if empty
  std::map<std::size_t, std::string> marks;  ///< decisive steps, and why they are decisive
  std::string failure;                       ///< what went wrong; "" if nothing did
};

/// What tasks did to locks, channels and each other: one column per task, one row per step. A bar
/// is a held lock; a grey one is a wait, with its reason. An arrow leads to a task that a step lets
/// continue. If the run got stuck, the last rows say where.
///
/// The result is a graph in the DOT language with a position for every node (layout `nop`).
[[nodiscard]] std::string tasks_dot(const Witness& witness, const TasksPicture& wanted,
                                    const Heading& heading);

}  // namespace watchlab::sim
