#include "sim/trace/spacetime.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <map>
#include <optional>
#include <vector>

namespace watchlab::sim {
namespace {

constexpr int lane_width = 250;
constexpr int row_height = 30;
constexpr int first_lane = 90;

enum class Look { Write, Fault, Handler, Stream };

/// Something that happens in one place.
struct Happening {
  std::string lane;
  std::size_t row = 0;
  std::string text;
  Look look = Look::Write;
};

struct Message {
  std::string from;
  std::string to;
  std::string what;
  std::size_t sent = 0;
  std::optional<std::size_t> received;
  bool lost = false;
};

/// Everything in a picture, with rows for heights.
struct Picture {
  std::vector<std::string> lanes;
  std::vector<Happening> happenings;
  std::vector<Message> messages;
  std::vector<runtime::TimePoint> times;  ///< by row
};

/// `FROM TO WHAT` of a message's note.
Message message_from(const std::string& text) {
  const std::size_t first = text.find(' ');
  const std::size_t second = text.find(' ', first + 1);
  if (first == std::string::npos || second == std::string::npos) {
    return {};
  }
  return {text.substr(0, first), text.substr(first + 1, second - first - 1),
          text.substr(second + 1)};
}

/// Collects a picture from the notes of a run.
class Painter {
 public:
  explicit Painter(const RunResult& run) {
    for (const NoteRecord& note : run.notes) {
      if (note.kind == "story" && note.subject == "end") {
        break;
      }
      take(note);
    }
  }

  [[nodiscard]] Picture picture() && {
    std::stable_sort(picture_.lanes.begin(), picture_.lanes.end(),
                     [this](const auto& a, const auto& b) { return rank_of(a) < rank_of(b); });
    return std::move(picture_);
  }

 private:
  void take(const NoteRecord& note) {
    if (note.kind == "send" || note.kind == "receive" || note.kind == "lost") {
      take_message(note);
    } else if (note.kind == "write") {
      happen(note, server_, note.text + " " + note.subject, Look::Write);
    } else if (note.kind == "fault") {
      happen(note, server_, note.subject + ": " + note.text, Look::Fault);
    } else if (note.kind == "handler") {
      happen(note, note.subject + " handler", note.text, Look::Handler);
    } else if (note.kind == "print") {
      happen(note, note.subject + " prints", note.text, Look::Handler);
    } else if (note.kind == "stream") {
      happen(note, note.subject, "watch " + note.text, Look::Stream);
    }
  }

  void take_message(const NoteRecord& note) {
    Message message = message_from(note.text);
    if (message.from.empty() || message.what.starts_with("BOOKMARK")) {
      return;
    }
    const auto known = index_of_.find(note.subject);
    if (note.kind == "send") {
      is_client_[message.from] = is_client_[message.from] || is_request(message.what);
      message.sent = row_at(note);
      index_of_[note.subject] = picture_.messages.size();
      use_lane(message.from);
      use_lane(message.to);
      picture_.messages.push_back(std::move(message));
    } else if (known != index_of_.end() && note.kind == "lost") {
      picture_.messages[known->second].lost = true;
    } else if (known != index_of_.end()) {
      picture_.messages[known->second].received = row_at(note);
    }
  }

  static bool is_request(const std::string& what) {
    return what.starts_with("LIST") || what.starts_with("WATCH");
  }

  void happen(const NoteRecord& note, const std::string& lane, std::string text, Look look) {
    use_lane(lane);
    picture_.happenings.push_back({lane, row_at(note), std::move(text), look});
  }

  std::size_t row_at(const NoteRecord& note) {
    picture_.times.push_back(note.at);
    return picture_.times.size() - 1;
  }

  void use_lane(const std::string& lane) {
    auto& lanes = picture_.lanes;
    if (std::find(lanes.begin(), lanes.end(), lane) == lanes.end()) {
      lanes.push_back(lane);
    }
  }

  /// Servers first, then each client with its handler behind it.
  [[nodiscard]] std::string rank_of(const std::string& lane) const {
    const std::string client = lane.substr(0, lane.find(' '));
    const auto known = is_client_.find(client);
    const bool is_client = known != is_client_.end() && known->second;
    return (is_client ? "1" : "0") + lane;
  }

  const std::string server_ = "server";
  Picture picture_;
  std::map<std::string, std::size_t> index_of_;  // messages by number
  std::map<std::string, bool> is_client_;
};

std::string quoted(const std::string& text) {
  std::string escaped = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') {
      escaped += '\\';
    }
    if (c == '\n') {
      escaped += "\\n";
    } else {
      escaped += c;
    }
  }
  return escaped + "\"";
}

/// Writes a picture down as a graph.
class SpacetimeWriter {
 public:
  SpacetimeWriter(const Picture& picture, const RunResult& run) : picture_(picture), run_(run) {}

