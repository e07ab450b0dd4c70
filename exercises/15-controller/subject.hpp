#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/runtime/runtime.hpp"

namespace watchlab::exercise {

/// What a user wants: so many pods. Its key is its name. A set that is deleted and created again
/// has the same name and another id.
struct Set {
  std::string name;
  std::int64_t id = 0;
  std::int64_t wanted = 0;
  std::int64_t reported = 0;  ///< how many pods it has, as the controller has reported it
  std::int64_t version = 0;   ///< moves on with each write, also of `reported`
};

/// A pod of a set. The server gives its name, which is never used twice.
struct Pod {
  std::string name;
  std::string set_name;
  std::int64_t set_id = 0;
  std::int64_t version = 0;  ///< at which it was created; pods do not change
};

enum class Change : std::uint8_t { Added, Updated, Deleted, Gone };

/// What an informer has noticed, of a set or of a pod. Deleted and Gone come with the last state
/// that the cache had; Gone was found out by a list: it was deleted while no watch was open, and
/// whatever happened before that was not noticed.
struct Notice {
  Change change = Change::Added;
  std::optional<Set> set;
  std::optional<Pod> pod;
};

/// Pods that the cache has, and the version up to which it knows what was created and deleted.
struct PodList {
  std::int64_t version = 0;
  std::vector<Pod> pods;
};

/// What informers have stored so far: sets and pods each up to a moment of the past, which may lie
/// twenty seconds back, and not the same one for both. It moves forward alone.
class Cache {
 public:
  Cache() = default;
  Cache(const Cache&) = delete;
  Cache& operator=(const Cache&) = delete;
  virtual ~Cache() = default;

  [[nodiscard]] virtual std::optional<Set> set(const std::string& name) const = 0;
  /// All pods whose `set_name` it is, by name, whatever their `set_id`.
  [[nodiscard]] virtual PodList pods(const std::string& set_name) const = 0;
};

/// Conflict: the set has another version by now. Missing: there is no such set or pod any more.
/// Failed: nothing was done, and it may be tried again later.
enum class Answer : std::uint8_t { Done, Missing, Conflict, Failed };

struct Created {
  Answer answer = Answer::Failed;
  Pod pod;
};

/// The API server. A request takes a hundredth of a second. Only the controller creates pods.
class Server {
 public:
  Server() = default;
  Server(const Server&) = delete;
  Server& operator=(const Server&) = delete;
  virtual ~Server() = default;

  /// The set as it is now: the server is asked, not the cache.
  [[nodiscard]] virtual std::optional<Set> find_set(const std::string& name) = 0;
  /// One more pod for the set of that id.
  [[nodiscard]] virtual Created create_pod(std::int64_t set_id) = 0;
  [[nodiscard]] virtual Answer delete_pod(const std::string& name) = 0;
  /// Writes `reported` of the set, if that has the same id and version still.
  [[nodiscard]] virtual Answer report(const Set& set, std::int64_t reported) = 0;
};

/// Whether a key is to come again after a while, without a notice.
enum class Outcome : std::uint8_t { Done, Retry };

/// Sees to it that each set has its pods. Written by you. The promises:
///
/// - **K1** When nothing else changes any more and requests are answered, each set has as many pods
///   as it wants and has reported them within a minute, and a set that is gone has none (C3,
///   C4, C17). Users and failures may delete pods at any time. Notices tell when to look, not what
///   to do: several may have become one, or were never given.
/// - **K2** It creates no pod too many: none while the server has as many of the set as are wanted,
///   by the set of the cache or by that of the server.
/// - **K3** It deletes no pod too early: none whose set the server has, unless more of that set's
///   pods are known than it wants. Those are known that the cache has, or that it has created and
///   the cache has not yet noticed; what it has deleted is not.
/// - **K4** It writes nothing needlessly: no `report` of what is reported, no request at all when
///   all is as wanted.
/// - **K5** `reconcile` returns within two seconds. It never waits for the cache.
/// - **K6** `keys_for` names the sets to look at after a notice, each of which is then reconciled.
///
/// Two workers call `reconcile`, never with the same key at the same time (C16), and the informers
/// `keys_for` at any time. When it begins, all that there is comes as Added.
class Controller {
 public:
  Controller() = default;
  Controller(const Controller&) = delete;
  Controller& operator=(const Controller&) = delete;
  virtual ~Controller() = default;

  [[nodiscard]] virtual std::vector<std::string> keys_for(const Notice& notice) = 0;
  [[nodiscard]] virtual Outcome reconcile(const std::string& key) = 0;
};

/// A controller of yours, which remembers nothing yet. Cache and server outlive it.
[[nodiscard]] std::unique_ptr<Controller> make_controller(runtime::Runtime& runtime,
                                                          const Cache& cache, Server& server);

}  // namespace watchlab::exercise
