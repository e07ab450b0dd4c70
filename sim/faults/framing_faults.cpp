#include <fmt/format.h>

#include <algorithm>

#include "sim/faults/fault_catalogue.hpp"
#include "sim/faults/fault_effects.hpp"

// Only the wire transport has frames: on the direct one these faults do nothing.

namespace watchlab::sim {

namespace {

std::unique_ptr<Fault> break_chunk_line(const FaultParameters& /*given*/) {
  return distort_at(Stage::Frame, [](WireMessage& message) { message.framing = "one\r\n"; });
}

std::unique_ptr<Fault> interim_response(const FaultParameters& /*given*/) {
  return distort_at(Stage::Answer, [](WireMessage& message) {
    message.framing.insert(0, "HTTP/1.1 100 Continue\r\n\r\n");
  });
}

std::unique_ptr<Fault> omit_last_chunk(const FaultParameters& /*given*/) {
  return distort_at(Stage::End, [](WireMessage& message) { message.trailer.clear(); });
}

std::unique_ptr<Fault> omit_newline(const FaultParameters& /*given*/) {
  return distort_at(Stage::Frame, [](WireMessage& message) {
    message.payload.pop_back();
    message.framing = fmt::format("{:x}\r\n", message.payload.size());
  });
}

void change_length(std::string& head, std::size_t length) {
  constexpr std::string_view kField = "Content-Length: ";
  const std::size_t field = head.find(kField);
  if (field != std::string::npos) {
    const std::size_t value = field + kField.size();
    head.replace(value, head.find('\r', value) - value, std::to_string(length));
  }
}

std::unique_ptr<Fault> wrong_content_length(const FaultParameters& given) {
  const auto by = static_cast<std::size_t>(given.integer("by"));
  const bool shorter = given.boolean("shorter");
  return distort_at(Stage::Answer, [by, shorter](WireMessage& message) {
    const std::size_t length = message.payload.size();
    const std::size_t less = length - std::min(by, length);
    change_length(message.framing, shorter ? less : length + by);
  });
}

}  // namespace

std::vector<FaultEntry> framing_faults() {
  return {
      {.name = "break_chunk_line",
       .numbers = {69},
       .doc = "The size of a chunk is not a number.",
       .legality = Legality::Illegal,
       .wire_only = true,
       .make = break_chunk_line},
      {.name = "interim_response",
       .numbers = {68},
       .doc = "An unrequested \"100 Continue\" comes before the answer.",
       .wire_only = true,
       .make = interim_response},
      {.name = "omit_last_chunk",
       .numbers = {4, 6},
       .doc =
           "When the server ends a watch, the last chunk is missing: the connection just closes.",
       .wire_only = true,
       .make = omit_last_chunk},
      {.name = "omit_newline",
       .numbers = {11},
       .doc = "No newline follows an event, so the frames run together.",
       .wire_only = true,
       .make = omit_newline},
      {.name = "wrong_content_length",
       .numbers = {67},
       .doc = "The Content-Length of answers does not match their body.",
       .legality = Legality::Illegal,
       .wire_only = true,
       .parameters = {{"by", ParameterKind::Integer, std::int64_t{1}, "By how many bytes."},
                      {"shorter", ParameterKind::Boolean, false,
                       "Whether it is too small, so that the rest of the body is lost."}},
       .make = wrong_content_length},
  };
}

}  // namespace watchlab::sim
