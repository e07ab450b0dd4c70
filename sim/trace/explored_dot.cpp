// How a tree of runs is drawn: which branches are opened, and what stands in the boxes.
#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <set>
#include <tuple>
#include <vector>

#include "sim/trace/explored.hpp"
#include "sim/trace/pictures.hpp"

namespace watchlab::sim {
namespace {

/// How far a branch stands to the right of what it branches from.
constexpr int kIndent = 22;
/// Of letters, about; the fonts of readers differ.
constexpr int kLetterWidth = 6;
/// Of a box at least, and half of its height.
constexpr int kBoxWidthMin = 54;
constexpr int kBoxHalf = 9;
/// How much of a schedule is shown: a long one would make the picture wide.
constexpr std::size_t kLineMax = 120;
constexpr std::size_t kLinesMax = 3;

int width_of(const std::string& text) { return kLetterWidth * static_cast<int>(text.size() + 2); }

/// The beginning of a long text, in lines.
std::string in_lines(const std::string& text) {
  std::string lines;
  for (std::size_t line = 0; line * kLineMax < text.size(); ++line) {
    if (line == kLinesMax) {
      return lines + "… (explore prints all of it)";
    }
    lines += text.substr(line * kLineMax, kLineMax) + "\n";
  }
  lines.pop_back();
  return lines;
}

/// A box to be: the last node of a line of decisions at which all runs took the same way.
struct Box {
  std::size_t node = 0;                 ///< where the line ends
  std::size_t skipped = 0;              ///< decisions of the line
  std::string taken;                    ///< the alternative that the line begins with
  std::vector<std::size_t> children{};  ///< numbers of boxes
};

class ExploredWriter {
 public:
  ExploredWriter(const Explored& explored, const ExploredPictureOptions& options)
      : explored_(explored), options_(options) {}

  std::string write() {
    boxes_.push_back(box_at(0));
    open_.insert(key_of(0));
    while (!open_.empty()) {
      const std::size_t number = std::get<2>(*open_.begin());
      open_.erase(open_.begin());
      const std::vector<std::size_t>& children = tree().node(boxes_[number].node).children;
      if (boxes_.size() + children.size() > options_.nodes_max) {
        closed_.insert(number);
        continue;
      }
      for (const std::size_t child : children) {
        boxes_[number].children.push_back(boxes_.size());
        boxes_.push_back(box_at(child));
        if (!tree().node(boxes_.back().node).children.empty()) {
          open_.insert(key_of(boxes_.size() - 1));
        }
      }
    }
    Canvas canvas({.title = options_.title, .story = story()});
    std::size_t row = 0;
    write_branch(canvas, 0, 0, row);
    return canvas.text();
  }

 private:
  using Key = std::tuple<bool, std::size_t, std::size_t>;

  [[nodiscard]] const ExploredTree& tree() const { return explored_.tree; }

  /// What stands below the title.
  [[nodiscard]] std::string story() const {
    const ExploredTree::Node& root = tree().root();
    std::string text =
        fmt::format("{} run{} by {}{}: {}", root.runs, root.runs == 1 ? "" : "s",
                    explored_.strategy, explored_.exhausted ? ", all there are" : "",
                    root.failing() == 0 ? "none fails" : fmt::format("{} fail", root.failing()));
    if (!explored_.first_schedule.empty()) {
      text += "\n" + in_lines("the first failing schedule: " + explored_.first_schedule);
    }
    return text;
  }

  /// Follows a line from `node` on to where runs part, or end.
  [[nodiscard]] Box box_at(std::size_t node) const {
    Box box{.node = node, .taken = tree().node(node).taken};
    while (tree().node(box.node).children.size() == 1) {
      box.node = tree().node(box.node).children.front();
      ++box.skipped;
    }
    return box;
  }

  [[nodiscard]] Key key_of(std::size_t number) const {
    const ExploredTree::Node& end = tree().node(boxes_[number].node);
    return {end.failing() == 0, SIZE_MAX - end.runs, number};
  }

  [[nodiscard]] std::string label_of(std::size_t number) const {
    const Box& box = boxes_[number];
    const ExploredTree::Node& end = tree().node(box.node);
    std::string text = end.runs == 1 ? "1 run" : fmt::format("{} runs", end.runs);
    for (const auto& [kind, count] : end.failures) {
      text += end.runs == 1 ? ": " + kind : fmt::format(", {} {}", count, kind);
    }
    if (end.runs == 1 && end.failures.empty()) {
      text += ": held";
    }
    return text + (closed_.contains(number) ? " …" : "");
  }

  /// The decision by which runs come to a box.
  [[nodiscard]] static std::string way_to(const Box& box) {
    return box.skipped == 0
               ? box.taken
               : fmt::format("{}{}{} more decision{}", box.taken, box.taken.empty() ? "" : ", and ",
                             box.skipped, box.skipped == 1 ? "" : "s");
  }

  [[nodiscard]] Look look_of(const Box& box) const {
    const ExploredTree::Node& end = tree().node(box.node);
    return end.failing() == 0          ? Look::Handler
           : end.failing() == end.runs ? Look::Failure
                                       : Look::Write;
  }

  /// A box, its decision behind it, and below it what branches from there.
  void write_branch(Canvas& canvas, std::size_t number, int depth, std::size_t& row) const {
    const Box& box = boxes_[number];
    const int left = kIndent * depth;
    const int y = Canvas::y_of(row++);
    const std::string label = label_of(number);
    const std::string way = way_to(box);
    const int right = left + std::max(width_of(label), kBoxWidthMin);
    canvas.box((left + right) / 2, y, look_of(box), label);
    if (!way.empty()) {
      canvas.node(
          right + width_of(way) / 2, y,
          fmt::format("width={:.2f}, label={}", width_of(way) / 72.0, dot_quoted(way, true)));
    }
    const int trunk = left + kIndent / 2;
    int last = y;
    for (const std::size_t child : box.children) {
      last = Canvas::y_of(row);
      join(canvas, {trunk, last, left + kIndent + kLetterWidth, last},
           look_of(boxes_[child]) == Look::Handler);
      write_branch(canvas, child, depth + 1, row);
    }
    if (last != y) {
      join(canvas, {trunk, y - kBoxHalf, trunk, last}, look_of(box) == Look::Handler);
    }
  }

  static void join(Canvas& canvas, const Canvas::Line& line, bool holds) {
    const char* const colour = holds ? "#808080" : "#c0392b";
    constexpr const char* point = "shape=point, width=0.01, height=0.01, style=invis, label=\"\"";
    const std::string from = canvas.node(line.x1, line.y1, point);
    canvas.edge(from, canvas.node(line.x2, line.y2, point),
                fmt::format("dir=none, color=\"{}\"", colour));
  }

  const Explored& explored_;
  const ExploredPictureOptions& options_;
  std::vector<Box> boxes_;
  std::set<Key> open_;  ///< boxes whose branches may be opened, the first to be opened first
  std::set<std::size_t> closed_;  ///< boxes with more below them than there was room for
};

}  // namespace

std::string explored_dot(const Explored& explored, const ExploredPictureOptions& options) {
  return ExploredWriter(explored, options).write();
}

}  // namespace watchlab::sim
