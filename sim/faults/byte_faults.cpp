#include <stdexcept>

#include "sim/apiserver/stamps.hpp"
#include "sim/faults/fault_catalogue.hpp"
#include "sim/faults/fault_effects.hpp"

// Only the wire transport has bytes: on the direct one these faults do nothing.

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

FaultParameter what_parameter() {
  return {"what", ParameterKind::Text, "events",
          "Which messages: \"requests\", \"answers\", \"events\" or the \"ends\" of watches."};
}

Stage stage_in(const FaultParameters& parameters) {
  if (const std::optional<Stage> stage = stage_named(parameters.text("what"))) {
    return *stage;
  }
  throw std::invalid_argument(
      "what bytes are changed must be \"requests\", \"answers\", \"events\" or \"ends\"");
}

std::unique_ptr<Fault> garble_bytes(const FaultParameters& given) {
  const auto seed = static_cast<std::uint64_t>(given.integer("seed"));
  const Stage stage = stage_in(given);
  return distort_at(stage, [seed, stage](WireMessage& message) {
    // A request for a list has no body: what is lost is its head.
    std::string& carried =
        stage == Stage::Request && message.payload.empty() ? message.framing : message.payload;
    carried = noise(carried.size(), seed);
  });
}

std::unique_ptr<Fault> join_events(const FaultParameters& given) {
  const runtime::Duration grace_period = given.duration("grace_period");
  return distort_at(Stage::Frame,
                    [grace_period](WireMessage& message) { message.grace_period = grace_period; });
}

std::unique_ptr<Fault> split_bytes(const FaultParameters& given) {
  const auto piece = static_cast<std::size_t>(given.integer("piece"));
  const runtime::Duration pause = given.duration("pause");
  return distort_at(stage_in(given), [piece, pause](WireMessage& message) {
    message.piece = piece;
    message.pause = pause;
  });
}

std::unique_ptr<Fault> tear_bytes(const FaultParameters& given) {
  const auto keep = static_cast<std::size_t>(given.integer("keep"));
  const auto after =
      given.boolean("reset") ? WireMessage::After::Cut : WireMessage::After::Finished;
  return distort_at(stage_in(given), [keep, after](WireMessage& message) {
    message.cut_to(keep);
    message.after = after;
  });
}

}  // namespace

std::vector<FaultEntry> byte_faults() {
  return {
      {.name = "garble_bytes",
       .numbers = {33, 70},
       .doc = "The payload of a message is replaced with the same number of meaningless bytes.",
       .legality = Legality::Illegal,
       .wire_only = true,
       .parameters = {what_parameter(),
                      {"seed", ParameterKind::Integer, std::int64_t{1},
                       "The seed of the random bytes."}},
       .make = garble_bytes},
      {.name = "join_events",
       .numbers = {10, 17},
       .doc = "An event waits for the next one, and both are sent in one piece.",
       .wire_only = true,
       .parameters = {{.name = "grace_period",
                       .kind = ParameterKind::Duration,
                       .standard = runtime::Duration(std::chrono::seconds(1)),
                       .doc = "The longest it waits.",
                       .former = "linger"}},
       .make = join_events},
      {.name = "split_bytes",
       .numbers = {3, 9, 13},
       .doc = "Messages come in small pieces, with pauses between them: a slow body.",
       .wire_only = true,
       .parameters = {what_parameter(),
                      {"piece", ParameterKind::Integer, std::int64_t{1},
                       "How many bytes are sent at a time.", 1},
                      {"pause", ParameterKind::Duration, runtime::Duration{},
                       "How long to pause between pieces; no pause if omitted."}},
       .make = split_bytes},
      {.name = "tear_bytes",
       .numbers = {4, 7, 8},
       .doc = "The connection ends after some bytes of a message: in a chunk size, in an event, "
              "anywhere.",
       .wire_only = true,
       .parameters = {what_parameter(),
                      {"keep", ParameterKind::Integer, std::int64_t{1},
                       "How many bytes of the message still arrive."},
                      {"reset", ParameterKind::Boolean, false,
                       "Whether the connection is reset instead of closed."}},
       .make = tear_bytes},
  };
}

}  // namespace watchlab::sim
