#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "sim/apiserver/read_rules.hpp"
#include "sim/apiserver/request.hpp"
#include "sim/apiserver/served_collection.hpp"
#include "sim/apiserver/write_path.hpp"

namespace watchlab::sim {

struct ApiServerOptions {
  std::string name = "server";
  ServerProfile profile;
  WatchWindowOptions window;
  runtime::Duration lag = {};  ///< how late this server learns of writes
  /// Whether a cache learns of revisions of other collections. Otherwise quiet collections keep old
  /// revisions.
  bool progress_notifications = true;
  runtime::Duration bookmark_period = std::chrono::seconds(60);
  /// The shortest lifetime of a watch without timeoutSeconds; the longest is twice that.
  runtime::Duration watch_timeout_min = std::chrono::minutes(30);
  std::size_t watch_queue_max = 100;  ///< live events that may wait for a slow client
  runtime::Duration slow_budget = std::chrono::milliseconds(100);
  std::uint64_t seed = 1;
};

/// The result of polling a watch.
struct WatchPoll {
  std::optional<Frame> frame;                 ///< to be sent now
  WatchEnd ended = WatchEnd::Open;            ///< the stream is over; only set without a frame
  std::optional<runtime::TimePoint> wake_at;  ///< poll again at this time, even if nothing happens
};

/// One API server over the shared store. It answers reads from its watch caches or from the store,
/// as real servers do (docs/apiserver_rules.md G, L and W), runs watches, and passes writes on. A
/// pure state machine: no locks, no tasks, no clock. Time is a parameter and must not go back; one
/// caller at a time. It learns from the store only in `catch_up`, which `ControlPlane` calls around
/// everything else. The store, the types and the write path must outlive it.
class ApiServer {
 public:
  /// `number` distinguishes the servers of one store. The caches start with the store's current
  /// state.
  ApiServer(ObjectStore& store, WritePath& writes, std::size_t number, ApiServerOptions options);

  /// Answers a request that has arrived. `Pending` means that there is no answer yet.
  [[nodiscard]] Response handle(const Request& request, runtime::TimePoint now);
  /// The next frame of a watch, or how it ended. A watch that has ended is forgotten.
  [[nodiscard]] WatchPoll poll(WatchId watch, runtime::TimePoint now);
  /// How many events of a watch could be taken now; 0 for an unknown one.
  [[nodiscard]] std::size_t waiting(WatchId watch);
  /// The client has gone.
  void close(WatchId watch);
  /// Takes in what the store contains, as far as this server's lag allows.
  void catch_up(runtime::TimePoint now);
  /// When `catch_up` will find something new; nothing without a lag.
  [[nodiscard]] std::optional<runtime::TimePoint> next_catch_up() const;
  /// Appends to `woken` the watches that have something to send, or have ended, since the last
  /// call.
  void take_woken(std::vector<WatchId>& woken);

  /// The watch cache window moves on: watches can no longer start before `revision`.
  void expire_below(const ResourceType& type, Revision revision);
  /// The same for all collections.
  void expire_all_below(Revision revision);
  /// Ends all watches and refills all caches from the store, as after a restart.
  void restart();
  /// Stops learning from the store until `resume`; keeps serving what it has.
  void freeze() { frozen_ = true; }
  void resume() { frozen_ = false; }
  /// Starts or ends refilling all caches. Watches end, GET and LIST read from the store until
  /// refilling ends, and the history starts then.
  void set_filling(bool filling) {
    restart();
    filling_ = filling;
  }
  void set_lag(runtime::Duration lag) { options_.lag = lag; }
  void set_progress_notifications(bool notified) {
    options_.progress_notifications = notified;
    settled_ = false;
  }
  /// A version of the collection is no longer served: the watches of all its versions end.
  void withdraw(const ResourceType& type);

  [[nodiscard]] const ApiServerOptions& options() const { return options_; }
  [[nodiscard]] std::size_t watches_open() const { return watched_.size(); }
  /// The current cache of a collection.
  [[nodiscard]] const WatchCache& cache(const ResourceType& type) { return served(type).cache(); }

 private:
  /// An open watch: its collection, and the version that it shows; null when that is no other than
  /// the store's.
  struct Watched {
    ServedCollection* collection = nullptr;
    std::shared_ptr<const ResourceType> version;
  };

  /// The answer with its objects as they are kept.
  Response answer(const ResourceType& type, const Request& request, runtime::TimePoint now);
  Response get(const ResourceType& type, const Request& request, runtime::TimePoint now);
  Response list(const ResourceType& type, const Request& request, runtime::TimePoint now);
  Response watch(const ResourceType& type, const Request& request, runtime::TimePoint now);
  Response read(const ResourceType& type, ServedCollection& served, const ListPlan& plan,
                const Request& request);
  std::optional<Response> wait_for(const ServedCollection& served, Revision needed,
                                   const Request& request, runtime::TimePoint now) const;

  [[nodiscard]] bool is_cached(const ServedCollection& served) const {
    return served.type().cached && !filling_;
  }
  ServedCollection& served(const ResourceType& type);
  void fill(ServedCollection& collection, Revision revision);
  [[nodiscard]] Revision visible(runtime::TimePoint now) const;
  runtime::TimePoint deadline_of(const Request& request, runtime::TimePoint now) const;

  ObjectStore& store_;
  WritePath& writes_;
  ApiServerOptions options_;
  Revision started_at_;
  Revision seen_;               // how much of the log has been processed
  Revision expired_below_ = 0;  // for all collections, including those not used yet
  bool frozen_ = false;
  bool filling_ = false;
  bool settled_ = false;  // all collections know `seen_`
  WatchId next_watch_;
  std::map<api::GroupVersionResource, ServedCollection> collections_;  // as the store calls them
  std::map<WatchId, Watched> watched_;
};

}  // namespace watchlab::sim
