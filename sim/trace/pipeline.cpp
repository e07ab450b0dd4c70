#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <deque>
#include <map>
#include <optional>
#include <set>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "sim/kernel/path_text.hpp"
#include "sim/trace/pictures.hpp"

namespace watchlab::sim {
namespace {

enum class Station { Arrives, Queued, Popped, Delivered };

/// Something at one station, and what it follows from.
struct Stop {
  std::string client;  ///< "" at the server
  Station station = Station::Arrives;
  std::string handler{};             ///< that it is delivered to, where it has a name
  std::optional<std::size_t> row{};  ///< nothing where it is not drawn
  std::string text;
  Look look = Look::Write;
  std::vector<std::size_t> after;      ///< other stops by number
  std::optional<std::size_t> until{};  ///< of a call that takes time: the row of its end
};

/// The head of the lane that a stop is in.
std::string lane_of(const Stop& stop) {
  constexpr std::array<std::string_view, 4> stations{"arrives", "queued", "popped", "delivered"};
  return stop.client.empty() ? "server"
                             : fmt::format("{}: {}{}{}", stop.client,
                                           stations.at(static_cast<std::size_t>(stop.station)),
                                           stop.handler.empty() ? "" : " to ", stop.handler);
}

/// A change of a queue that is about all objects stands under this key.
constexpr std::string_view kAll = "*";

std::string change_text(const NoteRecord& note) {
  return note.text + " " + (note.subject == kAll ? "of all objects" : note.subject);
}

/// The words of a text that are between blanks.
std::vector<std::string> words_of(const std::string& text) {
  const std::vector<std::string_view> words = split(text, ' ');
  return {words.begin(), words.end()};
}

/// The event that a queue turns into such a delta; "" for one that no event brings.
std::string_view event_of(std::string_view delta) {
  return delta == "Added"     ? "ADDED"
         : delta == "Updated" ? "MODIFIED"
         : delta == "Deleted" ? "DELETED"
                              : "";
}

bool is_same(const NoteRecord& one, const NoteRecord& other) {
  const auto all = [](const NoteRecord& note) {
    return std::tie(note.step, note.at, note.kind, note.subject, note.text, note.task);
  };
  return all(one) == all(other);
}

/// Collects the stops of a run from its notes.
class Pipeline {
 public:
  Pipeline(const RunResult& run, const PipelinePicture& wanted) : names_(wanted.clients) {
    const std::vector<NoteRecord>& shown = wanted.shown ? *wanted.shown : run.notes;
    auto next = shown.begin();
    bool is_over = false;
    for (const NoteRecord& note : run.notes) {
      for (; next != shown.end() && is_of_picture(*next); ++next) {
        add_mark(*next);
      }
      is_shown_ = next != shown.end() && is_same(*next, note);
      next += is_shown_ ? 1 : 0;
      is_over = is_over || (note.kind == "story" && note.subject == "end");
      if (note.kind == "failure" && is_shown_) {
        failure_.emplace(row_at(note), note.text);
      } else if (!is_over) {
        take(note);
      }
    }
  }

  [[nodiscard]] const std::vector<Stop>& stops() const { return stops_; }
  [[nodiscard]] const std::vector<runtime::TimePoint>& times() const { return times_; }
  /// The heads of the lanes, from left to right.
  [[nodiscard]] std::vector<std::string> lanes() const {
    std::vector<std::string> lanes{lane_of(Stop{})};
    for (const std::string& client : clients_) {
      for (const Station station : {Station::Arrives, Station::Queued, Station::Popped}) {
        lanes.push_back(lane_of(Stop{.client = client, .station = station}));
      }
      const std::set<std::string>& called = handlers_.at(client);
      for (const std::string& handler : called.empty() ? std::set<std::string>{""} : called) {
        lanes.push_back(
            lane_of(Stop{.client = client, .station = Station::Delivered, .handler = handler}));
      }
    }
    return lanes;
  }
  /// Rows in which something is left out, with how much.
  [[nodiscard]] const auto& gaps() const { return gaps_; }
  /// Rows before steps that decide, with what they do.
  [[nodiscard]] const auto& turns() const { return turns_; }
  /// The row at which the run failed.
  [[nodiscard]] const auto& failure() const { return failure_; }

