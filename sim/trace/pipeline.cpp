#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <deque>
#include <map>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "sim/trace/pictures.hpp"

namespace watchlab::sim {
namespace {

enum class Station { Arrives, Queued, Popped, Delivered };

/// Something at one station, and what it follows from.
struct Stop {
  std::string client;  ///< "" at the server
  Station station = Station::Arrives;
  std::size_t row = 0;
  std::string text;
  Look look = Look::Write;
  std::vector<std::size_t> after;      ///< other stops by number
  std::optional<std::size_t> until{};  ///< of a call that takes time: the row of its end
};

/// The words of a text that are between blanks.
std::vector<std::string> words_of(const std::string& text) {
  std::vector<std::string> words(1);
  for (const char c : text) {
    if (c == ' ') {
      words.emplace_back();
    } else {
      words.back() += c;
    }
  }
  return words;
}

/// "informer" of "main/informer/reflector/list".
std::string client_of(const std::string& task) {
  const std::size_t first = task.find('/');
  return first == std::string::npos ? task
                                    : task.substr(first + 1, task.find('/', first + 1) - first - 1);
}

/// Collects the stops of a run from its notes.
class Pipeline {
 public:
  explicit Pipeline(const RunResult& run) {
    bool is_over = false;
    for (const NoteRecord& note : run.notes) {
      is_over = is_over || (note.kind == "story" && note.subject == "end");
      if (note.kind == "failure") {
        failure_.emplace(row_at(note), note.text);
      } else if (!is_over) {
        take(note);
      }
    }
  }

  [[nodiscard]] const std::vector<Stop>& stops() const { return stops_; }
  [[nodiscard]] const std::vector<runtime::TimePoint>& times() const { return times_; }
  [[nodiscard]] const std::vector<std::string>& clients() const { return clients_; }
  /// Rows in which something is left out, with how much.
  [[nodiscard]] const auto& gaps() const { return gaps_; }
  /// The row at which the run failed.
  [[nodiscard]] const auto& failure() const { return failure_; }

 private:
  /// What is under way in a client.
  struct Progress {
    std::optional<std::size_t> listed;                        ///< the last list that came
    std::map<std::string, std::deque<std::size_t>> arrived;   ///< events by key, until queued
    std::map<std::string, std::vector<std::size_t>> queued;   ///< by key, until it is popped
    std::vector<std::pair<std::string, std::size_t>> popped;  ///< keys, in order
  };

  void take(const NoteRecord& note) {
    if (note.kind == "write") {
      // "ADDED configmaps rv=3" of "default/demo"
      written_[note.subject + note.text.substr(note.text.find(" rv="))] =
          add(note, {.text = note.text + " " + note.subject});
    } else if (note.kind == "fault") {
      add(note, {.text = note.subject + ": " + note.text, .look = Look::Fault});
    } else if (note.kind == "receive") {
      take_arrival(note);
    } else if (note.kind == "delta") {
      take_delta(note);
    } else if (note.kind == "pop") {
      Progress& progress = progress_[client_of(note.task)];
      const std::size_t stop = add(note, {.client = client_of(note.task),
                                          .station = Station::Popped,
                                          .text = note.text + " " + note.subject,
                                          .look = Look::Queue,
                                          .after = std::move(progress.queued[note.subject])});
      progress.queued.erase(note.subject);
      progress.popped.emplace_back(note.subject, stop);
    } else if (note.kind == "handler") {
      take_call(note);
    } else if (note.kind == "returns") {
      end_call(note);
    } else if (note.kind == "full") {
      add(note, {.client = note.subject, .text = note.text, .look = Look::Fault});
    } else if (note.kind == "gap") {
      gaps_.emplace_back(row_at(note), note.text);
    }
  }

  /// The last call of that text that has no end yet, if there is one.
  void end_call(const NoteRecord& note) {
    const auto call = std::find_if(stops_.rbegin(), stops_.rend(), [&](const Stop& stop) {
      return stop.client == note.subject && stop.text == note.text && !stop.until;
    });
    if (call != stops_.rend()) {
      call->until = row_at(note);
    }
  }

  std::size_t row_at(const NoteRecord& note) {
    times_.push_back(note.at);
    return times_.size() - 1;
  }

