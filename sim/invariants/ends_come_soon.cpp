#include <fmt/format.h>

#include <algorithm>
#include <chrono>

#include "sim/invariants/properties.hpp"
#include "sim/invariants/reading.hpp"

namespace watchlab::sim::invariants {
namespace {

constexpr runtime::Duration patience = std::chrono::seconds(10);

}  // namespace

std::optional<std::string> broken_ends_come_soon(const Record& record) {
  runtime::Duration slowest{0};
  for (const ClientRecord& client : record.clients) {
    slowest = std::max(slowest, client.slowest);
  }
  // What is queued is still processed: at most what was ever written, a few times over.
  const auto queued = static_cast<std::int64_t>(record.writes.size() + record.calls.size() + 1);
  if (record.ending > patience + slowest * queued) {
    return fmt::format("the clients have needed {:.1f} s to end",
                       std::chrono::duration<double>(record.ending).count());
  }
  return std::nullopt;
}

}  // namespace watchlab::sim::invariants
