#include "sim/faults/tear_bytes.hpp"

#include "sim/faults/byte_fault.hpp"

namespace watchlab::sim {

FaultEntry tear_bytes() {
  return {.name = "tear_bytes",
          .numbers = {4, 7, 8},
          .doc =
              "The connection ends after some bytes of a message: in a chunk's size, in an event, "
              "anywhere.",
          .wire_only = true,
          .parameters = {what_parameter("events"),
                         {"keep", ParameterKind::Integer, std::int64_t{1},
                          "How many of its bytes still come."},
                         {"reset", ParameterKind::Boolean, false,
                          "Whether the connection breaks instead of being closed."}},
          .make = [](const FaultParameters& given) -> std::unique_ptr<Fault> {
            const auto keep = static_cast<std::size_t>(given.integer("keep"));
            const bool reset = given.boolean("reset");
            return make_byte_fault(stage_in(given), [keep, reset](WireMessage& message) {
              message.cut_to(keep);
              message.after = reset ? WireMessage::After::Cut : WireMessage::After::Finished;
            });
          }};
}

}  // namespace watchlab::sim
