#include "sim/faults/wrong_content_length.hpp"

#include <algorithm>

#include "sim/faults/byte_fault.hpp"

namespace watchlab::sim {

namespace {

void change_length(std::string& head, std::size_t length) {
  constexpr std::string_view kField = "Content-Length: ";
  const std::size_t field = head.find(kField);
  if (field != std::string::npos) {
    const std::size_t value = field + kField.size();
    head.replace(value, head.find('\r', value) - value, std::to_string(length));
  }
}

}  // namespace

FaultEntry wrong_content_length() {
  return {.name = "wrong_content_length",
          .numbers = {67},
          .doc = "Answers promise another length than their body has.",
          .legality = Legality::Illegal,
          .wire_only = true,
          .parameters = {{"by", ParameterKind::Integer, std::int64_t{1}, "By how many bytes."},
                         {"shorter", ParameterKind::Boolean, false,
                          "Whether they promise less than there is, so that the rest is lost."}},
          .make = [](const FaultParameters& given) -> std::unique_ptr<Fault> {
            const auto by = static_cast<std::size_t>(given.integer("by"));
            const bool shorter = given.boolean("shorter");
            return make_byte_fault(Stage::Answer, [by, shorter](WireMessage& message) {
              const std::size_t length = message.payload.size();
              const std::size_t less = length - std::min(by, length);
              change_length(message.framing, shorter ? less : length + by);
            });
          }};
}

}  // namespace watchlab::sim
