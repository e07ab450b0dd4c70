#pragma once

#include <deque>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "scenarios/report/page_events.hpp"
#include "scenarios/report/seen_run.hpp"

/// The lanes of the page: each takes what a run wrote down about its part, and says as events and
/// patches what follows. They take notes, steps and entries of the record in the order of the run.
namespace watchlab::scenarios {

/// What the lanes share: the run, the log that they write, and the names of things.
class LaneContext {
 public:
  LaneContext(const Scenario& scenario, const SeenRun& seen, EventLog& log)
      : scenario(scenario), seen(seen), log(log) {
    for (const sim::StoryClientOptions& client : scenario.clients) {
      clients.push_back(client.name);
    }
  }

  /// Where something happened, and to which key; "" for none.
  struct Place {
    std::string_view lane;
    std::string client = {};
    std::string key = {};
  };

  /// An event for a note.
  PageEvent& event(const sim::NoteRecord& note, const Place& place, std::string text);

  /// The client whose task that is: "informer" of "main/informer/reflector"; "" for none.
  [[nodiscard]] std::string client_of(std::string_view task) const;
  /// The client of that name as messages have it, without blanks; "" for none.
  [[nodiscard]] std::string client_on_wire(std::string_view name) const;
  [[nodiscard]] std::int64_t since_start(runtime::TimePoint at) const;

  const Scenario& scenario;
  const SeenRun& seen;
  EventLog& log;
  std::vector<std::string> clients;  ///< by their names
};

/// A message between a client and the server, as a note has it: "FROM TO WHAT".
struct MessageText {
  std::string from;
  std::string to;
  std::string what;
  std::string type;      ///< "ADDED", "LIST", "200"
  std::string key;       ///< of an event about an object; "" for none
  std::string revision;  ///< what stands behind "rv="; "" for nothing

  [[nodiscard]] bool is_event() const { return !key.empty(); }
};
[[nodiscard]] MessageText parse_message(std::string_view text);

/// The server's log, its faults, and messages on their way.
class ServerLane {
 public:
  explicit ServerLane(LaneContext& context) : context_(context) {}

  /// False when the note is about something else.
  bool take(const sim::NoteRecord& note);

 private:
  void write(const sim::NoteRecord& note);
  void fault(const sim::NoteRecord& note);
  void message(const sim::NoteRecord& note);
  void stream_end(const sim::NoteRecord& note);
  void request(const sim::NoteRecord& note);

  LaneContext& context_;
  std::size_t written_ = 0;
  std::map<std::string, std::size_t> requests_;  // by client
};

/// What a reflector does next, and with which revision.
class ReflectorLane {
 public:
  explicit ReflectorLane(LaneContext& context) : context_(context) {}
  bool take(const sim::NoteRecord& note);

 private:
  LaneContext& context_;
  std::map<std::string, bool> is_streamed_;  // by client: whether its list comes by a watch
};

/// Queues with their deltas, and the stores behind them.
class QueueLane {
 public:
  explicit QueueLane(LaneContext& context);

  bool take(const sim::NoteRecord& note);
  /// A store changes when its lock is given back.
  void take(const sim::WitnessedStep& step);
  /// What the record says of a store: where the lane has another state, it takes the record's.
  void correct(const sim::NoteRecord& note, const std::string& client, const std::string& key,
               const std::string& revision);
  /// The same for all of a store, and for its index.
  void settle(const sim::NoteRecord& note, const std::string& client,
              const std::map<std::string, std::string>& stored);
  /// How often the record had another state.
  [[nodiscard]] std::size_t corrected() const { return corrected_; }
  [[nodiscard]] std::string cached(const std::string& client, const std::string& key) const;

