#include "sim/story/client_kinds.hpp"

#include <algorithm>
#include <array>
#include <cstddef>

#include "sim/controllers/controller_catalogue.hpp"
#include "sim/story/client.hpp"

namespace watchlab::sim {
namespace {

constexpr std::array<ClientTraits, 8> kKinds{{
    {.name = "informer",
     .title = "informer",
     .tasks = 6,
     .handlers = HandlerCount::One,
     .can_fail = true,
     .keeps_deltas = true,
     .make = make_informer_client},
    {.name = "shared",
     .title = "shared informer",
     .tasks = 7,
     .handlers = HandlerCount::AnyNumber,
     .make = make_shared_client},
    {.name = "program",
     .title = "program",
     .tasks = 5,
     .pauses = true,
     .keeps_deltas = true,
     .ends_by_itself = true,
     .make = make_program_client},
    {.name = "controller",
     .title = "controller",
     .tasks = 10,
     .has_work_queue = true,
     .has_workers = true,
     .can_fail = true,
     .make = make_controller_client},
    {.name = "fifo",
     .title = "fifo",
     .tasks = 4,
     .pauses = true,
     .has_workers = true,
     .can_fail = true,
     .keeps_store = false,
     .make = make_fifo_client},
    {.name = "store",
     .title = "store",
     .tasks = 5,
     .pauses = true,
     .reads_its_store = true,
     .make = make_store_client},
    {.name = "external",
     .title = "external client",
     .keeps_store = false,
     .external = true,
     .make = make_external_client},
    {.name = "go",
     .title = "program in Go",
     .keeps_store = false,
     .ends_by_itself = true,
     .external = true,
     .in_lockstep = true,
     .make = make_go_client},
}};

/// Nothing of it is here: it is asked nothing, and says nothing.
class ExternalClient final : public Client {
 public:
  void start() override {}
  void stop() override {}
  void join() override {}
  [[nodiscard]] bool has_synced() override { return true; }
  [[nodiscard]] std::vector<api::ObjectPtr> stored() override { return {}; }
};

}  // namespace

std::shared_ptr<Client> make_external_client(std::shared_ptr<StoryStage> /*stage*/,
                                             StoryClientOptions /*options*/) {
  return std::make_shared<ExternalClient>();
}

std::span<const ClientTraits> client_kinds() { return kKinds; }

const ClientTraits& traits_of(ClientKind kind) { return kKinds.at(static_cast<std::size_t>(kind)); }

std::vector<std::string> controllers_in(const StoryServerOptions& server,
                                        std::span<const StoryClientOptions> clients) {
  const bool has_program = std::ranges::any_of(
      clients, [](const StoryClientOptions& client) { return traits_of(client.kind).external; });
  return server.controllers.value_or(has_program ? controller_names() : std::vector<std::string>());
}

ClientKind client_kind_named(std::string_view name) {
  const auto* const found = std::ranges::find(kKinds, name, &ClientTraits::name);
  return found == kKinds.end() ? ClientKind::Informer
                               : static_cast<ClientKind>(found - kKinds.begin());
}

}  // namespace watchlab::sim
