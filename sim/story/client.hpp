#pragma once

#include <cstddef>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/cache/indexer.hpp"
#include "core/cache/list_watch.hpp"
#include "core/cache/queue.hpp"
#include "core/features/machine_profile.hpp"
#include "core/runtime/runtime.hpp"
#include "core/runtime/task.hpp"
#include "sim/network/connection.hpp"
#include "sim/network/server_host.hpp"
#include "sim/story/options.hpp"
#include "sim/story/recorder.hpp"

namespace watchlab::sim {

/// Notifies the first, then the second.
[[nodiscard]] std::shared_ptr<ExchangeObserver> both(std::shared_ptr<ExchangeObserver> first,
                                                     std::shared_ptr<ExchangeObserver> second);

/// What all clients of a story share: the servers and the recorder. Lives as long as the last task
/// of a client.
struct StoryStage {
  /// `also`, which may be null, is notified of what the recorder is notified of.
  StoryStage(runtime::Runtime& runtime_in, ServerHostOptions options,
             Transport transport_in = Transport::Direct,
             std::shared_ptr<ExchangeObserver> also = nullptr)
      : runtime(runtime_in),
        transport(transport_in),
        recorder(std::make_shared<Recorder>(runtime_in)),
        host(ServerHost::make(runtime_in, std::move(options),
                              also != nullptr ? both(recorder, std::move(also)) : recorder)) {}

  runtime::Runtime& runtime;
  Transport transport;  ///< of all connections
  std::shared_ptr<Recorder> recorder;
  std::shared_ptr<ServerHost> host;
  std::map<std::string, std::size_t> moved;  ///< to which replica, by client
  ResourceTypes types;                       ///< that the story's server serves
  std::string story;                         ///< its name
  bool real_time = false;                    ///< tasks are threads
};

/// Lists and watches, and records what it receives: one file a kind. Every function belongs to the
/// story's own task.
class Client {
 public:
  Client() = default;
  Client(const Client&) = delete;
  Client& operator=(const Client&) = delete;
  virtual ~Client() = default;

  /// To be called once.
  virtual void start() = 0;
  /// Asks it to end; it may continue for a while. Also before `start`, which does nothing then.
  virtual void stop() = 0;
  /// Ends it at once, wherever it is; it can be started again then. False for what cannot crash.
  virtual bool crash() { return false; }
  /// Waits until all its tasks have ended, once it was stopped.
  virtual void join() = 0;
  /// Whether everything of the first list was popped.
  [[nodiscard]] virtual bool has_synced() = 0;
  /// What its store holds, in key order.
  [[nodiscard]] virtual std::vector<api::ObjectPtr> stored() = 0;
  /// Which revision its store says that it has come to; "" where it does not say.
  [[nodiscard]] virtual std::string store_version() { return ""; }
  /// The same without an operation that schedules know; "" in real time, too.
  [[nodiscard]] virtual std::string reached() { return ""; }
  /// The index over labels that its store has; none for most.
  [[nodiscard]] virtual std::optional<IndexRecord> indexed() { return std::nullopt; }
  /// The same of an index that is added just now; none for most.
  [[nodiscard]] virtual std::optional<IndexRecord> indexed_late() { return std::nullopt; }
  /// Adds a handler that starts later, or removes one that is there. False when there is no such
  /// handler, or it was there before: always so but for shared informers.
  virtual bool add_handler(const std::string& /*name*/) { return false; }
  virtual bool remove_handler(const std::string& /*name*/) { return false; }
  /// The handlers that are there and have synced, by name; none but for shared informers. Unlike
  /// the rest it may be asked by a task of its own.
  [[nodiscard]] virtual std::vector<std::string> synced_handlers() { return {}; }
};

/// The machine that a client is. Fails for a name of none.
[[nodiscard]] const features::MachineProfile& machine_of(const StoryClientOptions& options);

/// Remembers the revision that a store has come to, without a lock: where all tasks are of one
/// thread.
class ReachedRevision : public cache::StoreMetrics {
 public:
  void store_reached(const std::string& resource_version) override { revision_ = resource_version; }
  [[nodiscard]] const std::string& get() const { return revision_; }

 private:
  std::string revision_;
};

/// What all kinds have in common: the stage, their options, and tasks that a stop ends.
class ClientOfTasks : public Client {
 public:
  void stop() override { stop_.stop(); }
  std::string reached() override { return reached_ ? reached_->get() : ""; }
  void join() override {
    for (const runtime::Task& task : tasks_) {
      task.join();
    }
  }

