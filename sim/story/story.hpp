#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "sim/invariants/invariant_catalogue.hpp"
#include "sim/kernel/run_result.hpp"
#include "sim/record/record.hpp"
#include "sim/story/client.hpp"
#include "sim/story/expectation.hpp"
#include "sim/story/options.hpp"
#include "sim/story/pattern.hpp"
#include "sim/story/recorder.hpp"

namespace watchlab::sim {

struct StoryOptions {
  std::string name;  ///< "" for none
  StoryServerOptions server;
  Transport transport = Transport::Direct;  ///< between all clients and servers
  std::vector<StoryClientOptions> clients;
  /// The most virtual time that the story may take.
  runtime::Duration within = std::chrono::hours(1);
  /// How long nothing may happen before the story counts as quiet. Longer than a reflector's
  /// longest pause, which is 60 s.
  runtime::Duration quiet_for = std::chrono::seconds(65);
  /// The invariants of `invariant_catalogue()` that `finish` does not check.
  std::vector<Waiver> waived;
  /// Also record what only a transcript shows. To fix the order of things at the same instant,
  /// events come one by one, and the script waits until an instant is over before it acts on a
  /// client.
  bool transcribe = false;
  /// Called whenever the record grows. It must not perform any operation.
  Recorder::Written written = {};
  /// Let the script wait for writes and single-object requests of simulated clients too. Every
  /// story records these, but waiting for them costs operations.
  bool waits_for_writes = false;
  /// The story runs in real time: `interrupt` can end the script's waits, and no schedule decides
  /// about faults.
  bool real_time = false;
  /// Sees all requests and writes, in addition to the recorder; may be null.
  std::shared_ptr<ExchangeObserver> observer = nullptr;
  /// How many finished requests the server keeps; 0 for all.
  std::size_t exchanges_max = 0;
};

/// The server refused something that the story wanted to do, or the story uses an unknown name: a
/// mistake in the story, not a finding.
class StoryError : public RunMistake {
 public:
  using RunMistake::RunMistake;
};

/// How the message of a `StoryError` starts, after the place of its step, if the server refused a
/// write of the script.
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

  /// What can be done at one instant, before any other task runs. Throws `StoryError` if the server
  /// refuses.
  class Instant {
   public:
    void create(const ObjectSketch& object);
    /// The same for an object with a status that a create of its type ignores.
    void create_with_status(const ObjectSketch& object);
    /// Replaces the labels, annotations, data and body fields that the sketch contains; the rest
    /// stays.
    void update(const ObjectSketch& object);
    void remove(const ObjectSketch& object);
    void patch(const PatchSketch& patch);
    void apply(const ApplySketch& apply);
    void inject(const FaultSketch& fault);
    /// Ends a fault, by the name under which it was injected.
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

  /// One action at one instant.
  void create(const ObjectSketch& object);
  void update(const ObjectSketch& object);
  void remove(const ObjectSketch& object);
  void inject(const FaultSketch& fault);
  void heal(const std::string& name);

  /// Starts a client that starts later. Throws `StoryError` if it has already started.
  void start(const std::string& client);
  /// Asks a client to end, without waiting for it.
  void stop(const std::string& client);
  /// Kills a program, as with SIGKILL; it can be started again. Throws `StoryError` for a client
  /// that is not a program, or that does not run.
  void crash(const std::string& client);
  /// Adds a handler that starts later to its shared informer, or removes one that is present.
  /// Throws `StoryError` if there is none to add or remove.
  void add_handler(const std::string& handler);
  void remove_handler(const std::string& handler);

  /// From now on a client's requests go to another replica; an open watch stays where it is. Throws
  /// `StoryError` if there is no such replica.
  void move(const std::string& client, std::int64_t replica);

  /// After this much time the script stops waiting. Any task may call it; only in real time.
  void interrupt(runtime::Duration after) { stage_->recorder->interrupt(runtime_.now() + after); }
  [[nodiscard]] bool interrupted() { return options_.real_time && stage_->recorder->interrupted(); }
  /// The server of the story, for those who serve it to others.
  [[nodiscard]] const std::shared_ptr<ServerHost>& host() const { return stage_->host; }

  /// For a transcript: waits until everything that is due now is done. Otherwise does nothing.
  void settle();
  void wait(runtime::Duration time);
  /// Waits until this much time has passed since the story started.
  void wait_until(runtime::Duration since_the_beginning);
  /// Waits until this much time has passed since the first request of one of these clients. Returns
  /// false if the story's time runs out first.
  [[nodiscard]] bool wait_since_a_request(const std::set<std::string>& of, runtime::Duration time);
  /// Waits for a condition. Returns false if the story's time runs out first.
  [[nodiscard]] bool wait_for(const Condition& condition);
  /// Waits until the story is quiet. For `quiet_for`, the script did nothing and there was no
  /// request, no change of a watch, no delta and no handler call, except the periodic ones of
  /// resyncs; no client is busy; and nothing is in transit between clients and servers. What still
  /// happens after that happens forever: resyncs, bookmarks, watch timeouts. Returns false if the
  /// story's time runs out first.
  [[nodiscard]] bool run_until_quiet();

  /// Closes the record, stops all clients and waits for them. Then throws `Violation` if an
  /// invariant that was not waived is broken. Idempotent.
  void finish();
  /// The same without checking invariants: for a story that has already failed.
  void abandon();
  /// What is wrong with the record according to the invariants, one message each. Invariants are
  /// about simulated clients. Requests of external clients are not checked; for a program in
  /// lockstep, only the few invariants about its requests are.
  [[nodiscard]] std::vector<std::string> broken_invariants() const;
  /// What was recorded; empty before `finish`.
  [[nodiscard]] const Record& record() const { return record_; }
  [[nodiscard]] const Symbols& symbols() const { return symbols_; }
  /// What is wrong with the record, in a message; nothing if the expectation is met.
  [[nodiscard]] std::optional<std::string> broken(const Expectation& expectation) const;
  /// Throws `Violation` if the expectation is not met.
  void expect(const Expectation& expectation) const;

 private:
  struct Member {
    std::shared_ptr<Client> client;
    bool started = false;
    bool stopped = false;
  };

  void check_waivers() const;
  /// Whether the sender is not one of the story's own clients.
  [[nodiscard]] bool is_foreign(const std::string& client) const;
  /// The script acts, so the story is no longer quiet.
  void touch();
  void record_fault(const FaultSketch& fault, FaultId id);
  void record_clients();
  [[nodiscard]] std::vector<std::string> handlers_of(const StoryClientOptions& client) const;
  void record_streams();
  void end_clients();
  /// For a transcript: waits, in a separate task, for a client that was stopped.
  void note_the_end_of(const std::string& client);
  void record_afterwards();

  /// The story's name for the revision that the server has now.
  void name_revision(ControlPlane& servers);
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
  std::map<std::string, runtime::Task> ended_;  // tasks that wait for the end of a client
  std::map<std::string, runtime::TimePoint> record_ended_;
  Symbols symbols_;
  Record record_;
  std::vector<FaultRecord> injected_;
  runtime::TimePoint touched_;  // when the script last did something
  bool quiet_ = false;
  bool finished_ = false;
};

}  // namespace watchlab::sim
