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
#include "core/features/release_profile.hpp"
#include "core/runtime/runtime.hpp"
#include "core/runtime/task.hpp"
#include "sim/controllers/cluster_controllers.hpp"
#include "sim/network/connection.hpp"
#include "sim/network/server_host.hpp"
#include "sim/story/options.hpp"
#include "sim/story/recorder.hpp"

namespace watchlab::sim {

/// What all clients of a story share: the servers and the recorder. It lives as long as the last
/// task of a client.
struct StoryStage {
  /// `also` sees everything that the recorder sees, and so do the controllers, which `Story` starts
  /// and stops; both may be null.
  StoryStage(runtime::Runtime& runtime_in, ServerHostOptions options,
             Transport transport_in = Transport::Direct,
             std::shared_ptr<ExchangeObserver> also = nullptr,
             std::shared_ptr<ClusterControllers> controllers_in = nullptr)
      : runtime(runtime_in),
        transport(transport_in),
        recorder(std::make_shared<Recorder>(runtime_in)),
        controllers(std::move(controllers_in)),
        host(ServerHost::make(runtime_in, std::move(options),
                              both(recorder, both(std::move(also), controllers)))) {}

  runtime::Runtime& runtime;
  Transport transport;  ///< of all connections
  std::shared_ptr<Recorder> recorder;
  std::shared_ptr<ClusterControllers> controllers;
  std::shared_ptr<ServerHost> host;
  std::map<std::string, std::size_t> moved;  ///< to which replica, by client
  ResourceTypes types;                       ///< the types that the story's server serves
  std::string story;                         ///< its name
  bool real_time = false;                    ///< tasks are threads
  bool validates = false;                    ///< as the story's server says
};

/// A client that lists and watches, and records what it receives; one file per kind. All functions
/// must be called from the story's own task.
class Client {
 public:
  Client() = default;
  Client(const Client&) = delete;
  Client& operator=(const Client&) = delete;
  virtual ~Client() = default;

  /// Call it once.
  virtual void start() = 0;
  /// Asks it to end, which may take a while. May be called before `start`, which then does nothing.
  virtual void stop() = 0;
  /// Kills it at once, wherever it is; it can then be started again. Returns false if the client
  /// cannot crash.
  virtual bool crash() { return false; }
  /// After `stop`: waits until all of its tasks have ended.
  virtual void join() = 0;
  /// Whether all of the first list has been popped.
  [[nodiscard]] virtual bool has_synced() = 0;
  /// The contents of its store, in key order.
  [[nodiscard]] virtual std::vector<api::ObjectPtr> stored() = 0;
  /// The revision that its store reports; "" if it does not report one.
  [[nodiscard]] virtual std::string store_version() { return ""; }
  /// The same, but not an operation that schedules see; "" in real time, too.
  [[nodiscard]] virtual std::string reached() { return ""; }
  /// The label index of its store; most clients have none.
  [[nodiscard]] virtual std::optional<IndexRecord> indexed() { return std::nullopt; }
  /// The same for an index that is added only now; most clients have none.
  [[nodiscard]] virtual std::optional<IndexRecord> indexed_late() { return std::nullopt; }
  /// Adds a handler that starts later, or removes one that is present. Returns false if there is no
  /// such handler, if it was already there, and for all clients except shared informers.
  virtual bool add_handler(const std::string& /*name*/) { return false; }
  virtual bool remove_handler(const std::string& /*name*/) { return false; }
  /// The names of the handlers that are present and have synced; only shared informers have any.
  /// Unlike the other functions, any task may call it.
  [[nodiscard]] virtual std::vector<std::string> synced_handlers() { return {}; }
};

/// The release profile of a client. Fails for an unknown name.
[[nodiscard]] const features::ReleaseProfile& machine_of(const StoryClientOptions& options);

/// Remembers the revision that a store has reached, without a lock: only for tasks that share one
/// thread.
class ReachedRevision : public cache::StoreMetrics {
 public:
  void store_reached(const std::string& resource_version) override { revision_ = resource_version; }
  [[nodiscard]] const std::string& get() const { return revision_; }

 private:
  std::string revision_;
};

/// The common part of all kinds: the stage, their options, and tasks that a stop ends.
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
  /// Null if the store does not report its revision, and in real time.
  std::shared_ptr<ReachedRevision> reached_;
  std::vector<runtime::Task> tasks_;  ///< in the order in which they are joined
};

/// A classic informer with one handler. Runs the controller's own process loop, which also records.
[[nodiscard]] std::shared_ptr<Client> make_informer_client(std::shared_ptr<StoryStage> stage,
                                                           StoryClientOptions options);
/// A shared informer. Its deltas are internal, so none are recorded.
[[nodiscard]] std::shared_ptr<Client> make_shared_client(std::shared_ptr<StoryStage> stage,
                                                         StoryClientOptions options);
/// A shared informer whose only handler puts keys into a work queue. Workers take the keys,
/// reconcile them with the store, and put back what failed.
[[nodiscard]] std::shared_ptr<Client> make_controller_client(std::shared_ptr<StoryStage> stage,
                                                             StoryClientOptions options);
/// The program of the ConfigMap tutorial: a reflector fills a queue, and a hand-written loop pops,
/// prints the types of the deltas, and maintains a store. It ends at the first error.
[[nodiscard]] std::shared_ptr<Client> make_program_client(std::shared_ptr<StoryStage> stage,
                                                          StoryClientOptions options);
/// A reflector that fills a queue of newest states, and workers that pop them.
[[nodiscard]] std::shared_ptr<Client> make_fifo_client(std::shared_ptr<StoryStage> stage,
                                                       StoryClientOptions options);
/// A reflector that fills an indexed store, without a queue, and a task that reads the store now
/// and then.
[[nodiscard]] std::shared_ptr<Client> make_store_client(std::shared_ptr<StoryStage> stage,
                                                        StoryClientOptions options);

/// A program that connects over real HTTP. None of it runs here, and only its requests are known.
[[nodiscard]] std::shared_ptr<Client> make_external_client(std::shared_ptr<StoryStage> stage,
                                                           StoryClientOptions options);

/// A program that the story starts and that runs on its virtual clock. Its requests and notes are
/// recorded.
[[nodiscard]] std::shared_ptr<Client> make_go_client(std::shared_ptr<StoryStage> stage,
                                                     StoryClientOptions options);

/// Keeps a client busy for this time; does nothing if it is zero.
void be_busy(StoryStage& stage, runtime::Duration time);
/// The connection of a client to its replica.
[[nodiscard]] std::shared_ptr<cache::ListerWatcher> connect(
    const std::shared_ptr<StoryStage>& stage, const StoryClientOptions& options);
/// Records all deltas of a pop. `like` says whose they are and how they were popped.
void record_deltas(StoryStage& stage, const cache::PopItem& item, const DeltaRecord& like);
/// An index over the labels of objects, and its contents for a store.
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
