#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <type_traits>
#include <vector>

#include "sim/apiserver/api_server.hpp"

namespace watchlab::sim {

struct ControlPlaneOptions {
  /// One API server each. They share the store; each has its own caches and lag.
  std::vector<ApiServerOptions> servers{ApiServerOptions{}};
  /// Created before anything else, in this order.
  std::vector<std::string> namespaces{"default"};
  WritePathOptions writes;
  /// How often the store is compacted, each time at the revision that was current one period
  /// before; zero for never.
  runtime::Duration compaction_period = std::chrono::minutes(5);
};

/// The store and the API servers in front of it: everything in a cluster that a client sees when it
/// lists and watches. A pure state machine: time is a parameter and must not go back; one caller at
/// a time.
class ControlPlane {
 public:
  ControlPlane(ControlPlaneOptions options, runtime::TimePoint now);

  [[nodiscard]] std::size_t server_count() const { return servers_.size(); }
  [[nodiscard]] ApiServer& server(std::size_t number) { return *servers_.at(number); }
  [[nodiscard]] const ObjectStore& store() const { return store_; }
  [[nodiscard]] ResourceTypes& types() { return writes_.types(); }
  void complete_by(WritePath::Completion completion) { writes_.complete_by(std::move(completion)); }
  void check_by(WritePath::Check check) { writes_.check_by(std::move(check)); }
  /// Refuses writes that would make the store larger. Old states are compacted before that.
  void bound_store(std::size_t bytes) { writes_.bound_store(bytes); }

  /// Gives a request that has arrived to one of the servers.
  [[nodiscard]] Response handle(std::size_t server, const Request& request, runtime::TimePoint now);
  /// The next frame of a watch, or how it ended.
  [[nodiscard]] WatchPoll poll(WatchId watch, runtime::TimePoint now);
  /// Runs `body`, which reads or changes the parts behind this interface. Before it, time passes up
  /// to `now`: the store is compacted when that is due, and the servers read from the store as much
  /// as their lag allows. After it, they read what it wrote. Returns what `body` does.
  template <typename Body>
  auto change(runtime::TimePoint now, const Body& body) {
    catch_up(now);
    if constexpr (std::is_void_v<decltype(body())>) {
      body();
      catch_up(now);
    } else {
      auto result = body();
      catch_up(now);
      return result;
    }
  }
  /// The watches of all servers that have something to send, or have ended, since the last call.
  /// They are appended to `woken`.
  void take_woken(std::vector<WatchId>& woken);

  /// Forgets all states older than `revision`: exact lists, continue tokens and watches of uncached
  /// collections break; watches of cached ones do not notice.
  void compact(Revision revision);
  /// The servers do not serve a collection in this version any more: the watches of all its
  /// versions end, as on a real server when a definition changes, and requests are answered with
  /// 404 until the type is defined again. Its objects stay in the store.
  void withdraw(const api::GroupVersionResource& resource);
  /// Puts an earlier state of the store back and restarts the servers: revisions go back.
  void restore(Revision revision);

 private:
  void catch_up(runtime::TimePoint now);
  void compact_when_due(runtime::TimePoint now);
  void make_room(runtime::TimePoint now);

  ControlPlaneOptions options_;
  ObjectStore store_;
  WritePath writes_;
  std::vector<std::unique_ptr<ApiServer>> servers_;
  runtime::TimePoint next_compaction_;
  runtime::TimePoint makes_room_again_;
  Revision compact_next_ = 0;
};

}  // namespace watchlab::sim
