#include "sim/faults/interim_response.hpp"

#include "sim/faults/byte_fault.hpp"

namespace watchlab::sim {

FaultEntry interim_response() {
  return {.name = "interim_response",
          .numbers = {68},
          .doc = "A \"100 Continue\" that nobody asked for comes before the answer.",
          .wire_only = true,
          .parameters = {},
          .make = [](const FaultParameters& /*given*/) -> std::unique_ptr<Fault> {
            return make_byte_fault(Stage::Answer, [](WireMessage& message) {
              message.framing.insert(0, "HTTP/1.1 100 Continue\r\n\r\n");
            });
          }};
}

}  // namespace watchlab::sim
