#include "sim/faults/join_events.hpp"

#include "sim/faults/byte_fault.hpp"

namespace watchlab::sim {

FaultEntry join_events() {
  return {
      .name = "join_events",
      .numbers = {10, 17},
      .doc = "An event waits for the next one and leaves in one piece with it.",
      .wire_only = true,
      .parameters = {{"linger", ParameterKind::Duration, runtime::Duration(std::chrono::seconds(1)),
                      "How long it waits at most."}},
      .make = [](const FaultParameters& given) -> std::unique_ptr<Fault> {
        const runtime::Duration linger = given.duration("linger");
        return make_byte_fault(Stage::Frame,
                               [linger](WireMessage& message) { message.linger = linger; });
      }};
}

}  // namespace watchlab::sim
