#include "scenarios/export/object_states.hpp"

#include <algorithm>
#include <charconv>

#include "core/api/label_selector.hpp"
#include "scenarios/report/lanes.hpp"
#include "sim/apiserver/object_filter.hpp"
#include "sim/invariants/reading.hpp"

namespace watchlab::scenarios {
namespace {

namespace json = boost::json;

std::size_t number_in(std::string_view text) {
  std::size_t number = 0;
  std::from_chars(text.data(), text.data() + text.size(), number);
  return number;
}

/// The member at that path; null where there is none.
const json::value* member(const json::object& state, std::initializer_list<std::string_view> path) {
  const json::value* found = nullptr;
  const json::object* inner = &state;
  for (const std::string_view name : path) {
    found = inner == nullptr ? nullptr : inner->if_contains(name);
    inner = found == nullptr ? nullptr : found->if_object();
  }
  return found;
}

std::size_t size_of(const json::value* value) {
  return value == nullptr ? 0 : value->as_object().size();
}

/// The states that a message carries: of an event one, of anything else none.
void add_message(const json::array& parts, std::vector<ObjectState>& states) {
  const std::string_view what = parts[2].as_string();
  const std::size_t revision = what.rfind(" rv=");
  if (parts[3].is_number() && revision != std::string_view::npos) {
    states.push_back({.client = std::string(parts[5].as_string()),
                      .key = parts[3].to_number<std::size_t>(),
                      .revision = std::string(what.substr(revision + 4))});
  }
}

/// What a client's part of a patch is about.
void add_of_client(const Patch& patch, const json::object& before,
                   std::vector<ObjectState>& states) {
  const std::string client(patch[1].as_string());
  const std::string_view part = patch[2].as_string();
  const json::value& value = patch.back();
  if (part == "cache" && value.is_string()) {
    states.push_back({client, number_in(patch[3].as_string()), std::string(value.as_string())});
  } else if (part == "calls" && value.is_array()) {
    const json::array& call = value.as_array();
    states.push_back({client, call[2].to_number<std::size_t>(), std::string(call[3].as_string())});
  } else if (part == "queue" && patch.size() > 4) {
    const std::string_view key = patch[3].as_string();
    // What is added stands last; what is taken away was all there.
    const json::value* const waited = member(before, {"clients", client, "queue", key, "deltas"});
    const json::array nothing;
    const json::array& deltas = value.is_array()    ? value.as_array()
                                : waited != nullptr ? waited->as_array()
                                                    : nothing;
    const std::size_t first = value.is_array() && !deltas.empty() ? deltas.size() - 1 : 0;
    for (std::size_t i = first; i < deltas.size(); ++i) {
      states.push_back({client, number_in(key), std::string(deltas[i].as_array()[1].as_string())});
    }
  }
}

/// How many changes a watch can still begin before.
std::int64_t window_in(const json::object& server) {
  const json::value* const evicted = server.if_contains("window");
  const auto& log = server.at("log").as_object();
  return std::ranges::count_if(log, [&](const auto& entry) {
    return evicted == nullptr || sim::invariants::is_earlier(
                                     evicted->as_string(), entry.value().as_array()[0].as_string());
  });
}

}  // namespace

std::vector<ObjectState> states_in(const PageEvent& event, const json::object& before) {
  std::vector<ObjectState> states;
  for (const Patch& patch : event.patches) {
    const std::string_view part = patch[0].as_string();
    if (part == "server" && patch[1].as_string() == "log") {
      const json::array& entry = patch.back().as_array();
      states.push_back({"", entry[2].to_number<std::size_t>(), std::string(entry[0].as_string())});
    } else if (part == "wire") {
      const json::value* const sent =
          patch.back().is_array() ? &patch.back() : member(before, {"wire", patch[1].as_string()});
      if (sent != nullptr && sent->is_array()) {
        add_message(sent->as_array(), states);
      }
    } else if (part == "clients" && patch.size() > 4) {
      add_of_client(patch, before, states);
    }
  }
  std::erase_if(states, [](const ObjectState& state) { return state.revision.empty(); });
  return states;
}

Counters::Counters(const Scenario& scenario, const SeenRun& seen, const json::array& keys)
    : scenario_(scenario), seen_(seen) {
  for (const json::value& key : keys) {
    keys_.emplace_back(key.as_string());
  }
  const sim::ResourceTypes types = sim::types_of(scenario.server);
  for (const sim::StoryClientOptions& client : scenario.clients) {
    const sim::ResourceType* const type = types.find_kind(client.watches);
    clients_.push_back({client.name, type == nullptr ? "" : type->resource.resource});
  }
}

bool Counters::is_for(const std::string& name, std::size_t number, std::size_t key) const {
  const auto client = std::ranges::find(scenario_.clients, name, &sim::StoryClientOptions::name);
  if (!client->namespace_.empty() && !keys_[key].starts_with(client->namespace_ + "/")) {
    return false;
  }
  const auto labels = api::LabelSelector::parse(client->label_selector);
  const auto fields = sim::FieldQuery::parse(client->field_selector);
  const bool is_known = seen_.record && number < seen_.record->writes.size();
  const api::ObjectPtr object = is_known ? seen_.record->writes[number].object : nullptr;
  return !object || !labels || !fields ||
         (labels.value().matches(object->metadata.labels) && fields.value().matches(*object));
}

/// "3", "ADDED", key, collection: an entry of the server's log.
void Counters::learn(const json::array& entry, std::size_t number) {
  const auto key = entry[2].to_number<std::size_t>();
  for (Watching& client : clients_) {
    if (entry[3].as_string() == client.resource) {
      client.writes[key].push_back(
          {std::string(entry[0].as_string()),
           entry[1].as_string() != "DELETED" && is_for(client.name, number, key)});
    }
  }
}

std::int64_t Counters::behind(const std::vector<Written>& writes, std::string_view cached) {
  std::int64_t count = 0;
  bool was_there = false;
  for (const Written& written : writes) {
    const bool is_later = cached.empty() || sim::invariants::is_earlier(cached, written.revision);
    count += is_later && (written.is_there || was_there) ? 1 : 0;
    was_there = written.is_there;
    if (cached.empty() && !was_there) {
      count = 0;  // it is not there, and the cache does not have it either
    }
  }
  return count;
}

/// A write is for all clients of its collection, what a cache holds for one.
void Counters::count_client(Watching& client, const Patch& patch, const json::object& state,
                            std::vector<Value>& values) const {
  const std::string_view part = patch[0].as_string();
  const bool is_log = part == "server" && patch[1].as_string() == "log";
  const bool is_own = part == "clients" && patch.size() > 3 && patch[1].as_string() == client.name;
  const std::string_view inner = is_own ? patch[2].as_string() : std::string_view();
  if (inner == "queue") {
    const json::value* const queue = member(state, {"clients", client.name, "queue"});
    values.push_back({client.name, "queue length", static_cast<std::int64_t>(size_of(queue))});
  }
  if (is_log) {
    recount(client, patch.back().as_array()[2].to_number<std::size_t>(), state);
  } else if (inner == "cache" && patch.back().is_object()) {  // all of it anew
    for (const auto& [key, behind_before] : client.behind) {
      recount(client, key, state);
    }
  } else if (inner == "cache") {
    recount(client, number_in(patch[3].as_string()), state);
  }
  if (is_log || inner == "cache") {
    values.push_back({client.name, "behind by", client.sum});
  }
}

void Counters::recount(Watching& client, std::size_t key, const json::object& state) const {
  const json::value* const cached =
      member(state, {"clients", client.name, "cache", std::to_string(key)});
  const bool has = cached != nullptr && cached->is_string();
  std::int64_t& own = client.behind[key];
  client.sum -= own;
  own = behind(client.writes[key], has ? std::string_view(cached->as_string()) : "");
  client.sum += own;
}

std::vector<Counters::Value> Counters::after(const PageEvent& event, const json::object& state) {
  std::vector<Value> values;
  for (const Patch& patch : event.patches) {
    const std::string_view part = patch[0].as_string();
    if (part == "server" && patch[1].as_string() == "log") {
      learn(patch.back().as_array(), written_++);
    }
    for (Watching& client : clients_) {
      count_client(client, patch, state, values);
    }
    if (part == "server") {
      values.push_back({"server", "watch window", window_in(state.at("server").as_object())});
    } else if (part == "wire") {
      const json::value* const wire = state.if_contains("wire");
      values.push_back({"server", "in flight", static_cast<std::int64_t>(size_of(wire))});
    }
  }
  return values;
}

}  // namespace watchlab::scenarios