 private:
  /// A delta that is queued, or was.
  struct Slot {
    std::string type;
    std::string revision;  ///< "" when it is not known
    bool tombstone = false;
    std::size_t order = 0;                      ///< of a queue that has each delta by itself
    std::map<std::string, std::string> list{};  ///< of a whole list: revisions by key
  };
  /// What the next write of a store brings.
  struct StoreWrite {
    std::string type;
    std::string key;
    std::string revision;
    std::map<std::string, std::string> list{};  ///< of a whole list: revisions by key
  };
  struct ClientState {
    std::vector<Slot> known;  ///< every delta that is ever queued, as pops of the record say
    std::size_t queued = 0;   ///< so many of these have been queued
    std::map<std::string, std::vector<Slot>> queue;          ///< by key
    std::map<std::string, std::deque<MessageText>> arrived;  ///< by key, not yet queued
    std::deque<MessageText> arrivals;                        ///< the same, in their order
    std::map<std::string, std::string> listed;               ///< by key, of the last list
    std::map<std::string, std::string> cache;                ///< revisions by key
    std::map<std::string, std::set<std::string>> index;      ///< keys by "label=value"
    /// By task; those of a batch are one write, as its transaction is.
    std::map<std::string, std::deque<std::vector<StoreWrite>>> writes;
    std::map<std::string, std::size_t> popped_at;  ///< by task, the step of its last pop
    std::size_t order = 0;
    std::optional<std::size_t> replaced_at;  ///< the step of the last whole list of a fifo
    bool is_streamed = false;                ///< the list that is under way comes as events
    bool is_store = false;                   ///< its reflector writes into its store
    bool is_indexed = false;                 ///< its store has an index over labels
  };

  void look_ahead();
  void arrive(const MessageText& message);
  void listed(const sim::NoteRecord& note);
  void name_keys(PageEvent& event, const std::map<std::string, std::string>& listed);
  [[nodiscard]] static std::map<std::string, std::string> list_from(
      const std::deque<MessageText>& arrivals);
  void delta(const sim::NoteRecord& note, const std::string& client);
  void pop(const sim::NoteRecord& note, const std::string& client);
  void requeue(const sim::NoteRecord& note, const std::string& client);
  void newest(const sim::NoteRecord& note, const std::string& client);
  [[nodiscard]] Slot slot_for(const sim::NoteRecord& note, ClientState& state);
  void show(PageEvent& event, const std::string& client, const std::string& key);
  /// "Replaced of default/demo at revision 3"; of what is about no single object, what it is about.
  [[nodiscard]] static std::string words_of(const Slot& slot, const std::string& key);
  [[nodiscard]] std::map<std::string, std::string> list_at(const std::string& client,
                                                           const std::string& revision) const;
  [[nodiscard]] std::vector<StoreWrite> next_write(ClientState& state, const std::string& task);
  void store(PageEvent& event, const std::string& client, const StoreWrite& write);
  void set_cached(PageEvent& event, const std::string& client, const std::string& key,
                  const std::string& revision);
  void clear_cache(PageEvent& event, const std::string& client);
  /// The labels of a state, as "label=value"; none for one that the record does not know.
  [[nodiscard]] std::vector<std::string> labels_of(const std::string& key,
                                                   const std::string& revision) const;
  void set_indexed(PageEvent& event, const std::string& client, const std::string& label,
                   std::set<std::string> keys);
  void settle_index(const sim::NoteRecord& note, const std::string& client);

  LaneContext& context_;
  std::map<std::string, ClientState> clients_;
  std::map<std::pair<std::string, std::string>, std::vector<std::string>> labels_;
  std::size_t corrected_ = 0;
};

/// Calls of handlers, prints of programs and swaps of their goroutines, and work queues.
class HandlerLane {
 public:
  HandlerLane(LaneContext& context, QueueLane& queues) : context_(context), queues_(queues) {}

  bool take(const sim::NoteRecord& note);
  /// An entry of the record that no note is about.
  void take(const Growth& growth);

 private:
  void swap(const sim::NoteRecord& note);
  void call(const sim::NoteRecord& note);
  void call_behind_the_record(const sim::NoteRecord& note);
  void work(const Growth& growth);
  PageEvent& event(const Growth& growth, runtime::TimePoint at, const std::string& client,
                   std::string text);

  LaneContext& context_;
  QueueLane& queues_;
  std::vector<bool> called_;  // of the record's calls: whether a note was about it
  std::map<std::string, std::size_t> calls_;
  std::map<std::string, std::size_t> prints_;
};

}  // namespace watchlab::scenarios
