#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "core/cache/list_watch.hpp"
#include "core/runtime/runtime.hpp"
#include "core/runtime/stop_token.hpp"
#include "core/runtime/task.hpp"
#include "core/runtime/time.hpp"
#include "exercises/toolkit/mirror.hpp"

namespace watchlab::exercise {

class ClusterServer;
struct ServerAction;

/// What can be done to the server of a cluster, or to its network.
class ClusterActions {
 public:
  void create(const std::string& name);
  /// Gives the object a new state; it must exist.
  void update(const std::string& name);
  void remove(const std::string& name);
  /// Lets something go wrong, by a name of the first table of docs/faults.md: "cut_watch",
  /// "refuse_connections". `times` is how many messages it hits before it is over; 0 for no end but
  /// `heal`. "cut_watch", "close_watch" and "fail_stream" hit the watches that are open at that
  /// moment and none that is opened later, whatever `times` says. For every new watch take
  /// "fail_watch", which answers it with a failure, or "tear_event", which ends it at its next
  /// event. "evict_watch_window" forgets what was written until then: for a 410, inject it after
  /// the write. `answer` is what those faults need that answer for the server: "internal",
  /// "unavailable", "expired", or another one of the list in docs/faults.md.
  void inject(const std::string& fault, int times = 0, const std::string& answer = "");
  /// Takes a fault back.
  void heal(const std::string& fault);

 protected:
  ClusterActions() = default;
  ~ClusterActions() = default;

 private:
  virtual void carry_out(ServerAction deed) = 0;
};

/// The name of the task in which a cluster runs its client.
inline constexpr std::string_view kClientOfCluster = "client";

/// An API server with a collection of ConfigMaps in the namespace default, the network before it,
/// and a client that lists and watches into a mirror. Each action happens at its own instant. All
/// functions must be called by the task that made the cluster. `stop` must be called before it is
/// destroyed.
class Cluster final : public ClusterActions {
 public:
  explicit Cluster(runtime::Runtime& runtime);
  Cluster(const Cluster&) = delete;
  Cluster& operator=(const Cluster&) = delete;
  ~Cluster();

  /// Actions that happen at one instant, before any other task runs: after the function that
  /// requests them has returned, in the order of its requests.
  class Instant final : public ClusterActions {
   private:
    friend class Cluster;
    Instant();
    ~Instant();
    void carry_out(ServerAction deed) override;

    std::vector<ServerAction> deeds_;
  };
  void at_once(const std::function<void(Instant&)>& what);

  /// The source of the client's requests; give it to a reflector, nothing else can use it.
  [[nodiscard]] const std::shared_ptr<cache::ListerWatcher>& source() const { return source_; }
  /// Where the client writes; give it to a reflector.
  [[nodiscard]] Mirror& mirror() { return mirror_; }
  /// Starts a task that runs the client until `stop`: `cluster.start(*reflector)`.
  template <typename Runnable>
  void start(Runnable& client) {
    start_task([&client](const runtime::StopToken& token) { client.run(token); });
  }
  /// Tells the client to stop, and waits until it has ended and the server has noticed that its
  /// watch is closed. That takes a millisecond; the wait for it is limited to a tenth of a second.
  /// Does nothing before `start`.
  void stop();
  /// Lets virtual time pass.
  void wait(runtime::Duration time);

  /// "default/a@3 default/b@4": what the server holds, by key.
  [[nodiscard]] std::string on_server();
  /// The same of the mirror.
  [[nodiscard]] std::string in_mirror() const { return mirror_.contents(); }
  /// How many LIST and WATCH requests were sent so far.
  [[nodiscard]] std::size_t requests();
  /// How many watches are open that the server has accepted. It notices about a millisecond after a
  /// client has closed one.
  [[nodiscard]] std::size_t watches_open();

 private:
  void carry_out(ServerAction deed) override;
  void start_task(std::function<void(const runtime::StopToken&)> run);

  runtime::Runtime& runtime_;
  std::unique_ptr<ClusterServer> server_;
  std::shared_ptr<cache::ListerWatcher> source_;
  Mirror mirror_;
  runtime::StopSource stop_;
  runtime::Task client_;
};

}  // namespace watchlab::exercise
