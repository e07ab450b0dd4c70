#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <stdexcept>
#include <string>
#include <vector>

#include "sim/invariants/invariant_catalogue.hpp"
#include "sim/record/record.hpp"
#include "sim/story/client.hpp"
#include "sim/story/expectation.hpp"
#include "sim/story/options.hpp"
#include "sim/story/pattern.hpp"
#include "sim/story/recorder.hpp"

namespace watchlab::sim {

struct StoryOptions {
  std::string name;  ///< "" for one that has none
  StoryServerOptions server;
  Transport transport = Transport::Direct;  ///< between all clients and servers
  std::vector<StoryClientOptions> clients;
  /// The most virtual time that the story may take.
  runtime::Duration within = std::chrono::hours(1);
  /// For how long nothing may have happened when the story is quiet. Longer than the longest pause
  /// of a reflector, which is 60 s.
  runtime::Duration quiet_for = std::chrono::seconds(65);
  /// The invariants of `invariant_catalogue()` that `finish` does not check.
  std::vector<Waiver> waived;
  /// Record also what only a transcript shows. So that the order of things at one instant is never
  /// open, events come one by one, and the script waits until an instant is over before it does
  /// something to a client.
  bool transcribe = false;
  /// Sees the record grow; it must do nothing that is an operation.
  Recorder::Written written = {};
  /// The script waits for requests that change something or ask for one object, of clients that are
  /// ours too. Every story has these in its record; that they can be waited for costs operations.
  bool waits_for_writes = false;
  /// Played on a clock of real time: what the script waits for can be ended by `interrupt`, and no
  /// schedule decides about faults.
  bool real_time = false;
  /// Notified of all requests and writes, beside the recorder; may be null.
  std::shared_ptr<ExchangeObserver> observer = nullptr;
  /// How many finished requests the server remembers; 0 for all.
  std::size_t exchanges_max = 0;
};

/// Something that a story wanted to do and that the server refused, or a name that it does not
/// know: a mistake in the story, not a finding.
class StoryError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// How the message of a `StoryError` begins, behind the place of its step, when the server refused
/// what the script wrote.
inline constexpr std::string_view kRefusedWrite = "the server refused to ";

/// Plays a story: a server, its clients, what happens to them, and what came of it. It is the body
/// of a run, or a part of one:
///
///     Story story(runtime, {.server = {.objects = {{.name = "demo"}}}, .clients = {{}}});
///     story.wait_for({.kind = Condition::Kind::Watching});
///     story.at_once([](Story::Instant& now) {
///       now.inject({.name = "cut_watch"});
///       now.remove({.name = "demo"});
///       now.inject({.name = "evict_watch_window"});
///     });
///     story.run_until_quiet();
///     story.finish();
///     story.expect({.layer = Expected<CallPattern>{.entries = {…}}});
///
/// Every function belongs to the task that made the story. `finish` ends all clients and must be
/// called before the story is destroyed, save when a failure ends the whole run.
class Story {
 public:
  Story(runtime::Runtime& runtime, StoryOptions options);
  Story(const Story&) = delete;
  Story& operator=(const Story&) = delete;

  /// What can be done at one instant, before any other task does anything. Throws `StoryError` when
  /// the server refuses.
  class Instant {
   public:
    void create(const ObjectSketch& object);
    /// Replaces the labels, annotations, data and members of the body that the sketch has; the rest
    /// stays.
    void update(const ObjectSketch& object);
    void remove(const ObjectSketch& object);
    void patch(const PatchSketch& patch);
    void apply(const ApplySketch& apply);
    void inject(const FaultSketch& fault);
    /// Takes back a fault by the name that it was injected as.
    void heal(const std::string& name);

   private:
    friend class Story;
    Instant(Story& story, ServerHost::Transaction& transaction)
        : story_(story), transaction_(transaction) {}
    [[nodiscard]] const ResourceType& type_of(const ObjectSketch& sketch) const;
    /// A request about the object that the sketch names.
    [[nodiscard]] Request request_for(Verb verb, const ObjectSketch& sketch) const;
    void write(const ObjectSketch& sketch, Request request);

    Story& story_;
    ServerHost::Transaction& transaction_;
  };
  void at_once(const std::function<void(Instant&)>& what);

  /// One thing at one instant.
  void create(const ObjectSketch& object);
  void update(const ObjectSketch& object);
  void remove(const ObjectSketch& object);
  void inject(const FaultSketch& fault);
  void heal(const std::string& name);

