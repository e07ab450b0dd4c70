#include "sim/faults/empty_list.hpp"

#include "sim/faults/list_fault.hpp"

namespace watchlab::sim {

FaultEntry empty_list() {
  return {.name = "empty_list",
          .numbers = {49},
          .doc = "Lists come without their items: the client believes that nothing is left.",
          .legality = Legality::Illegal,
          .parameters = {},
          .make = [](const FaultParameters&) {
            return list_fault([](api::ObjectList& list) {
              list.items.clear();
              list.continue_token.clear();
              list.remaining_item_count.reset();
            });
          }};
}

}  // namespace watchlab::sim
