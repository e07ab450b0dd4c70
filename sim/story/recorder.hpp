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

/// Something in a story that can be waited for. Counts are since the beginning.
struct Condition {
  enum class Kind : std::uint8_t {
    Watching,   ///< the client has a watch that the server has accepted and that is open
    Synced,     ///< everything of the client's first list was popped
    Ended,      ///< the client has come to its end by itself
    Handled,    ///< so many handler calls have begun
    Popped,     ///< so many deltas were popped
    Requested,  ///< so many requests were sent
    Noted,      ///< a client has said something for the record, so often
  };

  Kind kind = Kind::Watching;
  std::string of;            ///< the client, or the handler; "" for all
  std::optional<Verb> verb;  ///< of requests; nothing for all
  std::int64_t count = 1;
  std::string text = {};  ///< of notes: what they say, see `NotePattern`; "" for anything

  bool operator==(const Condition&) const = default;
};

/// "5 handler calls", "a watch of informer": for the message that it never came.
[[nodiscard]] std::string describe(const Condition& condition);

/// Records what happens in a story, and lets the story wait for it. Any task may call any
/// function. While it holds its lock it calls no other object but the listener, so it may be called
/// under any other lock.
/// Of requests it writes down those that list and watch, and all of clients from outside; what else
/// clients that are ours ask stands in a list of its own, which costs no operation unless somebody
/// waits for it.
class Recorder final : public ExchangeObserver {
 public:
  explicit Recorder(runtime::Runtime& runtime);

  /// Sees the record after each thing that is written down until `close`, under the lock.
  using Written = std::function<void(const Record&)>;
  /// From now on `wait_for_more` comes back also at the mark of a streamed list, which may be all
  /// that a client without handlers was waiting for.
  void note_marks() { notes_marks_ = true; }
  /// Before the first request: the story waits for what clients that are ours write.
  void announce_writes() { announces_writes_ = true; }
  /// Before the first thing is written down. The listener must do nothing that is an operation.
  void listen(Written written) { listener_ = std::move(written); }
  /// The same: these clients come from outside. All that they ask is written down, and nothing of
  /// clients that are in neither list.
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
  /// A store was read, which changes nothing.
  void read(ReadRecord read);
  /// A handler was called, or a program pauses: a client is busy until `rested`.
  void called(CallRecord call);
  void paused();
  void rested();
  void ended(EndRecord end);
  void noted(SaidRecord note);
  /// A key was put into a work queue, was taken out, or is done. `repeats`: it was worked on
  /// already, as after a resync.
  void worked(WorkRecord work, bool repeats);
  /// A handler was added to a shared informer, or removed.
  void joined(HandlerRecord handler);
  void left(const std::string& client, const std::string& handler);
  /// The script has asked a client to end.
  void stopped(const std::string& client);

  /// Waits until `holds` says so of the record, or the deadline has come. It is asked again after
  /// each thing that is written down, with the lock held. Returns what it said last.
  [[nodiscard]] bool wait_until(const std::function<bool(const Record&)>& holds,
                                runtime::TimePoint deadline);
  /// Waits until the deadline or an interruption.
  void rest_until(runtime::TimePoint deadline);
  /// From that moment on nothing waits here any more.
  void interrupt(runtime::TimePoint at);
  /// Whether that moment has come.
  [[nodiscard]] bool interrupted();
  /// Waits until something was written down, or the deadline has come.
  void wait_for_news(runtime::TimePoint deadline);
  /// Waits until more than that number of things were written down. Returns how many there are, or
  /// nothing once the record is closed.
  [[nodiscard]] std::optional<std::uint64_t> wait_for_more(std::uint64_t than);

  /// When something last happened that was not periodic, and whether a client is busy right now.
  struct Activity {
    runtime::TimePoint last;
    bool busy = false;
  };
  [[nodiscard]] Activity activity();

  /// Ends the record and begins another, for what happens while the clients come to their end.
  /// Nothing that waits is notified of that, and no activity comes of it. Returns the first.
  [[nodiscard]] Record close();
  /// What was written down since `close`: no answers, and of requests only those sent since.
  [[nodiscard]] Record afterwards();
  /// Puts into a closed record what was written, what was answered, and what became of streams that
  /// are still open. The host's lock must be held.
  void complete(Record& record, const std::vector<Exchange>& exchanges);

 private:
  /// What is done under the lock for each thing that happens.
  template <typename Write>
  void write(bool periodic, Write write_down);
  /// Adds an entry to a list of the record, with the time of now.
  template <typename Entry>
  void append(std::vector<Entry> Record::*entries, Entry entry, bool periodic);
  /// Counts what was written and wakes the tasks that wait for it. The lock must be held.
  void has_written();

  /// Until when a wait with that deadline lasts now. The lock must be held.
  [[nodiscard]] runtime::TimePoint end_of_wait(runtime::TimePoint deadline) const {
    return std::min(deadline, interrupted_at_.value_or(deadline));
  }
  [[nodiscard]] bool is_recorded(const Exchange& exchange) const;
  /// Something that a client of ours asks of one object.
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
  /// By the number of the exchange. Belongs to who holds the host's lock, so it costs no operation
  /// of its own.
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