 private:
  /// An event that came: its type, and its stop.
  struct Arrival {
    std::string type;
    std::size_t stop = 0;
  };
  struct Pop {
    std::string key;
    std::string deltas;  ///< their types
    std::size_t stop = 0;
  };
  /// What is under way in a client.
  struct Progress {
    std::optional<std::size_t> listed;                       ///< the last list that came
    std::vector<std::size_t> stream;                         ///< events of the open watch
    std::map<std::string, std::deque<Arrival>> arrived;      ///< events by key, until queued
    std::map<std::string, std::vector<std::size_t>> queued;  ///< by key, until it is popped
    std::vector<Pop> popped;                                 ///< in order
    /// By task and object, where the pop of its next call is at the earliest.
    std::map<std::pair<std::string, std::string>, std::size_t> called;
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
    } else if (note.kind == "streamed") {
      take_streamed(note);
    } else if (note.kind == "delta" && !client_of(note.task).empty()) {
      take_delta(note);
    } else if (note.kind == "pop" && !client_of(note.task).empty()) {
      take_pop(note);
    } else if (note.kind == "handler") {
      take_call(note);
    } else if (note.kind == "returns") {
      end_call(note);
    } else if (note.kind == "full") {
      add(note, {.client = note.subject, .text = note.text, .look = Look::Fault});
    }
  }

  /// Programs name no clients: they are called as messages have them.
  [[nodiscard]] std::string client_of(const std::string& name) const {
    return names_.empty() ? name : client_meant(name, names_);
  }

  void add_mark(const NoteRecord& note) {
    auto& marks = note.kind == "gap" ? gaps_ : turns_;
    marks.emplace_back(row_at(note), note.text);
  }

