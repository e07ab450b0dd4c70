#include "sim/faults/close_watch.hpp"

#include "sim/faults/end_watch.hpp"

namespace watchlab::sim {

FaultEntry close_watch() {
  return {.name = "close_watch",
          .numbers = {5, 6},
          .doc = "Ends watches in an orderly way, as a server does whose timeout has come.",
          .scope = FaultScope::Streams,
          .parameters = end_watch_parameters(),
          .make = [](const FaultParameters& given) { return make_end_watch(given, true); }};
}

}  // namespace watchlab::sim
