#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "core/api/object.hpp"
#include "core/runtime/runtime.hpp"

namespace watchlab::exercise {

/// An answer to a list. `version` is the server's at that moment, whatever the objects' are.
struct List {
  bool ok = false;  ///< if not, nothing else counts
  std::string version{};
  std::vector<api::ObjectPtr> objects{};
};

enum class EventType : std::uint8_t { Added, Modified, Deleted, Bookmark, Gone, Failed, Ended };

/// What a watch has to say. Added, Modified and Deleted come with the object, whose
/// `metadata.resource_version` is the version of the change, of a deletion too. A Bookmark is an
/// empty object with a version: until there this watch has reported everything. The last three have
/// no object and end the watch: the server no longer knows what came after the version that the
/// watch began at (Gone, the 410 of HTTP); something went wrong (Failed); the watch has lasted long
/// enough (Ended).
struct Event {
  EventType type = EventType::Ended;
  api::ObjectPtr object{};
};

/// A watch that was opened.
class Watch {
 public:
  Watch() = default;
  Watch(const Watch&) = delete;
  Watch& operator=(const Watch&) = delete;
  virtual ~Watch() = default;

  /// Waits for the next event. After the one that ends the watch, and after `stop`, it does not
  /// wait and gives an Ended.
  [[nodiscard]] virtual Event next() = 0;
  /// Ends the watch: a task that waits for an event gets an Ended. Any task may call it, and again.
  /// A watch that is dropped and not stopped stays open on the server, also after it has ended.
  virtual void stop() = 0;
};

/// The API server, as its client sees it. A request takes some time; at most a tenth of a second.
class Server {
 public:
  Server() = default;
  Server(const Server&) = delete;
  Server& operator=(const Server&) = delete;
  virtual ~Server() = default;

  /// What there is: with "" as the server has it now; with a version, as a replica has it, if that
  /// has reached the version, else the answer is not ok; with "0" as a replica has it, however old.
  [[nodiscard]] virtual List list(const std::string& version) = 0;
  /// What changes after the version, from then on. With "0" or "" it begins with an Added of each
  /// object that there is. A watch that is refused has one event: Gone or Failed.
  [[nodiscard]] virtual std::unique_ptr<Watch> watch(const std::string& version) = 0;
};

/// What the reflector fills.
class Store {
 public:
  Store() = default;
  Store(const Store&) = delete;
  Store& operator=(const Store&) = delete;
  virtual ~Store() = default;

  /// Adds the object, or replaces its state.
  virtual void put(const api::ObjectPtr& object) = 0;
  virtual void remove(const api::ObjectPtr& object) = 0;
  /// Exactly these objects remain.
  virtual void replace(const std::vector<api::ObjectPtr>& objects) = 0;
};

/// Keeps a store like the server. Written by you. Versions are texts that are compared with
/// nothing. The promises:
///
/// - **L1** It lists, `replace`s what the store has by the list, and then watches. While a watch is
///   open, each change is put into the store, or removed from it, within a second, in order.
/// - **L2** Each watch begins at the last version that it knows: that of the list, of an event or
///   of a bookmark. So no change is lost, none reaches the store twice, and the store never goes
///   back to an older state (C1). A bookmark changes nothing in the store.
/// - **L3** A watch that ends, breaks or is refused is followed by another watch, without a list.
///   After a Gone it lists, and for no other reason. What was deleted meanwhile disappears then
///   (C4).
/// - **L4** A list that is not ok changes nothing. Whatever goes wrong, it tries again: the store
///   is like the server within a minute after all works, also while replicas lag behind (C3).
/// - **L5** It spares the server: at most thirty requests in any ten seconds.
/// - **L6** It stops each watch that it has opened, and before it opens the next one (C14).
/// - **L7** After `stop`, `run` returns within a second, whatever it is doing, and then no watch is
///   open and the store is left alone. Any task may call `stop`, also before `run`, and again.
class Reflector {
 public:
  Reflector() = default;
  Reflector(const Reflector&) = delete;
  Reflector& operator=(const Reflector&) = delete;
  virtual ~Reflector() = default;

  /// Keeps the store like the server until it is stopped. One task calls it, once.
  virtual void run() = 0;
  virtual void stop() = 0;
};

/// A reflector of yours. Server and store outlive it.
[[nodiscard]] std::unique_ptr<Reflector> make_reflector(runtime::Runtime& runtime, Server& server,
                                                        Store& store);

}  // namespace watchlab::exercise
