#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "scenarios/report/page_events.hpp"
#include "scenarios/report/seen_run.hpp"

namespace watchlab::scenarios {

/// One state of one object, on its way to one client.
struct ObjectState {
  std::string client;   ///< "" for that of the server
  std::size_t key = 0;  ///< a number of the page
  std::string revision;

  auto operator<=>(const ObjectState&) const = default;
};

/// The states of objects that an event is about, by what it changes. `before` is the page's state
/// before it. A list has none: it carries all.
[[nodiscard]] std::vector<ObjectState> states_in(const PageEvent& event,
                                                 const boost::json::object& before);

/// Numbers that say how a run goes: how long a queue is, how far a cache is behind.
class Counters {
 public:
  /// By the name of a counter: its value, of the servers or of a client.
  struct Value {
    std::string component;  ///< "server" or a client
    std::string name;
    std::int64_t value = 0;
  };

  Counters(const Scenario& scenario, const SeenRun& seen, const boost::json::array& keys);

  /// The counters that an event may have changed. `state` is the page's state behind it.
  [[nodiscard]] std::vector<Value> after(const PageEvent& event, const boost::json::object& state);

 private:
  /// A write, as one client is to learn of it.
  struct Written {
    std::string revision;
    bool is_there = false;  ///< the object exists, and the client's selectors ask for it
  };
  struct Watching {
    std::string name;
    std::string resource;
    std::map<std::size_t, std::vector<Written>> writes{};  ///< by key
    std::map<std::size_t, std::int64_t> behind{};          ///< by key
    std::int64_t sum = 0;                                  ///< of these
  };

  void count_client(Watching& client, const Patch& patch, const boost::json::object& state,
                    std::vector<Value>& values) const;
  /// Counts anew how far a client is behind with a key, in the state after an event.
  void recount(Watching& client, std::size_t key, const boost::json::object& state) const;
  void learn(const boost::json::array& entry, std::size_t number);
  [[nodiscard]] bool is_for(const std::string& client, std::size_t number, std::size_t key) const;
  /// How many states of the key the cache has not come to: those behind the one that it holds.
  [[nodiscard]] static std::int64_t behind(const std::vector<Written>& writes,
                                           std::string_view cached);

  const Scenario& scenario_;
  const SeenRun& seen_;
  std::vector<std::string> keys_;
  std::vector<Watching> clients_;
  std::size_t written_ = 0;
};

}  // namespace watchlab::scenarios
