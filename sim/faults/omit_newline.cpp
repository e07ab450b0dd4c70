#include "sim/faults/omit_newline.hpp"

#include <fmt/format.h>

#include "sim/faults/byte_fault.hpp"

namespace watchlab::sim {

FaultEntry omit_newline() {
  return {.name = "omit_newline",
          .numbers = {11},
          .doc = "No line feed follows an event; the frames stand close together.",
          .wire_only = true,
          .parameters = {},
          .make = [](const FaultParameters& /*given*/) -> std::unique_ptr<Fault> {
            return make_byte_fault(Stage::Frame, [](WireMessage& message) {
              message.payload.pop_back();
              message.framing = fmt::format("{:x}\r\n", message.payload.size());
            });
          }};
}

}  // namespace watchlab::sim
