#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string_view>

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

/// A kind of client: what a scenario may ask of it, and what a story records of it beside its
/// requests. Only this row and the client's own source know what sets a kind apart.
struct ClientTraits {
  std::string_view name;   ///< in scenarios
  std::string_view title;  ///< for people
  HandlerCount handlers = HandlerCount::None;
  bool pauses = false;           ///< after each pop, or between two reads of its store
  bool has_work_queue = false;   ///< whose workers reconcile keys
  bool has_workers = false;      ///< any number of them
  bool can_fail = false;         ///< at a key, which is then tried again
  bool reads_its_store = false;  ///< and can refuse a list
  bool keeps_deltas = false;     ///< the deltas that it pops are recorded
  bool keeps_store = true;       ///< that outlives the pops
  bool ends_by_itself = false;   ///< at an error
  bool external = false;         ///< of another program: its store and handlers are not known
  bool in_lockstep = false;      ///< that program lives on the story's clock, and can say notes
  std::shared_ptr<Client> (*make)(std::shared_ptr<StoryStage>, StoryClientOptions) = nullptr;
};

/// All of them, in the order of `ClientKind`.
[[nodiscard]] std::span<const ClientTraits> client_kinds();
[[nodiscard]] const ClientTraits& traits_of(ClientKind kind);
/// The kind of that name; an informer when there is none.
[[nodiscard]] ClientKind client_kind_named(std::string_view name);

}  // namespace watchlab::sim
