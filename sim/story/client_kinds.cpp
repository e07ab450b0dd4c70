#include "sim/story/client_kinds.hpp"

#include <algorithm>
#include <array>
#include <cstddef>

#include "sim/story/client.hpp"

namespace watchlab::sim {
namespace {

constexpr std::array<ClientTraits, 6> kKinds{{
    {.name = "informer",
     .handlers = HandlerCount::One,
     .can_fail = true,
     .keeps_deltas = true,
     .make = make_informer_client},
    {.name = "shared", .handlers = HandlerCount::AnyNumber, .make = make_shared_client},
    {.name = "program",
     .pauses = true,
     .keeps_deltas = true,
     .ends_by_itself = true,
     .make = make_program_client},
    {.name = "controller",
     .has_work_queue = true,
     .has_workers = true,
     .can_fail = true,
     .make = make_controller_client},
    {.name = "fifo",
     .pauses = true,
     .has_workers = true,
     .can_fail = true,
     .keeps_store = false,
     .make = make_fifo_client},
    {.name = "store", .pauses = true, .reads_its_store = true, .make = make_store_client},
}};

}  // namespace

std::span<const ClientTraits> client_kinds() { return kKinds; }

const ClientTraits& traits_of(ClientKind kind) { return kKinds.at(static_cast<std::size_t>(kind)); }

ClientKind client_kind_named(std::string_view name) {
  const auto* const found = std::ranges::find(kKinds, name, &ClientTraits::name);
  return found == kKinds.end() ? ClientKind::Informer
                               : static_cast<ClientKind>(found - kKinds.begin());
}

}  // namespace watchlab::sim
