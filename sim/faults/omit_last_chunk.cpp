#include "sim/faults/omit_last_chunk.hpp"

#include "sim/faults/byte_fault.hpp"

namespace watchlab::sim {

FaultEntry omit_last_chunk() {
  return {
      .name = "omit_last_chunk",
      .numbers = {4, 6},
      .doc = "A watch that the server ends lacks its last chunk: the connection is just closed.",
      .wire_only = true,
      .parameters = {},
      .make = [](const FaultParameters& /*given*/) -> std::unique_ptr<Fault> {
        return make_byte_fault(Stage::End, [](WireMessage& message) { message.trailer.clear(); });
      }};
}

}  // namespace watchlab::sim
