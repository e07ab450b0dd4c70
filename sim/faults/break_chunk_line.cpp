#include "sim/faults/break_chunk_line.hpp"

#include "sim/faults/byte_fault.hpp"

namespace watchlab::sim {

FaultEntry break_chunk_line() {
  return {.name = "break_chunk_line",
          .numbers = {69},
          .doc = "The size of a chunk is no number.",
          .legality = Legality::Illegal,
          .wire_only = true,
          .parameters = {},
          .make = [](const FaultParameters& /*given*/) -> std::unique_ptr<Fault> {
            return make_byte_fault(Stage::Frame,
                                   [](WireMessage& message) { message.framing = "one\r\n"; });
          }};
}

}  // namespace watchlab::sim
