#include "sim/faults/garble_bytes.hpp"

#include "sim/apiserver/stamps.hpp"
#include "sim/faults/byte_fault.hpp"

namespace watchlab::sim {

namespace {

constexpr std::uint64_t kBytesPurpose = 5;
constexpr char kNeverInUtf8 = static_cast<char>(0xFF);

std::string noise(std::size_t length, std::uint64_t seed) {
  std::string bytes(1, kNeverInUtf8);
  while (bytes.size() < length) {
    bytes += static_cast<char>(scrambled(seed, kBytesPurpose, bytes.size()));
  }
  bytes.resize(length);
  return bytes;
}

}  // namespace

FaultEntry garble_bytes() {
  return {.name = "garble_bytes",
          .numbers = {33, 70},
          .doc = "What a message carries is replaced by as many bytes that mean nothing.",
          .legality = Legality::Illegal,
          .wire_only = true,
          .parameters = {what_parameter("events"),
                         {"seed", ParameterKind::Integer, std::int64_t{1}, "Of the bytes."}},
          .make = [](const FaultParameters& given) -> std::unique_ptr<Fault> {
            const auto seed = static_cast<std::uint64_t>(given.integer("seed"));
            const Stage stage = stage_in(given);
            return make_byte_fault(stage, [seed, stage](WireMessage& message) {
              // A request for a list has no body: what is lost is its head.
              std::string& carried = stage == Stage::Request && message.payload.empty()
                                         ? message.framing
                                         : message.payload;
              carried = noise(carried.size(), seed);
            });
          }};
}

}  // namespace watchlab::sim
