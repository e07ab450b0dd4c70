#include "sim/trace/pictures.hpp"

#include <fmt/format.h>

#include <chrono>

namespace watchlab::sim {
namespace {

std::string_view colours_of(Look look) {
  switch (look) {
    case Look::Write:
      return "fillcolor=\"#fdf6e3\", color=\"#b58900\"";
    case Look::Fault:
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

Canvas::Canvas(const Heading& heading)
    : text_(fmt::format(
          "digraph run {{\n  graph [splines=line, charset=\"UTF-8\", labelloc=t, "
          "labeljust=l, fontname=Helvetica, fontsize=13, pad=0.2, bgcolor=white, label={}]\n"
          "  node [fontname=Helvetica, fontsize=10, shape=plaintext, height=0.2, "
          "margin=\"0.08,0.03\"]"
          "\n  edge [fontname=Helvetica, fontsize=9, arrowsize=0.6]\n",
          dot_quoted(heading.title + "\n" + heading.story, true))) {}

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
