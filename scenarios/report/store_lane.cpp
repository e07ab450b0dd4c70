#include <fmt/format.h>

#include <utility>

#include "scenarios/report/lanes.hpp"

namespace watchlab::scenarios {
namespace {

constexpr std::string_view kStoreLock = "shared mutex 'store'";

}  // namespace

/// What a task has popped is written into the store under the store's lock, a delta at a time: the
/// moment at which it gives the lock back is when a reader can see it. So the lane also shows a
/// library that stores too late, or not at all.
void QueueLane::take(const sim::WitnessedStep& step) {
  if (step.done.kind != sim::OperationKind::WriteUnlock || step.done.object != kStoreLock) {
    return;
  }
  const std::string& task = context_.seen.witness.name(step.done.actor);
  const std::string client = context_.client_of(task);
  const auto found = clients_.find(client);
  if (found == clients_.end()) {
    return;
  }
  ClientState& state = found->second;
  std::deque<StoreWrite>& writes = state.writes[task];
  StoreWrite write;
  if (!writes.empty()) {
    write = std::move(writes.front());
    writes.pop_front();
  } else if (state.is_store && !state.arrivals.empty()) {
    const MessageText& arrival = state.arrivals.front();
    write = {.type = arrival.type, .key = arrival.key, .revision = arrival.revision};
    state.arrivals.pop_front();
  } else {
    return;
  }
  const bool is_list = write.type == "Replace";
  const bool is_deletion = write.type == "Deleted" || write.type == "DELETED";
  const std::string words =
      is_list ? fmt::format("Cache of {}: the whole list, {} objects", client, write.list.size())
              : fmt::format("Cache of {}: {} {}", client, shortened(write.key),
                            is_deletion              ? "is gone"
                            : write.revision.empty() ? "is there"
                                                     : "is at revision " + write.revision);
  const sim::NoteRecord place{.at = step.at, .step = step.step, .task = task};
  PageEvent& event = is_list ? context_.event(place, {"cache", client}, words)
                             : context_.event(place, {"cache", client, write.key}, words);
  store(event, client, write);
}

void QueueLane::store(PageEvent& event, const std::string& client, const StoreWrite& write) {
  ClientState& state = clients_[client];
  if (write.type == "Replace") {
    context_.log.set(event, {"clients", client, "cache", boost::json::object()});
    state.cache.clear();
    for (const auto& [key, revision] : write.list) {
      set_cached(event, client, key, revision);
    }
    return;
  }
  const bool is_deletion = write.type == "Deleted" || write.type == "DELETED";
  const std::string revision = write.revision.empty() ? "?" : write.revision;  // of a program
  set_cached(event, client, write.key, is_deletion ? "" : revision);
}

void QueueLane::set_cached(PageEvent& event, const std::string& client, const std::string& key,
                           const std::string& revision) {
  ClientState& state = clients_[client];
  if (revision.empty()) {
    state.cache.erase(key);
  } else {
    state.cache[key] = revision;
  }
  context_.log.set(event, {"clients", client, "cache", context_.log.key_name(key),
                           revision.empty() ? boost::json::value() : boost::json::value(revision)});
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
}

}  // namespace watchlab::scenarios
