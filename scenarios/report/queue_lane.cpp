#include <fmt/format.h>

#include <utility>

#include "scenarios/report/lanes.hpp"

namespace watchlab::scenarios {
namespace {

/// "Sync Updated": the types of the deltas that were popped.
std::vector<std::string> types_in(std::string_view text) {
  std::vector<std::string> types;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(' '), text.size());
    types.emplace_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return types;
}

std::string at_revision(const std::string& revision) {
  return revision.empty() ? "" : fmt::format(" at revision {}", revision);
}

/// Deltas about all objects at once stand under this key.
constexpr std::string_view kAll = "*";

bool is_resync(const sim::NoteRecord& note) {
  return note.text == "Sync" && note.task.find("/resync") != std::string::npos;
}

}  // namespace

QueueLane::QueueLane(LaneContext& context) : context_(context) {
  for (const sim::StoryClientOptions& client : context.scenario.clients) {
    clients_[client.name].is_store = client.kind == sim::ClientKind::Store;
  }
  if (const auto& record = context.seen.record) {
    for (const auto& [client, index] : record->indices) {
      clients_[client].is_indexed = true;
    }
    for (const sim::WriteRecord& write : record->writes) {
      for (const auto& [label, value] :
           write.object ? write.object->metadata.labels : api::Labels()) {
        labels_[{write.key, write.revision}].push_back(fmt::format("{}={}", label, value));
      }
    }
  }
  look_ahead();
}

/// The record knows the object of each delta, but only once it is popped; the n-th pop of a client
/// is the next so many deltas of the record.
void QueueLane::look_ahead() {
  struct Ahead {
    std::vector<const sim::DeltaRecord*> popped;
    std::size_t next = 0;
    std::map<std::string, std::vector<std::size_t>> queue;  // slots by key
  };
  std::map<std::string, Ahead> ahead;
  for (const sim::DeltaRecord& delta : context_.seen.live.deltas) {
    ahead[delta.client].popped.push_back(&delta);
  }
  for (const sim::NoteRecord& note : context_.seen.witness.result.notes) {
    const std::string client = context_.client_of(note.task);
    Ahead& own = ahead[client];
    std::vector<Slot>& known = clients_[client].known;
    std::vector<std::size_t>& slots = own.queue[note.subject];
    if (note.kind == "delta") {
      slots.push_back(known.size());
      known.push_back({.type = note.text});
    } else if (note.kind == "pop" && note.subject == kAll) {
      slots.erase(slots.begin());  // the record has none of these
    } else if (note.kind == "pop") {
      const std::size_t count = types_in(note.text).size();
      const bool fits = own.next + count <= own.popped.size() && count <= slots.size();
      for (std::size_t i = 0; fits && i < count; ++i) {
        const sim::DeltaRecord& delta = *own.popped[own.next + i];
        if (delta.key == note.subject && delta.object) {
          known[slots[i]].revision = delta.object->metadata.resource_version;
          known[slots[i]].tombstone = delta.tombstone;
        }
      }
      own.next += fits ? count : 0;
      slots.erase(slots.begin(),
                  slots.begin() + static_cast<std::ptrdiff_t>(std::min(count, slots.size())));
    }
  }
}

bool QueueLane::take(const sim::NoteRecord& note) {
  if (note.kind == "receive") {
    arrive(parse_message(note.text));
    return true;
  }
  const std::string client = context_.client_of(note.task);
  if (note.kind == "reflector") {
    listed(note);
  } else if (note.kind == "delta" || note.kind == "dedup") {
    delta(note, client);
  } else if (note.kind == "pop") {
    pop(note, client);
  } else if (note.kind == "requeue") {
    requeue(note, client);
  } else if (note.kind == "queue") {
    newest(note, client);
  } else {
    return false;
  }
  return true;
}

void QueueLane::arrive(const MessageText& message) {
  const std::string client = context_.client_on_wire(message.to);
  if (message.is_event() && !client.empty()) {
    clients_[client].arrived[message.key].push_back(message);
    clients_[client].arrivals.push_back(message);
  }
}

/// What a stream had brought is not looked at any more once the next request begins.
void QueueLane::listed(const sim::NoteRecord& note) {
  const std::string client = context_.client_of(note.task);
  ClientState& state = clients_[client];
  const bool is_streamed = note.text.starts_with("watch list rv=");
  if (is_streamed || note.text.starts_with("list rv=") || note.text.starts_with("watch rv=")) {
    state.arrived.clear();
    state.arrivals.clear();
    state.is_streamed = is_streamed;
  } else if (note.text.starts_with("listed")) {
    state.listed = state.is_streamed ? list_from(state.arrivals)
                                     : list_at(client, note.text.substr(note.text.rfind('=') + 1));
    if (state.is_streamed) {
      state.arrived.clear();
      state.arrivals.clear();
    }
    name_keys(context_.log.events().back(), state.listed);
    if (state.is_store) {
      state.writes[note.task] = {{{.type = "Replace", .key = "", .list = state.listed}}};
    }
  }
}

