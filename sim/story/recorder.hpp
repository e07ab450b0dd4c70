#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <optional>
#include <set>
#include <string>
#include <utility>

#include "core/runtime/cond_var.hpp"
#include "sim/network/exchange.hpp"
#include "sim/record/record.hpp"

namespace watchlab::sim {

/// Something in a story that you can wait for. Counts are since the start.
struct Condition {
  enum class Kind : std::uint8_t {
    Watching,   ///< the client has an open watch that the server has accepted
    Synced,     ///< all of the client's first list has been popped
    Ended,      ///< the client has ended by itself
    Handled,    ///< this many handler calls have started
    Popped,     ///< this many deltas have been popped
    Requested,  ///< this many requests have been sent
    Noted,      ///< a client has written this many notes
  };

  Kind kind = Kind::Watching;
  std::string of;            ///< the client, or the handler; "" for all
  std::optional<Verb> verb;  ///< for requests; nothing for all
  std::int64_t count = 1;
  std::string text = {};  ///< for notes: their text, see `NotePattern`; "" for any

  bool operator==(const Condition&) const = default;
};

/// "5 handler calls", "a watch of informer": for the message that it never happened.
[[nodiscard]] std::string describe(const Condition& condition);

/// Records what happens in a story, and lets the story wait for it. Any task may call any function,
/// under any other lock: while the recorder holds its own lock, it calls only the listener.
///
/// It records list and watch requests, and all requests of external clients. Other requests of
/// simulated clients go into a separate list, which costs no operation unless somebody waits for
/// it.
class Recorder final : public ExchangeObserver {
 public:
  explicit Recorder(runtime::Runtime& runtime);

  /// Called under the lock after each recorded thing until `close`.
  using Written = std::function<void(const Record&)>;
  /// From now on `wait_for_more` also returns at the bookmark that ends a streamed list, which may
  /// be all that a client without handlers is waiting for.
  void note_marks() { notes_marks_ = true; }
  /// Call before the first request: the story waits for writes of simulated clients.
  void announce_writes() { announces_writes_ = true; }
  /// Call before anything is recorded. The listener must not perform any operation.
  void listen(Written written) { listener_ = std::move(written); }
  /// Call before anything is recorded: the names of external clients, and of simulated ones. All
  /// requests of external clients are recorded, and none of clients in neither list.
  void expect_outsiders(std::set<std::string> outsiders, std::set<std::string> ours) {
    outsiders_ = std::move(outsiders);
    ours_ = std::move(ours);
  }

  void changed(const Exchange& exchange) override;
  void answered(const Exchange& exchange, const api::Result<Response>& outcome) override;
  void arrived(const Exchange& exchange, const watch::Event& event) override;
  void wrote(const Change& change) override;
  void popped(DeltaRecord delta);
  void popped(PopRecord pop);
  /// A store was read. This changes nothing.
  void read(ReadRecord read);
  /// A handler was called, or a program pauses: the client is busy until `rested`.
  void called(CallRecord call);
  void paused();
  void rested();
  void ended(EndRecord end);
  void noted(SaidRecord note);
  /// A key was put into a work queue, taken out, or is done. `repeats`: it has been processed
  /// before, as after a resync.
  void worked(WorkRecord work, bool repeats);
  /// A handler was added to a shared informer, or removed from it.
  void joined(HandlerRecord handler);
  void left(const std::string& client, const std::string& handler);
  /// The script stopped a client.
  void stopped(const std::string& client);

  /// Waits until `holds` is true for the record, or until the deadline. It is called again, under
  /// the lock, after each recorded thing. Returns its last result.
  [[nodiscard]] bool wait_until(const std::function<bool(const Record&)>& holds,
                                runtime::TimePoint deadline);
  /// Waits until the deadline or until an interruption.
  void rest_until(runtime::TimePoint deadline);
  /// From then on nothing waits here any more.
  void interrupt(runtime::TimePoint at);
  /// Whether that time has come.
  [[nodiscard]] bool interrupted();
  /// Waits until something is recorded, or until the deadline.
  void wait_for_news(runtime::TimePoint deadline);
  /// Waits until more than `than` things have been recorded. Returns their number, or nothing once
  /// the record is closed.
  [[nodiscard]] std::optional<std::uint64_t> wait_for_more(std::uint64_t than);

  /// When something last happened that was not periodic, and whether a client is busy now.
  struct Activity {
    runtime::TimePoint last;
    bool busy = false;
  };
  [[nodiscard]] Activity activity();

  /// Closes the record and starts another one for what happens while the clients end. Wakes no
  /// waiting task and counts as no activity. Returns the first record.
  [[nodiscard]] Record close();
  /// What was recorded since `close`: no answers, and only requests that were sent since.
  [[nodiscard]] Record afterwards();
  /// Adds to a closed record what was written, the answers, and the fate of streams that are still
  /// open. The host's lock must be held.
  void complete(Record& record, const std::vector<Exchange>& exchanges);

 private:
  /// Runs the given action under the lock, for each thing that happens.
  template <typename Write>
  void write(bool periodic, Write write_down);
  /// Appends an entry to a list of the record, with the current time.
  template <typename Entry>
  void append(std::vector<Entry> Record::*entries, Entry entry, bool periodic);
  /// Counts what was recorded and wakes the waiting tasks. The lock must be held.
  void has_written();

  /// When a wait with this deadline ends now. The lock must be held.
  [[nodiscard]] runtime::TimePoint end_of_wait(runtime::TimePoint deadline) const {
    return std::min(deadline, interrupted_at_.value_or(deadline));
  }
  [[nodiscard]] bool is_recorded(const Exchange& exchange) const;
  /// A request of a simulated client about one object.
  void asked(const Exchange& exchange);

  runtime::Runtime& runtime_;
  std::set<std::string> outsiders_;
  std::set<std::string> ours_;
  runtime::Mutex mutex_;
  runtime::CondVar changed_;
  Record record_;
  Written listener_;
  bool notes_marks_ = false;
  bool announces_writes_ = false;
  std::map<std::uint64_t, std::size_t> request_of_;  // by the number of the exchange
  /// By the number of the exchange. Protected by the host's lock, so it costs no operation of its
  /// own.
  std::map<std::uint64_t, AnswerRecord> answers_;
  std::vector<WriteRecord> writes_;               ///< likewise
  std::map<std::uint64_t, RequestRecord> asked_;  ///< likewise, unless they are announced
  runtime::TimePoint last_;
  std::uint64_t written_ = 0;
  int busy_ = 0;
  int waiting_ = 0;
  bool closed_ = false;
  std::optional<runtime::TimePoint> interrupted_at_;
};

}  // namespace watchlab::sim
