#include "sim/faults/split_bytes.hpp"

#include "sim/faults/byte_fault.hpp"

namespace watchlab::sim {

FaultEntry split_bytes() {
  return {.name = "split_bytes",
          .numbers = {3, 9, 13},
          .doc = "Messages come in small pieces, with pauses between them: a slow body.",
          .wire_only = true,
          .parameters = {what_parameter("events"),
                         {"piece", ParameterKind::Integer, std::int64_t{1},
                          "How many bytes come at a time."},
                         {"pause", ParameterKind::Duration, runtime::Duration{},
                          "How long nothing comes between them; no time if left out."}},
          .make = [](const FaultParameters& given) -> std::unique_ptr<Fault> {
            const auto piece = static_cast<std::size_t>(given.integer("piece"));
            const runtime::Duration pause = given.duration("pause");
            return make_byte_fault(stage_in(given), [piece, pause](WireMessage& message) {
              message.piece = piece;
              message.pause = pause;
            });
          }};
}

}  // namespace watchlab::sim