  std::string write(const SpacetimeOptions& options) {
    text_ = fmt::format(
        "digraph spacetime {{\n  graph [splines=line, charset=\"UTF-8\", labelloc=t, "
        "labeljust=l, fontname=Helvetica, fontsize=13, pad=0.2, bgcolor=white, label={}]\n"
        "  node [fontname=Helvetica, fontsize=10, shape=plaintext, height=0.2, "
        "margin=\"0.08,0.03\"]"
        "\n  edge [fontname=Helvetica, fontsize=9, arrowsize=0.6]\n",
        quoted(options.title + "\\l" + with_left_lines(options.story) + "\\l"));
    unescape_left_lines();
    write_lanes();
    write_times();
    for (const Message& message : picture_.messages) {
      write_message(message);
    }
    for (const Happening& happening : picture_.happenings) {
      write_happening(happening);
    }
    return text_ + "}\n";
  }

 private:
  static std::string with_left_lines(std::string story) {
    for (std::size_t i = story.find('\n'); i != std::string::npos; i = story.find('\n', i + 2)) {
      story.replace(i, 1, "\\l");
    }
    return story;
  }
  /// DOT's own `\l` must stay one backslash.
  void unescape_left_lines() {
    for (std::size_t i = text_.find("\\\\l"); i != std::string::npos; i = text_.find("\\\\l", i)) {
      text_.erase(i, 1);
    }
  }

  [[nodiscard]] int x_of(const std::string& lane) const {
    const auto& lanes = picture_.lanes;
    const auto found = std::find(lanes.begin(), lanes.end(), lane);
    return first_lane + lane_width / 2 +
           lane_width * static_cast<int>(std::distance(lanes.begin(), found));
  }
  static int y_of(std::size_t row) { return -row_height * static_cast<int>(row + 1); }

  std::string node(int x, int y, const std::string& attributes) {
    std::string name = fmt::format("n{}", next_++);
    text_ += fmt::format("  {} [pos=\"{},{}\", {}]\n", name, x, y, attributes);
    return name;
  }
  std::string dot(int x, int y, std::string_view colour) {
    return node(
        x, y,
        fmt::format("shape=point, width=0.06, height=0.06, label=\"\", color=\"{}\"", colour));
  }
  void edge(const std::string& from, const std::string& to, std::string_view attributes) {
    text_ += fmt::format("  {} -> {} [{}]\n", from, to, attributes);
  }

  void write_lanes() {
    const int bottom = y_of(picture_.times.size());
    for (const std::string& lane : picture_.lanes) {
      const int x = x_of(lane);
      const std::string head =
          node(x, 0,
               fmt::format("shape=box, style=\"filled,rounded\", fillcolor=\"#e8eef7\", "
                           "color=\"#4a6fa5\", fontsize=12, label={}",
                           quoted(lane)));
      const std::string foot = dot(x, bottom, "#c0c0c0");
      edge(head, foot, "dir=none, color=\"#c0c0c0\"");
    }
  }

  void write_times() {
    std::optional<runtime::TimePoint> last;
    for (std::size_t row = 0; row < picture_.times.size(); ++row) {
      if (last != picture_.times[row]) {
        last = picture_.times[row];
        const double seconds = std::chrono::duration<double>(*last - run_.started).count();
        node(first_lane / 2, y_of(row),
             fmt::format("fontcolor=\"#707070\", label=\"{:.3f}s\"", seconds));
      }
    }
  }

  void write_message(const Message& message) {
    const int x1 = x_of(message.from);
    const int y1 = y_of(message.sent);
    const bool arrived = message.received.has_value();
    const int y2 = arrived ? y_of(*message.received) : y1 - row_height / 2;
    const int x2 = arrived ? x_of(message.to) : (x1 + x_of(message.to)) / 2;
    const char* colour = message.lost ? "#c0392b" : arrived ? "#2c3e50" : "#a0a0a0";
    const std::string from = dot(x1, y1, colour);
    const std::string to = message.lost
                               ? node(x2, y2, "fontcolor=\"#c0392b\", fontsize=14, label=\"✗\"")
                               : dot(x2, y2, colour);
    edge(from, to, fmt::format("color=\"{}\"{}", colour, arrived ? "" : ", style=dashed"));
    node((x1 + x2) / 2, (y1 + y2) / 2 + 8,
         fmt::format("fontcolor=\"{}\", fontsize=9, label={}", colour,
                     quoted(message.lost ? message.what + " (lost)" : message.what)));
  }

  void write_happening(const Happening& happening) {
    std::string look;
    switch (happening.look) {
      case Look::Write:
        look = "fillcolor=\"#fdf6e3\", color=\"#b58900\"";
        break;
      case Look::Fault:
        look = "fillcolor=\"#fbe3e0\", color=\"#c0392b\"";
        break;
      case Look::Handler:
        look = "fillcolor=\"#e4f4e4\", color=\"#3c8d40\"";
        break;
      case Look::Stream:
        look = "fillcolor=\"#eeeeee\", color=\"#808080\"";
        break;
    }
    node(x_of(happening.lane), y_of(happening.row),
         fmt::format("shape=box, style=\"filled,rounded\", {}, label={}", look,
                     quoted(happening.text)));
  }

  const Picture& picture_;
  const RunResult& run_;
  std::string text_;
  int next_ = 0;
};

}  // namespace

std::string spacetime_dot(const RunResult& run, const SpacetimeOptions& options) {
  const Picture picture = Painter(run).picture();
  return SpacetimeWriter(picture, run).write(options);
}

}  // namespace watchlab::sim
