#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/runtime/time.hpp"

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

  static constexpr int lane_width = 250;
  static constexpr int row_height = 30;
  static constexpr int first_lane = 90;

  /// The middle of the lane number `lane`, from 0 on.
  [[nodiscard]] static int x_of(std::size_t lane) {
    return first_lane + lane_width / 2 + lane_width * static_cast<int>(lane);
  }
  [[nodiscard]] static int y_of(std::size_t row) { return -row_height * static_cast<int>(row + 1); }

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

}  // namespace watchlab::sim