  /// The last call of that text that has no end yet, if there is one.
  void end_call(const NoteRecord& note) {
    const auto call = std::find_if(stops_.rbegin(), stops_.rend(), [&](const Stop& stop) {
      return stop.client == note.subject && stop.handler == note.by && stop.text == note.text &&
             !stop.until;
    });
    if (call != stops_.rend() && is_shown_) {
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
    if (words.size() > 2 && words[2] == "200") {  // of streams before nothing is queued any more
      progress_[client_of(words[1])].arrived.clear();
      progress_[client_of(words[1])].stream.clear();
    }
    if (words.size() < 4 || client_of(words[1]).empty() || words[2] == "LIST" ||
        words[2] == "WATCH" || words[2] == "BOOKMARK") {
      return;
    }
    Stop stop{.client = client_of(words[1]), .station = Station::Arrives, .look = Look::Stream};
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
    const std::size_t number = add(note, std::move(stop));
    progress.arrived[words[3]].push_back({words[2], number});
    progress.stream.push_back(number);
  }

  /// All events of a list are there: it is a list like any other.
  void take_streamed(const NoteRecord& note) {
    Progress& progress = progress_[note.subject];
    progress.listed =
        add(note, {.client = note.subject,
                   .station = Station::Arrives,
                   .text = "list" + note.text.substr(note.text.rfind(' ')) + " as a stream",
                   .look = Look::Stream,
                   .after = std::move(progress.stream)});
    progress.stream.clear();
    progress.arrived.clear();
  }

  void take_delta(const NoteRecord& note) {
    const std::string client = client_of(note.task);
    Progress& progress = progress_[client];
    Stop stop{.client = client,
              .station = Station::Queued,
              .text = change_text(note),
              .look = Look::Queue};
    auto& arrived = progress.arrived[note.subject];
    const auto cause = std::ranges::find(arrived, event_of(note.text), &Arrival::type);
    if (cause != arrived.end()) {
      stop.after.push_back(cause->stop);
      arrived.erase(arrived.begin(), cause + 1);  // events before it were not queued
    } else if (progress.listed && note.text != "Sync") {
      stop.after.push_back(*progress.listed);
    }
    progress.queued[note.subject].push_back(add(note, std::move(stop)));
  }

  /// A queue of deltas gives one of them or a batch, one of keys all that a key has.
  void take_pop(const NoteRecord& note) {
    const std::string client = client_of(note.task);
    Progress& progress = progress_[client];
    std::vector<std::size_t>& queued = progress.queued[note.subject];
    const std::size_t count =
        note.text.empty() ? queued.size() : std::min(words_of(note.text).size(), queued.size());
    const auto end = queued.begin() + static_cast<std::ptrdiff_t>(count);
    Stop stop{.client = client,
              .station = Station::Popped,
              .text = change_text(note),
              .look = Look::Queue,
              .after = {queued.begin(), end}};
    queued.erase(queued.begin(), end);
    progress.popped.push_back({note.subject, note.text, add(note, std::move(stop))});
  }

  /// Whether a call about an object of that name may follow from a pop: a list as one change may
  /// bring any call, and the whole cache once more an update of each object.
  static bool brings(const Pop& pop, const std::vector<std::string>& call) {
    return pop.key == kAll ? pop.deltas == "ReplacedAll" ||
                                 (pop.deltas == "SyncAll" && call.front() == "update:")
                           : call.size() > 1 && pop.key.ends_with("/" + call[1]);
  }

  /// Whether a call of that kind follows from these deltas of its object. What is given to handlers
  /// once more brings no call where no resync is due.
  static bool is_likely(const Pop& pop, std::string_view kind) {
    return pop.key != kAll &&
           std::ranges::any_of(words_of(pop.deltas), [&](std::string_view delta) {
             return delta != "Sync" && (delta == "Deleted") == (kind == "delete:");
           });
  }

  /// The pop that a call of a handler follows from. A slow handler gets its calls when more has
  /// been popped, in the order of the pops, so each has the first that is left for it; where there
  /// is no such one, the call has the last one that may bring it.
  static std::optional<std::size_t> cause_of(Progress& progress, const std::string& task,
                                             const std::vector<std::string>& call) {
    const std::vector<Pop>& popped = progress.popped;
    std::size_t& next = progress.called[{task, call.size() > 1 ? call[1] : ""}];
    for (std::size_t i = next; i < popped.size(); ++i) {
      if (brings(popped[i], call) && is_likely(popped[i], call.front())) {
        next = i + (popped[i].deltas.find(' ') == std::string::npos ? 1 : 0);
        return popped[i].stop;
      }
    }
    const auto last = std::find_if(popped.rbegin(), popped.rend(),
                                   [&](const Pop& pop) { return brings(pop, call); });
    return last == popped.rend() ? std::nullopt : std::optional(last->stop);
  }

  /// "KIND: NAME …" that is delivered to a handler of the client.
  void take_call(const NoteRecord& note) {
    const std::vector<std::string> words = words_of(note.text);
    Stop stop{.client = note.subject,
              .station = Station::Delivered,
              .handler = note.by,
              .text = note.text,
              .look = Look::Handler};
    if (const auto cause = cause_of(progress_[note.subject], note.task, words)) {
      stop.after.push_back(*cause);
    }
    add(note, std::move(stop));
  }

  std::size_t add(const NoteRecord& note, Stop stop) {
    if (is_shown_ && !stop.client.empty()) {
      std::set<std::string>& handlers = handlers_[stop.client];
      if (stop.station == Station::Delivered) {
        handlers.insert(stop.handler);
      }
      if (std::ranges::find(clients_, stop.client) == clients_.end()) {
        clients_.push_back(stop.client);
      }
    }
    if (is_shown_) {
      stop.row = row_at(note);
    }
    stops_.push_back(std::move(stop));
    return stops_.size() - 1;
  }

  const std::vector<std::string>& names_;
  bool is_shown_ = true;  ///< the note that is being taken
  std::vector<Stop> stops_;
  std::vector<runtime::TimePoint> times_;  ///< by row
  std::vector<std::string> clients_;
  std::map<std::string, std::set<std::string>> handlers_;  ///< that are delivered to, by client
  std::map<std::string, std::size_t> written_;             ///< by key and revision
  std::map<std::string, Progress> progress_;               ///< by client
  std::vector<std::pair<std::size_t, std::string>> gaps_;
  std::vector<std::pair<std::size_t, std::string>> turns_;
  std::optional<std::pair<std::size_t, std::string>> failure_;
};

}  // namespace

std::string pipeline_dot(const RunResult& run, const PipelinePicture& wanted,
                         const Heading& heading) {
  const Pipeline pipeline(run, wanted);
  const std::vector<std::string> lanes = pipeline.lanes();
  Canvas canvas(heading);
  canvas.lanes(lanes, pipeline.times().size());
  canvas.times(pipeline.times(), run.started);
  const auto x_of = [&](const Stop& stop) {
    const auto lane = std::ranges::find(lanes, lane_of(stop)) - lanes.begin();
    return canvas.x_of(static_cast<std::size_t>(lane));
  };
  for (const Stop& stop : pipeline.stops()) {
    if (stop.row && stop.until) {
      canvas.bar(x_of(stop), *stop.row, *stop.until, stop.look);
    }
  }
  std::vector<std::string> boxes;
  for (const Stop& stop : pipeline.stops()) {
    boxes.emplace_back();
    if (!stop.row) {
      continue;
    }
    boxes.back() = canvas.box(x_of(stop), Canvas::y_of(*stop.row), stop.look, stop.text);
    for (const std::size_t before : stop.after) {
      if (!boxes[before].empty()) {
        canvas.edge(boxes[before], boxes.back(), "color=\"#2c3e50\"");
      }
    }
  }
  for (const auto& [row, text] : pipeline.gaps()) {
    canvas.gap(row, text);
  }
  for (const auto& [row, text] : pipeline.turns()) {
    canvas.turn(row, lanes.size(), text);
  }
  if (const auto& failure = pipeline.failure()) {
    canvas.failure(failure->first, lanes.size(), failure->second);
  }
  return canvas.text();
}

}  // namespace watchlab::sim
