#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "scenarios/report/lanes.hpp"

namespace watchlab::scenarios {
namespace {

constexpr std::string_view kStoreLock = "shared mutex 'store'";

bool is_list(const auto& write) { return write.type == "Replace" || write.type == "ReplacedAll"; }

bool is_deletion(const auto& write) { return write.type == "Deleted" || write.type == "DELETED"; }

std::string said_of(const auto& write) {
  if (is_list(write)) {
    return fmt::format("the whole list, {} objects", write.list.size());
  }
  if (write.type == "Bookmark") {
    return "a bookmark moves its revision on";
  }
  return fmt::format("{} {}", shortened(write.key),
                     is_deletion(write)       ? "is gone"
                     : write.revision.empty() ? "is there"
                                              : "is at revision " + write.revision);
}

}  // namespace

/// What a task has popped is written into the store under the store's lock, a delta at a time: the
/// moment at which it gives the lock back is when a reader can see it. So the lane also shows a
/// library that stores too late, or not at all.
void QueueLane::take(const sim::WitnessedStep& step) {
  if (step.done.kind != sim::OperationKind::WriteUnlock || step.done.object != kStoreLock) {
    return;
  }
  const std::string& task = context_.seen.witness.actors[step.done.actor].path;
  const std::string client = context_.client_of(task);
  const auto found = clients_.find(client);
  if (found == clients_.end()) {
    return;
  }
  const std::vector<StoreWrite> writes = next_write(found->second, task);
  if (writes.empty()) {
    return;
  }
  std::string words;
  std::vector<std::string> keys;
  for (const StoreWrite& write : writes) {
    words += words.empty() ? "" : "; ";
    words += said_of(write);
    if (!is_list(write)) {
      keys.push_back(write.key);
    }
  }
  const sim::NoteRecord place{.at = step.at, .step = step.step, .task = task};
  constexpr std::size_t named_max = 5;
  PageEvent& event = context_.event(
      place, {"cache", client, keys.empty() ? "" : keys.front()},
      writes.size() > named_max
          ? fmt::format("Cache of {}: {} objects in one change", client, writes.size())
          : fmt::format("Cache of {}: {}", client, words));
  for (std::size_t i = 1; i < keys.size(); ++i) {
    const std::size_t number = context_.log.keys().number_of(keys[i]);
    if (std::ranges::find(event.keys, number) == event.keys.end()) {
      event.keys.push_back(number);
    }
  }
  for (const StoreWrite& write : writes) {
    store(event, client, write);
  }
}

/// What the task that gives back the lock of the store has written; nothing where it popped
/// nothing.
std::vector<QueueLane::StoreWrite> QueueLane::next_write(ClientState& state,
                                                         const std::string& task) {
  std::deque<std::vector<StoreWrite>>& writes = state.writes[task];
  std::vector<StoreWrite> next;
  if (!writes.empty()) {
    next = std::move(writes.front());
    writes.pop_front();
  } else if (state.is_store && !state.arrivals.empty()) {
    const MessageText& arrival = state.arrivals.front();
    next = {{.type = arrival.type, .key = arrival.key, .revision = arrival.revision}};
    state.arrivals.pop_front();
  }
  return next;
}

void QueueLane::store(PageEvent& event, const std::string& client, const StoreWrite& write) {
  if (is_list(write)) {
    clear_cache(event, client);
    for (const auto& [key, revision] : write.list) {
      set_cached(event, client, key, revision);
    }
    name_keys(event, write.list);
  } else if (write.type != "Bookmark") {
    const std::string revision = write.revision.empty() ? "?" : write.revision;  // of a program
    set_cached(event, client, write.key, is_deletion(write) ? "" : revision);
  }
}

void QueueLane::set_cached(PageEvent& event, const std::string& client, const std::string& key,
                           const std::string& revision) {
  ClientState& state = clients_[client];
  const std::vector<std::string> before = labels_of(key, cached(client, key));
  const std::vector<std::string> after = labels_of(key, revision);
  if (revision.empty()) {
    state.cache.erase(key);
  } else {
    state.cache[key] = revision;
  }
  context_.log.set(event, {"clients", client, "cache", context_.log.key_name(key),
                           revision.empty() ? boost::json::value() : boost::json::value(revision)});
  if (!state.is_indexed) {
    return;
  }
  for (const std::string& label : before) {
    if (std::ranges::find(after, label) == after.end()) {
      std::set<std::string> keys = state.index[label];
      keys.erase(key);
      set_indexed(event, client, label, std::move(keys));
    }
  }
  for (const std::string& label : after) {
    std::set<std::string> keys = state.index[label];
    if (keys.insert(key).second) {
      set_indexed(event, client, label, std::move(keys));
    }
  }
}

void QueueLane::clear_cache(PageEvent& event, const std::string& client) {
  ClientState& state = clients_[client];
  context_.log.set(event, {"clients", client, "cache", boost::json::object()});
  state.cache.clear();
  if (!state.index.empty()) {
    context_.log.set(event, {"clients", client, "index", boost::json::object()});
    state.index.clear();
  }
}

std::vector<std::string> QueueLane::labels_of(const std::string& key,
                                              const std::string& revision) const {
  const auto found = labels_.find({key, revision});
  return found == labels_.end() ? std::vector<std::string>() : found->second;
}

void QueueLane::set_indexed(PageEvent& event, const std::string& client, const std::string& label,
                            std::set<std::string> keys) {
  boost::json::array numbers;
  for (const std::string& key : keys) {
    numbers.emplace_back(context_.log.keys().number_of(key));
  }
  context_.log.set(event, {"clients", client, "index", label,
                           keys.empty() ? boost::json::value() : boost::json::value(numbers)});
  if (keys.empty()) {
    clients_[client].index.erase(label);
  } else {
    clients_[client].index[label] = std::move(keys);
  }
}

std::string QueueLane::cached(const std::string& client, const std::string& key) const {
  const auto state = clients_.find(client);
  if (state == clients_.end()) {
    return "";
  }
  const auto found = state->second.cache.find(key);
  return found == state->second.cache.end() ? "" : found->second;
}

void QueueLane::correct(const sim::NoteRecord& note, const std::string& client,
                        const std::string& key, const std::string& revision) {
  if (cached(client, key) == revision) {
    return;
  }
  ++corrected_;
  PageEvent& event =
      context_.event(note, {"cache", client, key},
                     fmt::format("Cache of {}: {} {}, as the record has it", client, shortened(key),
                                 revision.empty() ? "is not there" : "is at revision " + revision));
  set_cached(event, client, key, revision);
}

void QueueLane::settle(const sim::NoteRecord& note, const std::string& client,
                       const std::map<std::string, std::string>& stored) {
  const std::map<std::string, std::string> shown = clients_[client].cache;
  for (const auto& [key, revision] : stored) {
    correct(note, client, key, revision);
  }
  for (const auto& [key, revision] : shown) {
    if (!stored.contains(key)) {
      correct(note, client, key, "");
    }
  }
  settle_index(note, client);
}

/// An index that does not say what the store holds is shown as the record has it.
void QueueLane::settle_index(const sim::NoteRecord& note, const std::string& client) {
  const auto& record = context_.seen.record;
  const auto found =
      record ? record->indices.find(client) : decltype(record->indices.find(client))();
  if (!record || found == record->indices.end()) {
    return;
  }
  std::map<std::string, std::set<std::string>> recorded;
  for (const auto& [label, keys] : found->second) {
    recorded[label] = {keys.begin(), keys.end()};
  }
  const std::map<std::string, std::set<std::string>> shown = clients_[client].index;
  if (recorded == shown) {
    return;
  }
  ++corrected_;
  PageEvent& event = context_.event(note, {"cache", client},
                                    fmt::format("Index of {}, as the record has it", client));
  for (const auto& [label, keys] : shown) {
    if (!recorded.contains(label)) {
      set_indexed(event, client, label, {});
    }
  }
  for (const auto& [label, keys] : recorded) {
    set_indexed(event, client, label, keys);
  }
}

}  // namespace watchlab::scenarios