/// The event of a list is about the objects in it, unless there are too many to name.
void QueueLane::name_keys(PageEvent& event, const std::map<std::string, std::string>& listed) {
  constexpr std::size_t most = 50;
  for (const auto& [key, revision] : listed) {
    if (listed.size() <= most) {
      event.keys.push_back(context_.log.keys().number_of(key));
    }
  }
}

/// The objects of a list that came as events.
std::map<std::string, std::string> QueueLane::list_from(const std::deque<MessageText>& arrivals) {
  std::map<std::string, std::string> found;
  for (const MessageText& message : arrivals) {
    if (message.type == "DELETED") {
      found.erase(message.key);
    } else {
      found[message.key] = message.revision;
    }
  }
  return found;
}

/// The objects of a list as the client got it; those that the server had then, where the record
/// does not know.
std::map<std::string, std::string> QueueLane::list_at(const std::string& client,
                                                      const std::string& revision) const {
  std::map<std::string, std::string> found;
  const auto& record = context_.seen.record;
  for (std::size_t i = 0; record && i < record->requests.size(); ++i) {
    const api::ObjectList& list = record->answers[i].list;
    if (record->requests[i].client == client && list.resource_version == revision) {
      for (const api::ObjectPtr& object : list.items) {
        found[api::key_of(object->metadata)] = object->metadata.resource_version;
      }
    }
  }
  if (record) {
    return found;
  }
  const auto& server = context_.log.state().at("server").as_object();
  for (const auto& [number, entry] : server.at("log").as_object()) {
    const boost::json::array& parts = entry.as_array();
    const auto key = parts[2].to_number<std::size_t>();
    const std::string name(context_.log.keys().texts()[key].as_string());
    if (parts[1].as_string() == "DELETED") {
      found.erase(name);
    } else {
      found[name] = std::string(parts[0].as_string());
    }
  }
  return found;
}

QueueLane::Slot QueueLane::slot_for(const sim::NoteRecord& note, ClientState& state) {
  Slot slot{.type = note.text};
  if (state.queued < state.known.size()) {
    slot = state.known[state.queued++];
  }
  std::deque<MessageText>& arrived = state.arrived[note.subject];
  const bool is_listed = note.text == "Replaced" || note.text == "Sync";
  const bool is_event = !is_listed && !arrived.empty();
  if (slot.revision.empty() && is_event) {
    slot.revision = arrived.front().revision;
  } else if (slot.revision.empty() && is_resync(note)) {
    slot.revision = state.cache[note.subject];
  } else if (slot.revision.empty() && is_listed) {
    const auto listed = state.listed.find(note.subject);
    slot.revision = listed == state.listed.end() ? "" : listed->second;
  } else if (slot.revision.empty() && note.text == "Deleted") {
    slot.tombstone = true;
    slot.revision = state.cache[note.subject];
  } else if (note.text == "ReplacedAll") {
    slot.list = state.listed;
  }
  if (is_event) {
    arrived.pop_front();
  }
  return slot;
}

/// The patch with the whole line of a key: its deltas are few.
void QueueLane::show(PageEvent& event, const std::string& client, const std::string& key) {
  ClientState& state = clients_[client];
  boost::json::array deltas;
  for (const Slot& slot : state.queue[key]) {
    deltas.push_back(boost::json::array{slot.type, slot.revision, slot.tombstone ? 1 : 0});
  }
  context_.log.set(
      event, {"clients", client, "queue", context_.log.key_name(key), "deltas", std::move(deltas)});
}

std::string QueueLane::words_of(const Slot& slot, const std::string& key) {
  if (key != kAll) {
    return fmt::format("{} of {}{}", slot.type, shortened(key), at_revision(slot.revision));
  }
  return slot.type == "ReplacedAll"
             ? fmt::format("{}, a list of {} {} as one change", slot.type, slot.list.size(),
                           slot.list.size() == 1 ? "object" : "objects")
         : slot.type == "SyncAll" ? "SyncAll, the whole cache once more"
                                  : slot.type + ", which moves the revision on";
}

