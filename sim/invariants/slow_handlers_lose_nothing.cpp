#include <fmt/format.h>

#include "sim/invariants/clauses.hpp"
#include "sim/invariants/reading.hpp"

namespace watchlab::sim::invariants {
namespace {

bool tells_of(const CallRecord& call, const DeltaRecord& delta) {
  return call.key == delta.key && revision_of(call.object) == revision_of(delta.object) &&
         (call.type == "delete") == (delta.type == "Deleted");
}

/// What is wrong with the calls, of which the last may be missing still.
std::optional<std::string> unlike(const std::vector<const CallRecord*>& calls,
                                  const std::vector<const DeltaRecord*>& deltas) {
  for (std::size_t i = 0; i < calls.size(); ++i) {
    if (i >= deltas.size() || !tells_of(*calls[i], *deltas[i])) {
      return fmt::format("call {} of {} is the {} of {}, which is not what the queue gave", i + 1,
                         calls[i]->handler, calls[i]->type,
                         words_for_state(calls[i]->key, revision_of(calls[i]->object)));
    }
  }
  return std::nullopt;
}

/// How many of these must have been told. A record may be closed in the middle of a resync, just
/// after its latest delta was popped; nothing else happens in a story that is quiet.
std::size_t due_of(const std::vector<const DeltaRecord*>& deltas, runtime::TimePoint closed) {
  const bool is_on_its_way =
      !deltas.empty() && deltas.back()->type == "Sync" && deltas.back()->at == closed;
  return deltas.size() - (is_on_its_way ? 1 : 0);
}

}  // namespace

std::optional<std::string> broken_slow_handlers_lose_nothing(const Record& record) {
  const auto calls = calls_by_handler(record);
  for (const auto& [handler, of_handler] : calls) {
    const ClientRecord* client = client_named(record, handler.first);
    if (client != nullptr && !client->keeps_deltas) {
      continue;
    }
    if (auto sentence = unlike(of_handler, deltas_of(record, handler.first))) {
      return sentence;
    }
  }
  for (const ClientRecord& client : record.clients) {
    if (!record.quiet || !client.informer || !client.keeps_deltas || !is_running(record, client)) {
      continue;
    }
    const std::vector<const DeltaRecord*> popped = deltas_of(record, client.name);
    for (const auto& [handler, of_handler] : calls) {
      if (handler.first == client.name && of_handler.size() < due_of(popped, record.closed)) {
        return fmt::format("{} was called {} times for {} deltas", handler.second,
                           of_handler.size(), popped.size());
      }
    }
  }
  return std::nullopt;
}

}  // namespace watchlab::sim::invariants
