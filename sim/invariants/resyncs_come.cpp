#include <fmt/format.h>

#include <algorithm>
#include <chrono>

#include "sim/invariants/properties.hpp"
#include "sim/invariants/reading.hpp"

namespace watchlab::sim::invariants {
namespace {

/// A story is quiet for longer than three of the longest period that is looked at.
constexpr runtime::Duration looked_at = std::chrono::seconds(60);
constexpr runtime::Duration longest_period = std::chrono::seconds(20);

bool is_short(runtime::Duration period) {
  return period > runtime::Duration::zero() && period <= longest_period;
}

/// Whether a resync of the key was told since that moment.
bool was_popped(const Record& record, const std::string& client, const std::string& key,
                runtime::TimePoint since) {
  return std::any_of(record.deltas.begin(), record.deltas.end(), [&](const DeltaRecord& delta) {
    return delta.client == client && delta.key == key && delta.at >= since;
  });
}

bool was_told(const Record& record, const HandlerRecord& handler, const std::string& key,
              runtime::TimePoint since) {
  return std::any_of(record.calls.begin(), record.calls.end(), [&](const CallRecord& call) {
    return call.client == handler.client && call.handler == handler.name && call.key == key &&
           call.at >= since;
  });
}

bool has_watched_since(const Record& record, const std::string& client, runtime::TimePoint since) {
  return std::any_of(record.requests.begin(), record.requests.end(), [&](const auto& request) {
    return request.client == client && request.end == "open" && request.at <= since;
  });
}

}  // namespace

std::optional<std::string> broken_resyncs_come(const Record& record) {
  const runtime::TimePoint since = record.closed - looked_at;
  for (const ClientRecord& client : record.clients) {
    const bool is_listening = record.quiet && is_running(record, client) &&
                              is_short(client.resync) &&
                              has_watched_since(record, client.name, since);
    if (!is_listening) {
      continue;
    }
    for (const auto& [key, revision] : stored_by(record, client.name)) {
      if (client.keeps_deltas && !was_popped(record, client.name, key, since)) {
        return fmt::format("{} has asked for resyncs, and {} did not come for long", client.name,
                           words_for_state(key, revision));
      }
      for (const HandlerRecord& handler : record.handlers) {
        const bool has_asked = handler.client == client.name && !handler.left &&
                               handler.joined <= since && is_short(handler.resync);
        if (has_asked && !was_told(record, handler, key, since)) {
          return fmt::format("{} has asked for resyncs, and was not told {} for long", handler.name,
                             words_for_state(key, revision));
        }
      }
    }
  }
  return std::nullopt;
}

}  // namespace watchlab::sim::invariants
