#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "sim/invariants/families.hpp"
#include "sim/invariants/reading.hpp"

namespace watchlab::sim::invariants {
namespace {

/// It watches once it has listed; a watch that begins with a list has come so far at its mark.
bool has_listed(const Record& record, const std::string& client) {
  return std::ranges::any_of(answered_requests(record, client), [](const Answered& each) {
    return each.request.verb == Verb::Watch && each.request.answer == AnswerKind::Ok &&
           (!streams_a_list(each.request) || !from_the_mark(each.answer).empty());
  });
}

Finding check_first_list_comes_first(const Record& record) {
  for (const ClientRecord& client : record.clients) {
    bool later = false;
    for (const DeltaRecord* delta : deltas_of(record, client.name)) {
      if (delta->initial && later) {
        return fmt::format("{} pops {} as of the first list after others that are not", client.name,
                           describe_state(*delta));
      }
      later = later || !delta->initial;
    }
    if (record.quiet && is_running(record, client) && !client.synced &&
        has_listed(record, client.name)) {
      return fmt::format("{} has its list and is quiet, but has not synced", client.name);
    }
  }
  for (const CallRecord& call : record.calls) {
    if (call.initial && call.type != CallType::Add) {
      return fmt::format("{} receives the {} of {} as of the first list", call.handler,
                         to_string(call.type), call.key);
    }
  }
  return std::nullopt;
}

Finding check_synced_means_told(const Record& record) {
  for (const CallRecord& call : record.calls) {
    if (call.initial && call.synced) {
      return fmt::format("{} receives {} of the first list although it has synced", call.handler,
                         describe_state(call));
    }
  }
  for (const ClientRecord& client : record.clients) {
    if (client.synced && lists_of(record, client.name) == 0) {
      return fmt::format("{} has synced and never had a list", client.name);
    }
  }
  return std::nullopt;
}

Finding check_syncing_ends(const Record& record) {
  for (const ClientRecord* client : clients_at_rest(record)) {
    if (!client->synced && watch_is_open(record, client->name)) {
      return fmt::format("{} watches and is quiet, but has not synced", client->name);
    }
  }
  return std::nullopt;
}

/// The key of the first delta or call of `keys` that says nothing of the first list; "" when there
/// is none.
std::string first_unmarked(std::set<std::string> keys, const auto& records) {
  for (const auto* each : records) {
    if (keys.erase(each->key) > 0 && !each->initial) {
      return each->key;
    }
  }
  return "";
}

Finding check_first_list_is_marked(const Record& record) {
  for (const ClientRecord& client : record.clients) {
    const AnswerRecord* const list = first_list_of(record, client.name);
    if (list == nullptr || !list->at) {
      continue;
    }
    std::set<std::string> keys;
    for (const api::ObjectPtr& object : list->list.items) {
      keys.insert(api::key_of(object->metadata));
    }
    const std::string popped =
        client.keeps_deltas ? first_unmarked(keys, deltas_of(record, client.name)) : "";
    if (!popped.empty()) {
      return fmt::format("{} is of the first list of {}, but is not popped as such", popped,
                         client.name);
    }
    for (const HandlerRecord& handler : record.handlers) {
      if (handler.client != client.name || handler.joined >= *list->at) {
        continue;
      }
      const std::string called =
          first_unmarked(keys, calls_of(record, {handler.client, handler.name}));
      if (!called.empty()) {
        return fmt::format("{} is of the first list of {}, but {} is not notified of that", called,
                           client.name, handler.name);
      }
    }
  }
  return std::nullopt;
}

}  // namespace

std::vector<Invariant> of_first_lists() {
  return {
      {.clause = "C12",
       .name = "first_list_comes_first",
       .doc =
           "The first list is delivered before everything else, and a client at rest has synced.",
       .check = check_first_list_comes_first},
      {.clause = "I5",
       .name = "synced_means_told",
       .doc = "A client or handler that has synced has a list, and receives nothing more from that "
              "first list.",
       .check = check_synced_means_told},
      {.clause = "I6",
       .name = "syncing_ends",
       .doc = "Once everything is quiet, every client with an open watch has synced.",
       .check = check_syncing_ends,
       .suspended_by = {"ignore_send_initial_events", "suppress_bookmarks"},
       .extends = {"first_list_comes_first"}},
      {.clause = "I24",
       .name = "first_list_is_marked",
       .doc = "Objects of a client's first list are marked as such when they are delivered.",
       .check = check_first_list_is_marked,
       .needs_legal_world = true,
       .extends = {"first_list_comes_first", "names_are_identities"},
       .listed_after = "I6"},
  };
}

}  // namespace watchlab::sim::invariants
