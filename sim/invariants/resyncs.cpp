#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <map>

#include "sim/invariants/families.hpp"
#include "sim/invariants/reading.hpp"

namespace watchlab::sim::invariants {
namespace {

Finding check_resyncs_change_nothing(const Record& record) {
  for (const ClientRecord& client : record.clients) {
    Revisions known;
    for (const DeltaRecord* delta : deltas_of(record, client.name)) {
      if (delta->type == DeltaType::Deleted) {
        known.erase(delta->key);
        continue;
      }
      const std::string revision = revision_of(delta->object);
      const auto before = known.find(delta->key);
      if (delta->type == DeltaType::Sync && (before == known.end() || before->second != revision)) {
        return fmt::format("a resync of {} delivers {}, which {}", client.name,
                           describe_state(*delta),
                           before == known.end() ? "is not there" : "is at " + before->second);
      }
      known[delta->key] = revision;
    }
  }
  return std::nullopt;
}

/// No shared informer resyncs more often.
constexpr runtime::Duration kShortestPeriod = std::chrono::seconds(1);

bool repeats(const CallRecord& call) {
  return call.type == CallType::Update && !revision_of(call.object).empty() &&
         revision_of(call.before) == revision_of(call.object);
}

Finding check_resyncs_of(const HandlerRecord& handler, const Calls& calls) {
  const runtime::Duration period = std::max(handler.resync, kShortestPeriod);
  std::map<std::string, const CallRecord*> last;  // resyncs by key
  for (const CallRecord* call : calls) {
    if (!repeats(*call)) {
      continue;
    }
    if (handler.resync == runtime::Duration::zero()) {
      return fmt::format("{} has asked for no resync and receives {} again", handler.name,
                         describe_state(*call));
    }
    const CallRecord*& before = last[call->key];
    const bool is_prompt = handler.takes == runtime::Duration::zero();
    if (is_prompt && before != nullptr && call->at - before->at < period) {
      return fmt::format("{} receives {} again after {} ms, and has asked for a resync every {} ms",
                         handler.name, describe_state(*call),
                         milliseconds_in(call->at - before->at), milliseconds_in(period));
    }
    before = call;
  }
  return std::nullopt;
}

Finding check_resyncs_reach_who_asked(const Record& record) {
  for (const HandlerRecord& handler : record.handlers) {
    // A list that brings nothing new is delivered to the handlers of the last resync, and before
    // the first resync to all.
    if (lists_of(record, handler.client) > 1) {
      continue;
    }
    if (Finding finding =
            check_resyncs_of(handler, calls_of(record, {handler.client, handler.name}))) {
      return finding;
    }
  }
  return std::nullopt;
}

/// A story is quiet for longer than three of the longest period that is looked at.
constexpr runtime::Duration kLookedAt = std::chrono::seconds(60);
constexpr runtime::Duration kLongestPeriod = std::chrono::seconds(20);

bool is_short(runtime::Duration period) {
  return period > runtime::Duration::zero() && period <= kLongestPeriod;
}

/// Whether a delta or a call of the key has come since that moment.
bool has_come(const auto& records, const std::string& key, runtime::TimePoint since) {
  return std::ranges::any_of(
      records, [&](const auto* each) { return each->key == key && each->at >= since; });
}

Finding check_resyncs_come(const Record& record) {
  const runtime::TimePoint since = record.closed - kLookedAt;
  for (const ClientRecord* at_rest : clients_at_rest(record)) {
    const ClientRecord& client = *at_rest;
    if (!is_short(client.resync) || !watch_is_open(record, client.name, since)) {
      continue;
    }
    for (const auto& [key, revision] : stored_by(record, client.name)) {
      if (client.keeps_deltas && !has_come(deltas_of(record, client.name), key, since)) {
        return fmt::format("{} has asked for resyncs, and {} did not come for long", client.name,
                           describe_state(key, revision));
      }
      for (const HandlerRecord& handler : record.handlers) {
        const bool has_asked = handler.client == client.name && !handler.left &&
                               handler.joined <= since && is_short(handler.resync);
        if (has_asked && !has_come(calls_of(record, {handler.client, handler.name}), key, since)) {
          return fmt::format("{} has asked for resyncs, and did not receive {} for long",
                             handler.name, describe_state(key, revision));
        }
      }
    }
  }
  return std::nullopt;
}

}  // namespace

std::vector<Invariant> of_resyncs() {
  return {
      {.clause = "I18",
       .name = "resyncs_change_nothing",
       .doc = "A resync repeats what the consumer received last, and brings nothing back to life.",
       .check = check_resyncs_change_nothing,
       .extends = {"store_is_one_snapshot", "cache_follows_server"}},
      {.clause = "I29",
       .name = "resyncs_reach_who_asked",
       .doc =
           "A resync goes only to handlers that asked for it, and no more often than they asked.",
       .check = check_resyncs_reach_who_asked,
       .needs_legal_world = true},
      {.clause = "I30",
       .name = "resyncs_come",
       .doc = "A handler that asked for resyncs keeps getting every object in the store again.",
       .check = check_resyncs_come},
  };
}

}  // namespace watchlab::sim::invariants
