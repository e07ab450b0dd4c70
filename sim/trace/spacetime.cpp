#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <map>
#include <optional>
#include <utility>
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

/// Something that takes time in one place, from one row to another.
struct Lasting {
  std::string lane;
  std::size_t from = 0;
  std::size_t to = 0;
  std::size_t beside = 0;  ///< how many others there are at its beginning
};

/// Everything in a picture, with rows for heights.
struct Picture {
  std::vector<std::string> lanes;
  std::vector<Happening> happenings;
  std::vector<Lasting> lasting;
  std::vector<std::pair<std::size_t, std::string>> gaps;   ///< rows, with what is left out
  std::vector<std::pair<std::size_t, std::string>> turns;  ///< rows before steps that decide
  std::optional<std::pair<std::size_t, std::string>> failure;
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
  explicit Painter(const RunResult& run) : notes_(run.notes) {
    find_ends(run.notes);
    bool is_over = false;
    for (const NoteRecord& note : run.notes) {
      if (note.kind == "story" && note.subject == "end") {
        is_over = true;
      }
      if (!is_over || note.kind == "failure" || note.kind == "turn") {
        take(note);
      }
    }
  }

  [[nodiscard]] Picture picture() && {
    for (const auto& [what, lasting] : begun_) {
      close(lasting, picture_.times.size());
    }
    std::ranges::stable_sort(picture_.lanes, {},
                             [this](const std::string& lane) { return rank_of(lane); });
    return std::move(picture_);
  }

 private:
  /// Which note says that what another one begins is over: the next of that subject and text.
  void find_ends(const std::vector<NoteRecord>& notes) {
    std::map<std::string, std::size_t> open;
    for (const NoteRecord& note : notes) {
      const bool is_call = note.kind == "handler" || note.kind == "returns";
      const std::string what =
          (is_call ? "call " : "work ") + note.subject + " " + note.by + ": " + note.text;
      if (note.kind == "handler" || note.kind == "reconcile") {
        open[what] = number_of(note);
      } else if (note.kind == "returns" || note.kind == "reconciled") {
        if (const auto begun = open.find(what); begun != open.end()) {
          ends_[begun->second] = number_of(note);
          open.erase(begun);
        }
      }
    }
  }

  [[nodiscard]] std::size_t number_of(const NoteRecord& note) const {
    return static_cast<std::size_t>(&note - notes_.data());
  }

  void take(const NoteRecord& note) {
    if (note.kind == "send" || note.kind == "receive" || note.kind == "lost") {
      take_message(note);
    } else if (note.kind == "write") {
      happen(note, server_, note.text + " " + note.subject, Look::Write);
    } else if (note.kind == "fault") {
      happen(note, server_, note.subject + ": " + note.text, Look::Fault);
    } else if (note.kind == "handler") {
      begin(note, note.subject + " handler" + (note.by.empty() ? "" : " " + note.by), note.text);
    } else if (note.kind == "reconcile") {
      begin(note, note.subject + " workers", "reconciles " + note.text);
    } else if (note.kind == "returns" || note.kind == "reconciled") {
      end(note);
    } else if (note.kind == "reflector" && (note.text == "start" || note.text == "stop")) {
      happen(note, note.subject, note.text == "start" ? "starts" : "stops", Look::Stream);
    } else if (note.kind == "full") {
      happen(note, note.subject, note.text, Look::Fault);
    } else if (note.kind == "gap") {
      picture_.gaps.emplace_back(row_at(note), note.text);
    } else if (note.kind == "turn") {
      picture_.turns.emplace_back(row_at(note), note.text);
    } else if (note.kind == "failure") {
      picture_.failure.emplace(row_at(note), note.text);
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

  /// A call or a piece of work: where its end is known, it has a bar up to there.
  void begin(const NoteRecord& note, const std::string& lane, std::string text) {
    Lasting lasting{.lane = lane, .from = picture_.times.size()};
    for (const auto& [what, other] : begun_) {
      lasting.beside += other.lane == lane ? 1 : 0;
    }
    if (ends_.contains(number_of(note))) {
      begun_.emplace(ends_.at(number_of(note)), lasting);
    }
    happen(note, lane, std::move(text), Look::Handler);
  }
  void end(const NoteRecord& note) {
    if (const auto begun = begun_.find(number_of(note)); begun != begun_.end()) {
      close(begun->second, row_at(note));
      begun_.erase(begun);
    }
  }
  void close(Lasting lasting, std::size_t row) {
    lasting.to = row;
    picture_.lasting.push_back(std::move(lasting));
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

  const std::vector<NoteRecord>& notes_;
  const std::string server_ = "server";
  Picture picture_;
  std::map<std::string, std::size_t> index_of_;  // messages by number
  std::map<std::string, bool> is_client_;
  std::map<std::size_t, std::size_t> ends_;  // by what begins
  std::map<std::size_t, Lasting> begun_;     // by what ends it
};

/// Writes a picture down as a graph.
class SpacetimeWriter {
 public:
  SpacetimeWriter(const Picture& picture, const Heading& heading)
      : picture_(picture), canvas_(heading) {}

  std::string write(runtime::TimePoint start) {
    canvas_.lanes(picture_.lanes, picture_.times.size());
    canvas_.times(picture_.times, start);
    for (const Lasting& lasting : picture_.lasting) {
      constexpr int apart = 12;
      canvas_.bar(x_of(lasting.lane) + apart * static_cast<int>(lasting.beside), lasting.from,
                  lasting.to, Look::Handler);
    }
    for (const Message& message : picture_.messages) {
      write_message(message);
    }
    for (const Happening& happening : picture_.happenings) {
      canvas_.box(x_of(happening.lane), Canvas::y_of(happening.row), happening.look,
                  happening.text);
    }
    for (const auto& [row, text] : picture_.gaps) {
      canvas_.gap(row, text);
    }
    for (const auto& [row, text] : picture_.turns) {
      canvas_.turn(row, std::max<std::size_t>(picture_.lanes.size(), 1), text);
    }
    if (const auto& failure = picture_.failure) {
      canvas_.failure(failure->first, std::max<std::size_t>(picture_.lanes.size(), 1),
                      failure->second);
    }
    return canvas_.text();
  }

 private:
  [[nodiscard]] int x_of(const std::string& lane) const {
    const auto& lanes = picture_.lanes;
    const auto found = std::ranges::find(lanes, lane);
    return canvas_.x_of(static_cast<std::size_t>(std::distance(lanes.begin(), found)));
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
    canvas_.label({x1, y1, x2, y2}, colour, message.lost ? message.what + " (lost)" : message.what);
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
