#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sim/story/options.hpp"

namespace watchlab::sim {

class Client;
struct StoryStage;

/// How many handlers a client can have.
enum class HandlerCount : std::uint8_t {
  None,
  One,
  AnyNumber,  ///< which may come and go while the client runs
};

/// A kind of client: what a scenario may ask of it, and what a story records besides its requests.
/// Only this row and the client's own source know how the kinds differ.
struct ClientTraits {
  std::string_view name;   ///< in scenarios
  std::string_view title;  ///< for people
  /// How many tasks it has at most at a time, beside those of its workers and two for each handler
  /// of any number: its own, the reflector's with a list or a watch, that of the resync, and one
  /// that comes to its end while the next begins.
  std::size_t tasks = 0;
  HandlerCount handlers = HandlerCount::None;
  bool pauses = false;           ///< after each pop, or between two reads of its store
  bool has_work_queue = false;   ///< with workers that reconcile keys
  bool has_workers = false;      ///< any number of them
  bool can_fail = false;         ///< on a key, which is then retried
  bool reads_its_store = false;  ///< and can refuse a list
  bool keeps_deltas = false;     ///< the deltas that it pops are recorded
  bool keeps_store = true;       ///< one that outlives the pops
  bool ends_by_itself = false;   ///< at an error
  bool external = false;         ///< another program: its store and handlers are not known
  bool in_lockstep = false;      ///< that program runs on the story's clock, and can write notes
  std::shared_ptr<Client> (*make)(std::shared_ptr<StoryStage>, StoryClientOptions) = nullptr;
};

/// All of them, in the order of `ClientKind`.
[[nodiscard]] std::span<const ClientTraits> client_kinds();
[[nodiscard]] const ClientTraits& traits_of(ClientKind kind);
/// The controllers that a story's world has: those that it names, else all if a client is external,
/// else none.
[[nodiscard]] std::vector<std::string> controllers_in(const StoryServerOptions& server,
                                                      std::span<const StoryClientOptions> clients);
/// The kind with this name; an informer if there is none.
[[nodiscard]] ClientKind client_kind_named(std::string_view name);

}  // namespace watchlab::sim
