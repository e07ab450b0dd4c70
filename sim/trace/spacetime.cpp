#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <map>
#include <optional>
#include <vector>

#include "sim/trace/pictures.hpp"

namespace watchlab::sim {
namespace {

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
    std::ranges::stable_sort(picture_.lanes, {},
                             [this](const std::string& lane) { return rank_of(lane); });
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
    if (std::ranges::find(lanes, lane) == lanes.end()) {
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

/// Writes a picture down as a graph.
class SpacetimeWriter {
 public:
  SpacetimeWriter(const Picture& picture, const Heading& heading)
      : picture_(picture), canvas_(heading) {}

  std::string write(runtime::TimePoint start) {
    canvas_.lanes(picture_.lanes, picture_.times.size());
    canvas_.times(picture_.times, start);
    for (const Message& message : picture_.messages) {
      write_message(message);
    }
    for (const Happening& happening : picture_.happenings) {
      canvas_.box(x_of(happening.lane), Canvas::y_of(happening.row), happening.look,
                  happening.text);
    }
    return canvas_.text();
  }

 private:
  [[nodiscard]] int x_of(const std::string& lane) const {
    const auto& lanes = picture_.lanes;
    const auto found = std::ranges::find(lanes, lane);
    return Canvas::x_of(static_cast<std::size_t>(std::distance(lanes.begin(), found)));
  }

  void write_message(const Message& message) {
    const int x1 = x_of(message.from);
    const int y1 = Canvas::y_of(message.sent);
    const bool arrived = message.received.has_value();
    const int y2 = arrived ? Canvas::y_of(*message.received) : y1 - Canvas::kRowHeight / 2;
    const int x2 = arrived ? x_of(message.to) : (x1 + x_of(message.to)) / 2;
    const char* colour = message.lost ? "#c0392b" : arrived ? "#2c3e50" : "#a0a0a0";
    const std::string from = canvas_.dot(x1, y1, colour);
    const std::string to =
        message.lost ? canvas_.node(x2, y2, "fontcolor=\"#c0392b\", fontsize=14, label=\"✗\"")
                     : canvas_.dot(x2, y2, colour);
    canvas_.edge(from, to, fmt::format("color=\"{}\"{}", colour, arrived ? "" : ", style=dashed"));
    canvas_.node((x1 + x2) / 2, (y1 + y2) / 2 + 8,
                 fmt::format("fontcolor=\"{}\", fontsize=9, label={}", colour,
                             dot_quoted(message.lost ? message.what + " (lost)" : message.what)));
  }

  const Picture& picture_;
  Canvas canvas_;
};

}  // namespace

std::string spacetime_dot(const RunResult& run, const Heading& heading) {
  const Picture picture = Painter(run).picture();
  return SpacetimeWriter(picture, heading).write(run.started);
}

}  // namespace watchlab::sim
