#include "sim/faults/empty_list_revision.hpp"

#include "sim/faults/list_fault.hpp"

namespace watchlab::sim {

FaultEntry empty_list_revision() {
  return {.name = "empty_list_revision",
          .numbers = {48},
          .doc = "Lists come without a revision.",
          .legality = Legality::Illegal,
          .parameters = {},
          .make = [](const FaultParameters&) {
            return list_fault([](api::ObjectList& list) { list.resource_version.clear(); });
          }};
}

}  // namespace watchlab::sim
