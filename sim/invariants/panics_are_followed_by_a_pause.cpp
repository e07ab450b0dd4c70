#include <fmt/format.h>

#include <chrono>

#include "sim/invariants/properties.hpp"
#include "sim/invariants/reading.hpp"

namespace watchlab::sim::invariants {
namespace {

constexpr runtime::Duration shortest_rest = std::chrono::seconds(1);

}  // namespace

std::optional<std::string> broken_panics_are_followed_by_a_pause(const Record& record) {
  for (const auto& [handler, calls] : calls_by_handler(record)) {
    const CallRecord* before = nullptr;
    for (const CallRecord* call : calls) {
      if (before != nullptr && before->panics && call->at - before->at < shortest_rest) {
        return fmt::format(
            "{} has panicked, and is called again after {} ms", handler.second,
            std::chrono::duration_cast<std::chrono::milliseconds>(call->at - before->at).count());
      }
      before = call;
    }
  }
  return std::nullopt;
}

}  // namespace watchlab::sim::invariants