  /// A client that starts later starts now. Throws `StoryError` when it has started already.
  void start(const std::string& client);
  /// A client is asked to end. Does not wait for it.
  void stop(const std::string& client);
  /// A program ends without a word, as by SIGKILL, and can be started again. Throws `StoryError`
  /// for a client that is none, or does not run.
  void crash(const std::string& client);
  /// A handler of a shared informer that starts later is added now, or one that is there removed.
  /// Throws `StoryError` when there is none to add or remove.
  void add_handler(const std::string& handler);
  void remove_handler(const std::string& handler);

  /// From now on a client's requests go to another replica; an open watch stays where it is. Throws
  /// `StoryError` when there is no such replica.
  void move(const std::string& client, std::int64_t replica);

  /// After that long the script waits for nothing more. Any task may call it, in real time only.
  void interrupt(runtime::Duration after) { stage_->recorder->interrupt(runtime_.now() + after); }
  [[nodiscard]] bool interrupted() { return options_.real_time && stage_->recorder->interrupted(); }
  /// The server that the story is about, for those who serve it to others.
  [[nodiscard]] const std::shared_ptr<ServerHost>& host() const { return stage_->host; }

  /// For a transcript: waits until all is over that is due now. Else it does nothing.
  void settle();
  void wait(runtime::Duration time);
  /// Waits until that much time has passed since the story began.
  void wait_until(runtime::Duration since_the_beginning);
  /// Waits until that much time has passed since the first request of one of these clients. False
  /// when the story's time is over first.
  [[nodiscard]] bool wait_since_a_request(const std::set<std::string>& of, runtime::Duration time);
  /// Waits for a condition. False when the story's time is over first.
  [[nodiscard]] bool wait_for(const Condition& condition);
  /// Waits until the story is quiet: for `quiet_for` the script did nothing, there was no request,
  /// no change of a watch, no delta and no handler call, save the periodic ones of resyncs; no
  /// client is busy; and nothing is on its way between clients and servers. What is due then is due
  /// indefinitely: resyncs, bookmarks, the timeouts of watches. False when the story's time is over
  /// first.
  [[nodiscard]] bool run_until_quiet();

  /// Closes the record, ends all clients and waits for them; then throws `Violation` when an
  /// invariant that was not waived is broken. Idempotent.
  void finish();
  /// The same without a look at the invariants: for a story that has failed already.
  void abandon();
  /// What is wrong with the record by the invariants, a message each. They are about clients that
  /// are made of our machinery: what an external one asks is not looked at, and of a program in
  /// lockstep what a few say of its requests.
  [[nodiscard]] std::vector<std::string> broken_invariants() const;
  /// What was recorded; empty before `finish`.
  [[nodiscard]] const Record& record() const { return record_; }
  [[nodiscard]] const Symbols& symbols() const { return symbols_; }
  /// What is wrong with the record, in a message; nothing when the expectation holds.
  [[nodiscard]] std::optional<std::string> broken(const Expectation& expectation) const;
  /// Throws `Violation` when the expectation does not hold.
  void expect(const Expectation& expectation) const;

 private:
  struct Member {
    std::shared_ptr<Client> client;
    bool started = false;
    bool stopped = false;
  };

  void check_waivers() const;
  /// Whether none of the story's own clients has sent it.
  [[nodiscard]] bool is_foreign(const std::string& client) const;
  /// The script does something: what was quiet is so no more.
  void touch();
  void record_fault(const FaultSketch& fault, FaultId id);
  void record_clients();
  [[nodiscard]] std::vector<std::string> handlers_of(const StoryClientOptions& client) const;
  void record_streams();
  void end_clients();
  /// For a transcript: waits for a client that was asked to end, in a task of its own.
  void note_the_end_of(const std::string& client);
  void record_afterwards();

  void make_clients();
  [[nodiscard]] Member& member(const std::string& client);
  [[nodiscard]] Client& client_with(const std::string& handler);
  [[nodiscard]] bool holds(const Condition& condition, const Record& record);
  [[nodiscard]] bool all_synced(const std::string& of);
  [[nodiscard]] runtime::TimePoint deadline() const { return began_ + options_.within; }

  runtime::Runtime& runtime_;
  StoryOptions options_;
  runtime::TimePoint began_;
  std::shared_ptr<StoryStage> stage_;
  std::map<std::string, Member> members_;
  std::set<std::string> not_chosen_;            // faults that the schedule has left out
  std::shared_ptr<SyncMoments> moments_;        // null unless a transcript is kept
  std::map<std::string, runtime::Task> ended_;  // who waits for the end of a client
  std::map<std::string, runtime::TimePoint> record_ended_;
  Symbols symbols_;
  Record record_;
  std::vector<FaultRecord> injected_;
  runtime::TimePoint touched_;  // when the script last did something
  bool quiet_ = false;
  bool finished_ = false;
};

}  // namespace watchlab::sim
