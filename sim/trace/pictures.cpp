#include "sim/trace/pictures.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdlib>

namespace watchlab::sim {
namespace {

std::string_view colours_of(Look look) {
  switch (look) {
    case Look::Write:
      return "fillcolor=\"#fdf6e3\", color=\"#b58900\"";
    case Look::Fault:
    case Look::Failure:
      return "fillcolor=\"#fbe3e0\", color=\"#c0392b\"";
    case Look::Handler:
      return "fillcolor=\"#e4f4e4\", color=\"#3c8d40\"";
    case Look::Queue:
      return "fillcolor=\"#e8eef7\", color=\"#4a6fa5\"";
    case Look::Stream:
      break;
  }
  return "fillcolor=\"#eeeeee\", color=\"#808080\"";
}

}  // namespace

Canvas::Canvas(const Heading& heading, int lane_width)
    : text_(fmt::format(
          "digraph run {{\n  graph [splines=line, outputorder=edgesfirst, charset=\"UTF-8\", "
          "labelloc=t, "
          "labeljust=l, fontname=Helvetica, fontsize=13, pad=0.2, bgcolor=white, label={}]\n"
          "  node [fontname=Helvetica, fontsize=10, shape=plaintext, height=0.2, "
          "margin=\"0.08,0.03\"]"
          "\n  edge [fontname=Helvetica, fontsize=9, arrowsize=0.6]\n",
          dot_quoted(heading.title + "\n" + heading.story, true))),
      lane_width_(lane_width) {}

std::string Canvas::node(int x, int y, std::string_view attributes) {
  std::string name = fmt::format("n{}", next_++);
  text_ += fmt::format("  {} [pos=\"{},{}\", {}]\n", name, x, y, attributes);
  return name;
}

std::string Canvas::dot(int x, int y, std::string_view colour) {
  return node(
      x, y, fmt::format("shape=point, width=0.06, height=0.06, label=\"\", color=\"{}\"", colour));
}

std::string Canvas::box(int x, int y, Look look, const std::string& label) {
  return node(x, y,
              fmt::format("shape=box, style=\"filled,rounded\", {}, label={}", colours_of(look),
                          dot_quoted(label)));
}

void Canvas::bar(int x, std::size_t from_row, std::size_t to_row, Look look) {
  // Waits are thin, so that locks and calls can be seen beside them.
  const int width = look == Look::Stream ? 3 : look == Look::Handler ? 10 : 7;
  const int top = y_of(from_row);
  const int bottom = y_of(to_row);
  constexpr double points_in_an_inch = 72;
  node(x, (top + bottom) / 2,
       fmt::format("shape=box, style=filled, fixedsize=true, width={:.3f}, height={:.3f}, {}, "
                   "label=\"\"",
                   width / points_in_an_inch, std::max(top - bottom, 4) / points_in_an_inch,
                   colours_of(look)));
}

void Canvas::label(const Line& line, std::string_view colour, const std::string& text) {
  const auto& [x1, y1, x2, y2] = line;
  constexpr int letter_width = 5;
  constexpr int height = 12;
  const int half = static_cast<int>(text.size()) * letter_width / 2 + 4;
  const auto is_free = [&](const Placed& wanted) {
    return std::ranges::none_of(labels_, [&](const Placed& other) {
      return std::abs(other.x - wanted.x) < other.half + wanted.half &&
             std::abs(other.y - wanted.y) < height;
    });
  };
  const Placed middle{(x1 + x2) / 2, (y1 + y2) / 2, half};
  Placed place = middle;
  for (int candidate = 0; candidate < 9 && !is_free(place); ++candidate) {
    constexpr std::array<int, 3> percents{50, 35, 65};
    constexpr std::array<int, 3> beside{0, height, -height};
    const int percent = percents.at(static_cast<std::size_t>(candidate) % 3);
    place = {x1 + (x2 - x1) * percent / 100,
             y1 + (y2 - y1) * percent / 100 + beside.at(static_cast<std::size_t>(candidate) / 3),
             half};
  }
  labels_.push_back(place);
  node(place.x, place.y,
       fmt::format(
           "style=filled, fillcolor=white, width=0.1, margin=\"0.02,0.01\", fontcolor=\"{}\", "
           "fontsize=9, label={}",
           colour, dot_quoted(text)));
}

void Canvas::gap(std::size_t row, const std::string& text) {
  node(x_of(0), y_of(row),
       fmt::format("style=filled, fillcolor=white, fontcolor=\"#707070\", label={}",
                   dot_quoted("… " + text)));
}

void Canvas::failure(std::size_t row, std::size_t lanes, const std::string& text) {
  const int right = x_of(lanes - 1) + lane_width_ / 2;
  across(row, right, "dashed");
  mark((kFirstLane + right) / 2, row, "✗ " + text);
}

void Canvas::turn(std::size_t row, std::size_t lanes, const std::string& text) {
  constexpr int letter_width = 5;
  const int right = x_of(lanes - 1) + lane_width_ / 2;
  across(row, right, "dotted");
  mark(right + static_cast<int>(text.size()) * letter_width / 2 + 2 * letter_width, row,
       "◆ " + text);
}

void Canvas::mark(int x, std::size_t row, const std::string& text) {
  node(x, y_of(row),
       fmt::format("shape=box, style=\"filled,rounded\", penwidth=2, {}, label={}",
                   colours_of(Look::Failure), dot_quoted(text)));
}

void Canvas::across(std::size_t row, int right, std::string_view style) {
  const int y = y_of(row);
  const std::string left = dot(kFirstLane, y, "#c0392b");
  edge(left, dot(right, y, "#c0392b"),
       fmt::format("dir=none, style={}, penwidth=1.5, color=\"#c0392b\"", style));
}

void Canvas::edge(std::string_view from, std::string_view to, std::string_view attributes) {
  text_ += fmt::format("  {} -> {} [{}]\n", from, to, attributes);
}

void Canvas::lanes(const std::vector<std::string>& names, std::size_t rows) {
  for (std::size_t lane = 0; lane < names.size(); ++lane) {
    const std::string head =
        node(x_of(lane), 0,
             fmt::format("shape=box, style=\"filled,rounded\", fillcolor=\"#e8eef7\", "
                         "color=\"#4a6fa5\", fontsize=12, label={}",
                         dot_quoted(names[lane])));
    edge(head, dot(x_of(lane), y_of(rows), "#c0c0c0"), "dir=none, color=\"#c0c0c0\"");
  }
}

void Canvas::times(const std::vector<runtime::TimePoint>& rows, runtime::TimePoint start) {
  for (std::size_t row = 0; row < rows.size(); ++row) {
    if (row == 0 || rows[row] != rows[row - 1]) {
      const double seconds = std::chrono::duration<double>(rows[row] - start).count();
      node(kFirstLane / 2, y_of(row),
           fmt::format("fontcolor=\"#707070\", label=\"{:.3f}s\"", seconds));
    }
  }
}

}  // namespace watchlab::sim
