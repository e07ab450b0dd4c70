#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/runtime/time.hpp"
#include "sim/kernel/run_result.hpp"

namespace watchlab::sim {

/// What is written above a picture of a run.
struct Heading {
  std::string title;
  std::string story;  ///< below the title
};

/// What a box in a picture is about; its colour.
enum class Look { Write, Fault, Handler, Stream, Queue };

/// A graph in the DOT language in which every node has its position (layout `nop`): lanes side by
/// side, time goes down row by row, not to scale. Only appends; `text` is the whole graph.
class Canvas {
 public:
  explicit Canvas(const Heading& heading);

  static constexpr int kLaneWidth = 250;
  static constexpr int kRowHeight = 30;
  static constexpr int kFirstLane = 90;

  /// The middle of the lane number `lane`, from 0 on.
  [[nodiscard]] static int x_of(std::size_t lane) {
    return kFirstLane + kLaneWidth / 2 + kLaneWidth * static_cast<int>(lane);
  }
  [[nodiscard]] static int y_of(std::size_t row) { return -kRowHeight * static_cast<int>(row + 1); }

  /// Each of these gives the name of the node.
  std::string node(int x, int y, std::string_view attributes);
  std::string dot(int x, int y, std::string_view colour);
  std::string box(int x, int y, Look look, const std::string& label);

  void edge(std::string_view from, std::string_view to, std::string_view attributes);
  /// The heads of the lanes, and lines down from them to below that row.
  void lanes(const std::vector<std::string>& names, std::size_t rows);
  /// The moments of the rows at the left, each where it begins, in seconds since `start`.
  void times(const std::vector<runtime::TimePoint>& rows, runtime::TimePoint start);

  [[nodiscard]] std::string text() const { return text_ + "}\n"; }

 private:
  std::string text_;
  int next_ = 0;
};

/// A text as a string of the DOT language. Lines end with `\n`, or with `\l` to stand to the left.
[[nodiscard]] inline std::string dot_quoted(std::string_view text, bool to_the_left = false) {
  std::string quoted = "\"";
  for (const char letter : text) {
    if (letter == '\n') {
      quoted += to_the_left ? "\\l" : "\\n";
      continue;
    }
    if (letter == '"' || letter == '\\') {
      quoted += '\\';
    }
    quoted += letter;
  }
  return quoted + (to_the_left ? "\\l\"" : "\"");
}

/// How each change goes through the stations of a client: what is written at the server, what
/// arrives at the client, what is queued, what is popped, what is delivered to the handlers. A lane
/// each, in this order; time goes down, not to scale. A line joins what follows from one another:
/// an item that waits in the queue is a long line, several that are popped at once are lines that
/// meet, and what was missed is a write with no line to it. Bookmarks and what comes after the end
/// of the story are left out. The run must have been recorded.
///
/// The result is a graph in the DOT language in which every node has its position (layout `nop`).
[[nodiscard]] std::string pipeline_dot(const RunResult& run, const Heading& heading);

/// Who did what, when: a column for the servers, for each client and for what each client's handler
/// or program says; time goes down, not to scale. An arrow is a message; a red one that ends
/// halfway was lost, a grey one had not arrived. Bookmarks are left out, and so is what comes after
/// the end of the story. The run must have been recorded.
///
/// The result is a graph in the DOT language in which every node has its position (layout `nop`).
[[nodiscard]] std::string spacetime_dot(const RunResult& run, const Heading& heading);

}  // namespace watchlab::sim
