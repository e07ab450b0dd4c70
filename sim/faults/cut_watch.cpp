#include "sim/faults/cut_watch.hpp"

#include "sim/faults/end_watch.hpp"

namespace watchlab::sim {

FaultEntry cut_watch() {
  return {.name = "cut_watch",
          .numbers = {4, 7, 14},
          .doc = "Breaks the connections of watches, as a load balancer does after its idle time.",
          .scope = FaultScope::Streams,
          .parameters = end_watch_parameters(),
          .make = [](const FaultParameters& given) { return make_end_watch(given, false); }};
}

}  // namespace watchlab::sim