 protected:
  ClientOfTasks(std::shared_ptr<StoryStage> stage, StoryClientOptions options)
      : stage_(std::move(stage)),
        options_(std::move(options)),
        stop_(stage_->runtime),
        reached_(machine_of(options_).atomic && !stage_->real_time
                     ? std::make_shared<ReachedRevision>()
                     : nullptr) {}

  std::shared_ptr<StoryStage> stage_;
  StoryClientOptions options_;
  runtime::StopSource stop_;
  /// Null where the store does not say its revision, and in real time.
  std::shared_ptr<ReachedRevision> reached_;
  std::vector<runtime::Task> tasks_;  ///< in the order in which they are waited for
};

/// A classic informer with one handler: the controller's own process loop, which also records.
[[nodiscard]] std::shared_ptr<Client> make_informer_client(std::shared_ptr<StoryStage> stage,
                                                           StoryClientOptions options);
/// A shared informer; its deltas are its own affair, so none are recorded.
[[nodiscard]] std::shared_ptr<Client> make_shared_client(std::shared_ptr<StoryStage> stage,
                                                         StoryClientOptions options);
/// A shared informer whose one handler puts keys into a work queue, and workers that take them out,
/// reconcile them with what the store shows, and put back what failed.
[[nodiscard]] std::shared_ptr<Client> make_controller_client(std::shared_ptr<StoryStage> stage,
                                                             StoryClientOptions options);
/// The program of the ConfigMap tutorial: a reflector fills a queue, and a loop of its own pops,
/// prints the types of the deltas, and keeps a store. It ends at the first error.
[[nodiscard]] std::shared_ptr<Client> make_program_client(std::shared_ptr<StoryStage> stage,
                                                          StoryClientOptions options);
/// A reflector that fills a queue of newest states, and workers that pop them.
[[nodiscard]] std::shared_ptr<Client> make_fifo_client(std::shared_ptr<StoryStage> stage,
                                                       StoryClientOptions options);
/// A reflector that fills a store with an index, without any queue, and a task that looks into the
/// store now and then.
[[nodiscard]] std::shared_ptr<Client> make_store_client(std::shared_ptr<StoryStage> stage,
                                                        StoryClientOptions options);

/// A program that comes over real HTTP: nothing of it runs here, and its requests are all that is
/// known of it.
[[nodiscard]] std::shared_ptr<Client> make_external_client(std::shared_ptr<StoryStage> stage,
                                                           StoryClientOptions options);

/// A program that the story starts, and that lives on its clock; its requests and what it says are
/// recorded.
[[nodiscard]] std::shared_ptr<Client> make_go_client(std::shared_ptr<StoryStage> stage,
                                                     StoryClientOptions options);

/// Lets a client be busy for that time; nothing when it is zero.
void be_busy(StoryStage& stage, runtime::Duration time);
/// The connection of a client to the replica that it talks to.
[[nodiscard]] std::shared_ptr<cache::ListerWatcher> connect(
    const std::shared_ptr<StoryStage>& stage, const StoryClientOptions& options);
/// Writes down all deltas of a pop; `like` says whose they are, and how they were popped.
void record_deltas(StoryStage& stage, const cache::PopItem& item, const DeltaRecord& like);
/// An index over the labels of objects, and what it says of a store's.
[[nodiscard]] cache::Indexers index_by_labels();
[[nodiscard]] IndexRecord labels_indexed_by(const cache::Indexer& store,
                                            const std::string& index = "labels");
/// The objects of a store, in key order.
[[nodiscard]] std::vector<api::ObjectPtr> in_key_order(std::vector<api::ObjectPtr> objects);

/// Finds out when clients and their handlers have synced, for a transcript: after each thing that
/// is recorded, once everything that was due at that instant is over, it asks those who have not.
/// Each client is asked by a task of its own, as an answer may have to wait for the client's lock.
class SyncMoments : public std::enable_shared_from_this<SyncMoments> {
 public:
  using Clients = std::vector<std::pair<std::string, std::shared_ptr<Client>>>;

  SyncMoments(std::shared_ptr<StoryStage> stage, Clients clients);

  /// To be called once; it looks until the record is closed.
  void start();
  /// Waits until it has ended, and writes what it found into the record.
  void finish(Record& record);

 private:
  using Named = Clients::value_type;

  void look(const Named& named);
  void ask(const Named& named, runtime::TimePoint instant);

  std::shared_ptr<StoryStage> stage_;
  Clients clients_;
  std::map<std::string, runtime::TimePoint> synced_;  // by client
  std::map<std::pair<std::string, std::string>, runtime::TimePoint> handlers_;
  std::vector<runtime::Task> tasks_;
};

}  // namespace watchlab::sim