void QueueLane::delta(const sim::NoteRecord& note, const std::string& client) {
  ClientState& state = clients_[client];
  const std::string& key = note.subject;
  if (note.kind == "dedup") {
    context_.event(
        note, {"queue", client, key},
        fmt::format("Queue of {}: two deletions of {} become one", client, shortened(key)));
    return;
  }
  const bool is_new = state.queue[key].empty();
  state.queue[key].push_back(slot_for(note, state));
  Slot& slot = state.queue[key].back();
  slot.order = state.order++;
  PageEvent& event =
      context_.event(note, {"queue", client, key},
                     fmt::format("Queue of {}: {}{}", client, words_of(slot, key),
                                 is_new || key == kAll ? "" : ", behind what waits already"));
  name_keys(event, slot.list);
  if (is_new) {
    context_.log.set(event,
                     {"clients", client, "queue", context_.log.key_name(key), "order", slot.order});
  }
  show(event, client, key);
}

void QueueLane::pop(const sim::NoteRecord& note, const std::string& client) {
  ClientState& state = clients_[client];
  const bool of_fifo = client == note.subject && state.queue.count(note.subject) == 0;
  if (of_fifo) {
    return;  // the same pop once more, as the story says it
  }
  const std::string& key = note.subject;
  std::vector<Slot>& slots = state.queue[key];
  // A queue of deltas gives one of them, one of keys all that a key has.
  const std::size_t wanted = note.text.empty() ? slots.size() : types_in(note.text).size();
  const auto end = slots.begin() + static_cast<std::ptrdiff_t>(std::min(wanted, slots.size()));
  std::string words = fmt::format("{} pops {}: {}", client, shortened(key), note.text);
  std::deque<std::vector<StoreWrite>>& writes = state.writes[note.task];
  const bool is_of_batch = !writes.empty() && state.popped_at[note.task] == note.step;
  if (!is_of_batch) {
    writes.clear();
  }
  state.popped_at[note.task] = note.step;
  std::map<std::string, std::string> list;
  for (auto slot = slots.begin(); slot != end; ++slot) {
    if (note.text.empty() || key == kAll) {
      words =
          fmt::format("{} pops {}", client,
                      key == kAll ? words_of(*slot, key)
                                  : shortened(key) + ": the state" + at_revision(slot->revision));
    }
    list = slot->list;
    if (slot->type == "SyncAll") {
      continue;  // it writes nothing
    }
    if (!is_of_batch) {
      writes.emplace_back();
    }
    writes.back().push_back(
        {.type = slot->type, .key = key, .revision = slot->revision, .list = slot->list});
  }
  slots.erase(slots.begin(), end);
  PageEvent& event = context_.event(note, {"queue", client, key}, std::move(words));
  name_keys(event, list);
  if (slots.empty()) {
    state.queue.erase(key);
    context_.log.set(event, {"clients", client, "queue", context_.log.key_name(key), nullptr});
    return;
  }
  context_.log.set(event, {"clients", client, "queue", context_.log.key_name(key), "order",
                           slots.front().order});
  show(event, client, key);
}

void QueueLane::requeue(const sim::NoteRecord& note, const std::string& client) {
  ClientState& state = clients_[client];
  const std::string& key = note.subject;
  state.queue[key].clear();
  const std::vector<std::string> types =
      note.text.empty() ? std::vector<std::string>{"Newest"} : types_in(note.text);
  for (const std::string& type : types) {
    state.queue[key].push_back({.type = type, .revision = state.cache[key]});
  }
  PageEvent& event =
      context_.event(note, {"queue", client, key},
                     fmt::format("{} puts {} back into its queue", client, shortened(key)));
  context_.log.set(
      event, {"clients", client, "queue", context_.log.key_name(key), "order", state.order++});
  show(event, client, key);
}

/// A queue of newest states: an object that waits keeps its place.
void QueueLane::newest(const sim::NoteRecord& note, const std::string& client) {
  ClientState& state = clients_[client];
  const std::string& key = note.subject;
  PageEvent& event =
      context_.event(note, {"queue", client, key},
                     fmt::format("Queue of {}: {} {}", client, note.text, shortened(key)));
  const bool is_list = note.text == "replace";
  if (is_list && state.replaced_at != note.step) {
    state.replaced_at = note.step;
    state.queue.clear();
    context_.log.set(event, {"clients", client, "queue", boost::json::object()});
  }
  std::deque<MessageText>& arrived = state.arrived[key];
  std::string revision;
  if (is_list) {
    revision = state.listed[key];
  } else if (!arrived.empty()) {
    revision = arrived.front().revision;
    arrived.pop_front();
  }
  const std::string name = context_.log.key_name(key);
  if (note.text == "remove") {
    state.queue.erase(key);
    context_.log.set(event, {"clients", client, "queue", name, nullptr});
    return;
  }
  if (state.queue[key].empty()) {
    context_.log.set(event, {"clients", client, "queue", name, "order", state.order++});
  }
  state.queue[key] = {Slot{.type = "Newest", .revision = revision}};
  show(event, client, key);
}

}  // namespace watchlab::scenarios