  /// `FROM TO WHAT` of a message that came to a client.
  void take_arrival(const NoteRecord& note) {
    const std::vector<std::string> words = words_of(note.text);
    if (words.size() < 4 || words[2] == "LIST" || words[2] == "WATCH" || words[2] == "BOOKMARK") {
      return;
    }
    Stop stop{.client = words[1], .station = Station::Arrives, .look = Look::Stream};
    const bool is_list = words[2] == "200";
    stop.text = is_list ? "list" : words[2];
    for (std::size_t i = 3; i < words.size(); ++i) {
      stop.text += " " + words[i];
    }
    Progress& progress = progress_[stop.client];
    if (is_list) {
      progress.listed = add(note, std::move(stop));
      return;
    }
    const auto written =
        words.size() < 5 ? written_.end() : written_.find(words[3] + " " + words[4]);
    if (written != written_.end()) {
      stop.after.push_back(written->second);
    }
    progress.arrived[words[3]].push_back(add(note, std::move(stop)));
  }

  void take_delta(const NoteRecord& note) {
    Progress& progress = progress_[client_of(note.task)];
    Stop stop{.client = client_of(note.task),
              .station = Station::Queued,
              .text = note.text + " " + note.subject,
              .look = Look::Queue};
    auto& arrived = progress.arrived[note.subject];
    if (!arrived.empty()) {
      stop.after.push_back(arrived.front());
      arrived.pop_front();
    } else if (progress.listed && note.text != "Sync") {
      stop.after.push_back(*progress.listed);
    }
    progress.queued[note.subject].push_back(add(note, std::move(stop)));
  }

  /// "KIND: NAME …" that is delivered to a handler of the client.
  void take_call(const NoteRecord& note) {
    const std::vector<std::string> words = words_of(note.text);
    Stop stop{.client = note.subject,
              .station = Station::Delivered,
              .text = note.text,
              .look = Look::Handler};
    const auto& popped = progress_[note.subject].popped;
    const auto cause = std::find_if(popped.rbegin(), popped.rend(), [&](const auto& pop) {
      return words.size() > 1 && pop.first.ends_with("/" + words[1]);
    });
    if (cause != popped.rend()) {
      stop.after.push_back(cause->second);
    }
    add(note, std::move(stop));
  }

  std::size_t add(const NoteRecord& note, Stop stop) {
    if (!stop.client.empty() && std::ranges::find(clients_, stop.client) == clients_.end()) {
      clients_.push_back(stop.client);
    }
    stop.row = row_at(note);
    stops_.push_back(std::move(stop));
    return stops_.size() - 1;
  }

  std::vector<Stop> stops_;
  std::vector<runtime::TimePoint> times_;  ///< by row
  std::vector<std::string> clients_;
  std::map<std::string, std::size_t> written_;  ///< by key and revision
  std::map<std::string, Progress> progress_;    ///< by client
  std::vector<std::pair<std::size_t, std::string>> gaps_;
  std::optional<std::pair<std::size_t, std::string>> failure_;
};

}  // namespace

std::string pipeline_dot(const RunResult& run, const Heading& heading) {
  constexpr std::array<std::string_view, 4> stations{"arrives", "queued", "popped", "delivered"};
  const Pipeline pipeline(run);
  const auto& clients = pipeline.clients();
  std::vector<std::string> lanes{"server"};
  for (const std::string& client : clients) {
    for (const std::string_view station : stations) {
      lanes.push_back(fmt::format("{}: {}", client, station));
    }
  }
  Canvas canvas(heading);
  canvas.lanes(lanes, pipeline.times().size());
  canvas.times(pipeline.times(), run.started);
  const auto x_of = [&](const Stop& stop) {
    const auto client = std::ranges::find(clients, stop.client) - clients.begin();
    return canvas.x_of(stop.client.empty()
                           ? 0
                           : 1 + stations.size() * static_cast<std::size_t>(client) +
                                 static_cast<std::size_t>(stop.station));
  };
  for (const Stop& stop : pipeline.stops()) {
    if (stop.until) {
      canvas.bar(x_of(stop), stop.row, *stop.until, stop.look);
    }
  }
  std::vector<std::string> boxes;
  for (const Stop& stop : pipeline.stops()) {
    boxes.push_back(canvas.box(x_of(stop), Canvas::y_of(stop.row), stop.look, stop.text));
    for (const std::size_t before : stop.after) {
      canvas.edge(boxes[before], boxes.back(), "color=\"#2c3e50\"");
    }
  }
  for (const auto& [row, text] : pipeline.gaps()) {
    canvas.gap(row, text);
  }
  if (const auto& failure = pipeline.failure()) {
    canvas.failure(failure->first, lanes.size(), failure->second);
  }
  return canvas.text();
}

}  // namespace watchlab::sim
