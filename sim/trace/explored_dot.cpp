// How a tree of runs is drawn: which branches are opened, and what stands in the boxes.
#include <fmt/format.h>

#include <cstdint>
#include <set>
#include <tuple>

#include "sim/trace/explored.hpp"
#include "sim/trace/pictures.hpp"

namespace watchlab::sim {
namespace {

constexpr std::string_view kExploredHead =
    "digraph explored {{\n  graph [rankdir=LR, charset=\"UTF-8\", labelloc=t, labeljust=l, "
    "fontname=Helvetica, fontsize=13, pad=0.2, nodesep=0.12, ranksep=0.5, bgcolor=white, "
    "label={}]\n"
    "  node [fontname=Helvetica, fontsize=10, shape=box, style=\"filled,rounded\", height=0.25, "
    "margin=\"0.10,0.04\"]\n"
    "  edge [fontname=Helvetica, fontsize=9, arrowsize=0.5, color=\"#808080\"]\n";

/// A box to be: the last node of a line of decisions at which all runs took the same way.
struct Box {
  std::size_t node = 0;     ///< where the line ends
  std::size_t skipped = 0;  ///< decisions of the line
  std::string taken;        ///< the alternative that the line begins with
  std::size_t parent = 0;   ///< a number of a box
};

class ExploredWriter {
 public:
  ExploredWriter(const Explored& explored, const ExploredPictureOptions& options)
      : explored_(explored), options_(options) {}

  std::string write() {
    text_ = fmt::format(kExploredHead, dot_quoted(title(), true));
    boxes_.push_back(box_at(0, 0));
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
        boxes_.push_back(box_at(child, number));
        if (!tree().node(boxes_.back().node).children.empty()) {
          open_.insert(key_of(boxes_.size() - 1));
        }
      }
    }
    for (std::size_t number = 0; number < boxes_.size(); ++number) {
      write_box(number);
    }
    return text_ + "}\n";
  }

 private:
  using Key = std::tuple<bool, std::size_t, std::size_t>;

  [[nodiscard]] const ExploredTree& tree() const { return explored_.tree; }

  [[nodiscard]] std::string title() const {
    const ExploredTree::Node& root = tree().root();
    std::string text = options_.title;
    text +=
        fmt::format("\n{} run{} by {}{}: {}", root.runs, root.runs == 1 ? "" : "s",
                    explored_.strategy, explored_.exhausted ? ", all there are" : "",
                    root.failing() == 0 ? "none fails" : fmt::format("{} fail", root.failing()));
    if (!explored_.first_schedule.empty()) {
      text += "\nthe first failing schedule: " + explored_.first_schedule;
    }
    return text;
  }

  /// Follows a line from `node` on to where runs part, or end.
  [[nodiscard]] Box box_at(std::size_t node, std::size_t parent) const {
    Box box{.node = node, .taken = tree().node(node).taken, .parent = parent};
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
    if (box.skipped > 0) {
      text += fmt::format("\nafter {} more decision{}", box.skipped, box.skipped == 1 ? "" : "s");
    }
    return text + (closed_.contains(number) ? "\n(not opened)" : "");
  }

  void write_box(std::size_t number) {
    const Box& box = boxes_[number];
    const ExploredTree::Node& end = tree().node(box.node);
    const char* look = "fillcolor=\"#e4f4e4\", color=\"#3c8d40\"";
    if (end.failing() == end.runs) {
      look = "fillcolor=\"#fbe3e0\", color=\"#c0392b\"";
    } else if (end.failing() > 0) {
      look = "fillcolor=\"#fdf6e3\", color=\"#b58900\"";
    }
    text_ += fmt::format("  b{} [{}{}, label={}]\n", number, look,
                         closed_.contains(number) ? ", style=\"filled,rounded,dashed\"" : "",
                         dot_quoted(label_of(number)));
    if (number > 0) {
      text_ += fmt::format("  b{} -> b{} [label={}{}]\n", box.parent, number, dot_quoted(box.taken),
                           end.failing() > 0 ? ", color=\"#c0392b\"" : "");
    }
  }

  const Explored& explored_;
  const ExploredPictureOptions& options_;
  std::string text_;
  std::vector<Box> boxes_;
  std::set<Key> open_;  ///< boxes whose branches may be opened, the first to be opened first
  std::set<std::size_t> closed_;  ///< boxes with more below them than there was room for
};

}  // namespace

std::string explored_dot(const Explored& explored, const ExploredPictureOptions& options) {
  return ExploredWriter(explored, options).write();
}

}  // namespace watchlab::sim
