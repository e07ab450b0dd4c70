#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <set>
#include <string_view>
#include <utility>

#include "sim/invariants/families.hpp"
#include "sim/invariants/reading.hpp"

namespace watchlab::sim::invariants {
namespace {

Finding check_stores_converge(const Record& record) {
  for (const ClientRecord* client : informed_clients(record)) {
    const Revisions stored = stored_by(record, client->name);
    for (const auto& [key, revision] : truth_for(record, *client)) {
      const auto found = stored.find(key);
      if (found == stored.end() || found->second != revision) {
        return fmt::format("the store of {} {} while the server has {}", client->name,
                           found == stored.end()
                               ? "does not hold " + key
                               : "still holds " + describe_state(key, found->second),
                           describe_state(key, revision));
      }
    }
  }
  return std::nullopt;
}

Finding check_deletions_arrive(const Record& record) {
  for (const ClientRecord* client : informed_clients(record)) {
    const Revisions truth = truth_for(record, *client);
    for (const auto& [key, revision] : stored_by(record, client->name)) {
      if (!truth.contains(key)) {
        return fmt::format("the store of {} holds {}, which the server has no longer", client->name,
                           describe_state(key, revision));
      }
    }
  }
  return std::nullopt;
}

Finding check_healed_worlds_converge(const Record& record) {
  if (has_fault_in_place(record)) {
    return std::nullopt;
  }
  for (const ClientRecord* at_rest : clients_at_rest(record)) {
    const ClientRecord& client = *at_rest;
    if (has_lost_events(record, client.name)) {
      continue;
    }
    if (!watch_is_open(record, client.name)) {
      return fmt::format("{} has no open watch although everything is healed", client.name);
    }
    const auto difference =
        first_difference(stored_by(record, client.name), truth_for(record, client));
    if (client.keeps_store && difference) {
      return fmt::format("everything is healed, and in the store of {} {}", client.name,
                         *difference);
    }
  }
  return std::nullopt;
}

Finding check_store_is_one_snapshot(const Record& record) {
  for (const auto& [name, objects] : record.stores) {
    if (stored_by(record, name).size() != objects.size()) {
      return fmt::format("a list of the store of {} holds a key twice", name);
    }
  }
  for (const ClientRecord* client : clients_at_rest(record)) {
    const auto difference = first_difference(stored_by(record, client->name),
                                             known_after(deltas_of(record, client->name)));
    if (client->keeps_deltas && difference) {
      return fmt::format("the store of {} is not what its deltas make: {}", client->name,
                         *difference);
    }
  }
  return std::nullopt;
}

Finding check_stored_objects_are_unchanged(const Record& record) {
  std::map<std::pair<std::string_view, std::string_view>, const api::Object*> written;
  for (const WriteRecord& write : record.writes) {
    if (write.object) {
      written[{write.key, write.revision}] = write.object.get();
    }
  }
  for (const auto& [client, objects] : record.stores) {
    for (const api::ObjectPtr& object : objects) {
      const std::string key = api::key_of(object->metadata);
      const auto found = written.find({key, revision_of(object)});
      if (found != written.end() && *found->second != *object) {
        return fmt::format("the store of {} holds {} with another content than the server wrote",
                           client, describe_state(*object));
      }
    }
  }
  return std::nullopt;
}

/// What a store should have held of a key since a revision.
struct HeldSince {
  std::string_view revision;
  std::string held;  ///< "" for nothing
};
using History = std::map<std::string_view, std::vector<HeldSince>>;

History history_for(const Record& record, const ClientRecord& client) {
  const auto is_meant = selection_of(client);
  History history;
  for (const WriteRecord& write : record.writes) {
    if (write.resource == client.resource) {
      const bool is_held = write.object && is_meant(*write.object);
      history[write.key].push_back(
          {write.revision, is_held ? std::string(revision_of(write.object)) : ""});
    }
  }
  return history;
}

/// Whether a store that had come to that revision may hold that of a key: what there was then, or
/// what came later.
bool may_hold(const std::vector<HeldSince>& states, std::string_view reached,
              std::string_view held) {
  const auto later = std::ranges::partition_point(
      states, [&](const HeldSince& each) { return !is_earlier(reached, each.revision); });
  const std::string_view then =
      later == states.begin() ? std::string_view() : std::string_view(std::prev(later)->held);
  return held == then ||
         std::any_of(later, states.end(), [&](const HeldSince& each) { return each.held == held; });
}

std::string ahead(const ClientRecord& client, std::string_view reached, std::string_view key,
                  const std::string& held) {
  return fmt::format("the store of {} has come to {} and {}", client.name, reached,
                     held.empty() ? fmt::format("does not hold {}", key)
                                  : "holds " + describe_state(std::string(key), held));
}

Finding check_store_is_as_new_as_it_says(const Record& record) {
  for (const ClientRecord& client : record.clients) {
    const History history = history_for(record, client);
    for (const CallRecord* call : entries_of(record.calls, client.name)) {
      const auto states = history.find(call->key);
      if (!call->reached.empty() && states != history.end() &&
          !may_hold(states->second, call->reached, call->cached)) {
        return ahead(client, call->reached, call->key, call->cached);
      }
    }
    const auto version = record.store_versions.find(client.name);
    if (version == record.store_versions.end() || version->second.empty()) {
      continue;
    }
    const Revisions stored = stored_by(record, client.name);
    for (const auto& [key, states] : history) {
      const auto found = stored.find(std::string(key));
      const std::string held = found == stored.end() ? "" : found->second;
      if (!may_hold(states, version->second, held)) {
        return ahead(client, version->second, key, held);
      }
    }
  }
  return std::nullopt;
}

IndexRecord index_over(const std::vector<api::ObjectPtr>& objects) {
  IndexRecord index;
  for (const api::ObjectPtr& object : objects) {
    for (const auto& [label, value] : object->metadata.labels) {
      index[label + "=" + value].push_back(api::key_of(object->metadata));
    }
  }
  for (auto& [value, keys] : index) {
    std::ranges::sort(keys);
  }
  return index;
}

Finding wrong_in(const Record& record, const std::map<std::string, IndexRecord>& indices) {
  for (const auto& [client, found] : indices) {
    const IndexRecord expected = index_over(record.stores.at(client));
    for (const auto& [value, keys] : expected) {
      const auto there = found.find(value);
      if (there == found.end() || there->second != keys) {
        return fmt::format(
            "the index of {} has [{}] for {} instead of [{}]", client,
            there == found.end() ? "" : fmt::format("{}", fmt::join(there->second, ", ")), value,
            fmt::join(keys, ", "));
      }
    }
    for (const auto& [value, keys] : found) {
      if (!expected.contains(value)) {
        return fmt::format("the index of {} has [{}] for {}, which no object has", client,
                           fmt::join(keys, ", "), value);
      }
    }
  }
  return std::nullopt;
}

Finding check_indices_are_recomputable(const Record& record) {
  const Finding finding = wrong_in(record, record.indices);
  return finding ? finding : wrong_in(record, record.late_indices);
}

bool has_value(const api::Object& object, const std::string& value) {
  return std::ranges::any_of(object.metadata.labels, [&](const auto& label) {
    return label.first + "=" + label.second == value;
  });
}

bool is_like(const api::Object& object, const api::Object& other) {
  return std::ranges::any_of(object.metadata.labels, [&](const auto& label) {
    return has_value(other, label.first + "=" + label.second);
  });
}

Finding check_indices_answer_truly(const Record& record) {
  for (const ReadRecord& read : record.reads) {
    const std::string asked =
        read.like ? "what is like " + api::key_of(read.like->metadata) : read.value;
    std::set<std::string> seen;
    for (const api::ObjectPtr& object : read.objects) {
      const std::string key = api::key_of(object->metadata);
      if (!seen.insert(key).second) {
        return fmt::format("the store of {} has {} twice for {}", read.client, key, asked);
      }
      // An object without labels is asked for by nothing, and nothing is like it.
      if (read.like ? !is_like(*object, *read.like) : !has_value(*object, read.value)) {
        return fmt::format("the store of {} gives {} for {}", read.client, describe_state(*object),
                           asked);
      }
    }
  }
  return std::nullopt;
}

}  // namespace

std::vector<Invariant> of_stores() {
  return {
      {.clause = "C3",
       .name = "stores_converge",
       .doc = "Once everything is quiet and a watch is open, a store holds the newest state of "
              "each object.",
       .check = check_stores_converge,
       .needs_legal_world = true},
      {.clause = "C4",
       .name = "deletions_arrive",
       .doc = "Once everything is quiet and a watch is open, a store holds nothing that the server "
              "has deleted.",
       .check = check_deletions_arrive,
       .needs_legal_world = true},
      {.clause = "C5",
       .name = "store_is_one_snapshot",
       .doc = "A store lists each key once, and its contents equal the deltas applied in order.",
       .check = check_store_is_one_snapshot},
      {.clause = "I1",
       .name = "healed_worlds_converge",
       .doc = "Once everything is healed and quiet, every running client has an open watch and a "
              "store equal to the server.",
       .check = check_healed_worlds_converge,
       .suspended_by = bugs_that_hide_the_truth(),
       .extends = {"stores_converge", "deletions_arrive"}},
      {.clause = "I14",
       .name = "indices_are_recomputable",
       .doc = "A store's index equals the index recomputed from its objects.",
       .check = check_indices_are_recomputable},
      {.clause = "I17",
       .name = "stored_objects_are_unchanged",
       .doc = "A store holds objects exactly as the server wrote them.",
       .check = check_stored_objects_are_unchanged,
       .suspended_by = {"wrong_kind"}},
      {.clause = "I28",
       .name = "indices_answer_truly",
       .doc = "An index returns only objects with the requested value, each once.",
       .check = check_indices_answer_truly},
      {.clause = "I35",
       .name = "store_is_as_new_as_it_says",
       .doc = "Whenever a handler is called, and at the end, a store that reports a revision holds "
              "everything written up to it.",
       .check = check_store_is_as_new_as_it_says,
       .needs_legal_world = true},
  };
}

}  // namespace watchlab::sim::invariants
