#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <span>
#include <string_view>
#include <tuple>

#include "sim/invariants/families.hpp"
#include "sim/invariants/reading.hpp"

namespace watchlab::sim::invariants {
namespace {

/// A deletion is a state too: the object's last one under the revision of the deletion.
bool server_had(const Record& record, const std::string& key, std::string_view revision) {
  return std::ranges::any_of(record.writes, [&](const WriteRecord& write) {
    return write.key == key &&
           (write.revision == revision || revision_of(write.object) == revision);
  });
}

/// A list repeats what is known, a resync always does, a tombstone has nothing newer, and what was
/// put back comes again.
bool may_repeat(const DeltaRecord& delta, bool was_put_back) {
  return delta.tombstone || delta.type == DeltaType::Replaced || delta.type == DeltaType::Sync ||
         was_put_back;
}

/// What a client knows of a key, and whether it has put it back.
struct Known {
  std::string_view revision;
  bool is_put_back = false;
};

Finding check_cache_follows_server(const Record& record) {
  std::map<std::pair<std::string_view, std::string_view>, Known> last;
  for (const DeltaRecord& delta : record.deltas) {
    const std::string_view revision = revision_of(delta.object);
    if (revision.empty()) {
      continue;
    }
    if (!server_had(record, delta.key, revision)) {
      return fmt::format("{} receives {}, a state that the server never had", delta.client,
                         describe_state(delta));
    }
    Known& before = last[{delta.client, delta.key}];
    const bool repeats = revision == before.revision;
    if (is_earlier(revision, before.revision) ||
        (repeats && !may_repeat(delta, before.is_put_back))) {
      return fmt::format("{} receives {} of {} after it has received {}", delta.client,
                         to_string(delta.type), describe_state(delta), before.revision);
    }
    before = {revision, delta.failed};
  }
  return std::nullopt;
}

Finding check_calls_are_sequential(const Record& record) {
  for (const auto& [handler, calls] : calls_by_handler(record)) {
    Revisions delivered;
    for (const CallRecord* call : calls) {
      if (call->overlaps) {
        return fmt::format("{} receives the {} of {} while it is in another call", handler.second,
                           to_string(call->type), call->key);
      }
      std::string& last = delivered[call->key];
      if (is_earlier(revision_of(call->object), last)) {
        return fmt::format("{} receives the {} of {} after {}", handler.second,
                           to_string(call->type), describe_state(*call), last);
      }
      if (call->before && revision_of(call->before) != last) {
        return fmt::format("{} is notified that {} was at {} before, but it received {} last",
                           handler.second, call->key, revision_of(call->before), last);
      }
      last = revision_of(call->object);
    }
  }
  return std::nullopt;
}

bool carries(const CallRecord& call, const DeltaRecord& delta) {
  return call.key == delta.key && revision_of(call.object) == revision_of(delta.object) &&
         is_deletion(call) == is_deletion(delta);
}

/// What is wrong with the calls, of which the last may be missing still.
Finding unlike(const Calls& calls, const Deltas& deltas) {
  for (std::size_t i = 0; i < calls.size(); ++i) {
    if (i >= deltas.size() || !carries(*calls[i], *deltas[i])) {
      return fmt::format("call {} of {} is the {} of {}, which is not what the queue gave", i + 1,
                         calls[i]->handler, to_string(calls[i]->type), describe_state(*calls[i]));
    }
  }
  return std::nullopt;
}

/// How many of these must have been delivered. A record may be closed in the middle of a resync,
/// just after its latest delta was popped; nothing else happens in a story that is quiet.
std::size_t due_of(const Deltas& deltas, runtime::TimePoint closed) {
  const bool is_on_its_way =
      !deltas.empty() && deltas.back()->type == DeltaType::Sync && deltas.back()->at == closed;
  return deltas.size() - (is_on_its_way ? 1 : 0);
}

Finding check_slow_handlers_lose_nothing(const Record& record) {
  const auto calls = calls_by_handler(record);
  for (const auto& [handler, of_handler] : calls) {
    const ClientRecord* client = client_named(record, handler.first);
    if (client != nullptr && !client->keeps_deltas) {
      continue;
    }
    if (Finding finding = unlike(of_handler, deltas_of(record, handler.first))) {
      return finding;
    }
  }
  for (const ClientRecord* client : clients_at_rest(record)) {
    if (!client->informer || !client->keeps_deltas) {
      continue;
    }
    const Deltas popped = deltas_of(record, client->name);
    for (const auto& [handler, of_handler] : calls) {
      if (handler.first == client->name && of_handler.size() < due_of(popped, record.closed)) {
        return fmt::format("{} was called {} times for {} deltas", handler.second,
                           of_handler.size(), popped.size());
      }
    }
  }
  return std::nullopt;
}

/// What a call delivers, in words; "" for one that not every handler gets at the same place: what
/// was there already when it joined, and resyncs.
std::string delivery_of(const CallRecord& call) {
  const bool repeats = call.before && revision_of(call.before) == revision_of(call.object);
  return call.initial || repeats ? ""
                                 : fmt::format("{} {}", to_string(call.type), describe_state(call));
}

Finding check_handlers_hear_in_one_order(const Record& record) {
  std::map<std::string, std::map<std::string, std::size_t>> places;  // by client, of its first
  std::map<std::string, std::string> first_handler;
  for (const auto& [handler, calls] : calls_by_handler(record)) {
    std::map<std::string, std::size_t>& place = places[handler.first];
    const bool is_first = first_handler.try_emplace(handler.first, handler.second).second;
    std::size_t reached = 0;
    for (std::size_t i = 0; i < calls.size(); ++i) {
      const std::string delivery = delivery_of(*calls[i]);
      if (delivery.empty()) {
        continue;
      }
      if (is_first) {
        place.try_emplace(delivery, i);
        continue;
      }
      const auto known = place.find(delivery);
      if (known != place.end() && known->second < reached) {
        return fmt::format("{} receives the {} later than {} does", handler.second, delivery,
                           first_handler[handler.first]);
      }
      reached = known == place.end() ? reached : known->second;
    }
  }
  return std::nullopt;
}

/// Whether the call delivers a write that was made after that moment.
bool delivers_later(const CallRecord& call, const Record& record, runtime::TimePoint moment) {
  const std::string revision = revision_of(call.object);
  return std::ranges::any_of(record.writes, [&](const WriteRecord& write) {
    return write.at > moment && write.key == call.key && write.revision == revision;
  });
}

Finding check_handlers_that_left_are_left_alone(const Record& record) {
  for (const HandlerRecord& handler : record.handlers) {
    for (const CallRecord* call : calls_of(record, {handler.client, handler.name})) {
      if (handler.left && delivers_later(*call, record, *handler.left)) {
        return fmt::format("{} has left, and receives the {} of {}, which is newer", handler.name,
                           to_string(call->type), describe_state(*call));
      }
    }
  }
  return std::nullopt;
}

/// The states that were delivered, by key and revision, each with whether it is the last one of a
/// deleted object.
using Delivered = std::set<std::tuple<std::string_view, std::string_view, bool>>;

/// What deltas or calls have delivered.
Delivered delivered_in(const auto& records) {
  Delivered delivered;
  for (const auto* each : records) {
    if (!each->tombstone) {
      delivered.emplace(each->key, revision_of(each->object), is_deletion(*each));
    }
  }
  return delivered;
}

/// Who listens, and from when on. With `until` only what arrived earlier counts: the client was
/// asked to end then.
struct Span {
  runtime::TimePoint since;
  std::optional<runtime::TimePoint> until;
};

/// The changes that arrived at the client within the span, but not on a watch that it gave up
/// itself: what arrives while it does so it may leave unread.
std::vector<const FrameRecord*> arrivals(const Record& record, const std::string& client,
                                         const Span& span) {
  std::vector<const FrameRecord*> arrived;
  for (const auto& [request, answer] : answered_requests(record, client)) {
    const bool given_up = request.end == StreamEnd::Stopped && !span.until;
    if (request.verb != Verb::Watch || given_up) {
      continue;
    }
    // What comes before the mark of a streamed list arrives as a list.
    for (const FrameRecord& frame :
         streams_a_list(request) ? from_the_mark(answer) : std::span(answer.frames)) {
      if (is_change(frame.event) && frame.at > span.since &&
          (!span.until || frame.at < *span.until)) {
        arrived.push_back(&frame);
      }
    }
  }
  return arrived;
}

/// When a client whose queue the record shows was asked to end, if it has come to its end since.
/// Informers do not count: their handlers may keep the reflector from the queue for long.
std::optional<runtime::TimePoint> finished(const Record& record, const ClientRecord& client) {
  const auto stopped = record.stopped.find(client.name);
  const bool ended = std::ranges::any_of(record.ends, [&](const EndRecord& end) {
    return end.client == client.name && end.cause == EndCause::Closed;
  });
  return ended && !client.informer && stopped != record.stopped.end()
             ? std::optional(stopped->second)
             : std::nullopt;
}

Finding missing_delivery(const std::vector<const FrameRecord*>& arrived, const Delivered& delivered,
                         const std::string& listener) {
  for (const FrameRecord* frame : arrived) {
    const api::ObjectPtr& object = frame->event.object;
    const std::string key = api::key_of(object->metadata);
    const bool is_last = frame->event.type == watch::EventType::Deleted;
    if (!delivered.contains({key, revision_of(object), is_last})) {
      return fmt::format("{} {} has arrived, and {} was not notified",
                         watch::to_string(frame->event.type), describe_state(*object), listener);
    }
  }
  return std::nullopt;
}

Finding check_arrivals_are_told(const Record& record) {
  for (const ClientRecord& client : record.clients) {
    const std::optional<runtime::TimePoint> until = finished(record, client);
    if (!record.quiet || (!is_running(record, client) && !until)) {
      continue;
    }
    if (client.keeps_deltas) {
      const Span span{.since = runtime::TimePoint::min(), .until = until};
      if (Finding finding =
              missing_delivery(arrivals(record, client.name, span),
                               delivered_in(deltas_of(record, client.name)), client.name)) {
        return finding;
      }
    }
    for (const HandlerRecord& handler : record.handlers) {
      if (handler.client != client.name || handler.left) {
        continue;
      }
      const Delivered delivered = delivered_in(calls_of(record, {handler.client, handler.name}));
      if (Finding finding = missing_delivery(
              arrivals(record, client.name, {.since = handler.joined}), delivered, handler.name)) {
        return finding;
      }
    }
  }
  return std::nullopt;
}

}  // namespace

std::vector<Invariant> of_deliveries() {
  return {
      {.clause = "C1",
       .name = "cache_follows_server",
       .doc = "A client sees the states of an object in the order in which the server had them.",
       .check = check_cache_follows_server,
       .needs_legal_world = true},
      {.clause = "C7",
       .name = "calls_are_sequential",
       .doc = "A handler gets one call at a time, and each call about an object continues from the "
              "previous one.",
       .check = check_calls_are_sequential,
       .needs_legal_world = true},
      {.clause = "C11",
       .name = "slow_handlers_lose_nothing",
       .doc = "Each delta becomes one call to each handler, in the same order, however slow the "
              "handler is.",
       .check = check_slow_handlers_lose_nothing},
      {.clause = "I21",
       .name = "handlers_that_left_are_left_alone",
       .doc = "A removed handler gets nothing that was written later.",
       .check = check_handlers_that_left_are_left_alone},
      {.clause = "I22",
       .name = "handlers_hear_in_one_order",
       .doc = "All handlers of a client receive the same changes in the same order.",
       .check = check_handlers_hear_in_one_order,
       .extends = {"slow_handlers_lose_nothing"}},
      {.clause = "I23",
       .name = "arrivals_are_told",
       .doc = "Once everything is quiet, every change that arrived on a watch has been delivered "
              "to every handler present, each in its own notification.",
       .check = check_arrivals_are_told,
       .needs_legal_world = true,
       .extends = {"cache_follows_server", "stores_converge", "deletions_arrive",
                   "slow_handlers_lose_nothing", "handlers_add_up_to_the_store",
                   "names_are_identities"},
       .listed_after = "I6"},
  };
}

}  // namespace watchlab::sim::invariants
