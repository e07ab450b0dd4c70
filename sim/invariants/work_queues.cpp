#include <fmt/format.h>

#include <map>
#include <set>

#include "sim/invariants/families.hpp"
#include "sim/invariants/reading.hpp"

namespace watchlab::sim::invariants {
namespace {

/// A key of a work queue, after the client whose queue it is.
using QueuedKey = std::pair<std::string, std::string>;

Finding check_one_worker_a_key(const Record& record) {
  std::map<QueuedKey, std::string> worker_of;
  for (const WorkRecord& work : record.work) {
    if (work.type == WorkType::Done) {
      worker_of.erase({work.client, work.key});
    } else if (work.type == WorkType::Taken) {
      const auto [place, is_free] = worker_of.try_emplace({work.client, work.key}, work.worker);
      if (!is_free) {
        return fmt::format("{} takes {} while {} works on it", work.worker, work.key,
                           place->second);
      }
    }
  }
  return std::nullopt;
}

/// Since when a record that is closed in the middle of a resync may hold keys that wait for a
/// worker who is busy with the others.
runtime::TimePoint still_waiting_since(const Record& record, const ClientRecord& client) {
  std::set<std::string> keys;
  for (const WorkRecord* work : entries_of(record.work, client.name)) {
    keys.insert(work->key);
  }
  return record.closed - client.slowest * static_cast<int>(keys.size());
}

Finding check_dirty_keys_are_processed(const Record& record) {
  std::map<QueuedKey, runtime::TimePoint> dirty;
  for (const WorkRecord& work : record.work) {
    if (work.type == WorkType::Added) {
      dirty[{work.client, work.key}] = work.at;
    } else if (work.type == WorkType::Taken) {
      dirty.erase({work.client, work.key});
    }
  }
  for (const ClientRecord& client : record.clients) {
    const bool is_over = !is_running(record, client);
    const runtime::TimePoint late = still_waiting_since(record, client);
    const bool resyncs = client.resync > runtime::Duration::zero();
    std::erase_if(dirty, [&](const auto& key) {
      return key.first.first == client.name && (is_over || (resyncs && key.second >= late));
    });
  }
  if (record.quiet && !dirty.empty()) {
    return fmt::format("{} was added and no worker has taken it since",
                       dirty.begin()->first.second);
  }
  return std::nullopt;
}

Finding check_shutdowns_leave_no_key(const Record& record) {
  std::set<QueuedKey> waiting;
  for (const WorkRecord& work : record.work) {
    const auto stopped = record.stopped.find(work.client);
    const bool is_earlier_than_the_end =
        stopped != record.stopped.end() && work.at < stopped->second;
    // What a worker puts back itself waits for its time, and is forgotten at the end.
    if (work.type == WorkType::Added && work.worker.empty() && is_earlier_than_the_end) {
      waiting.insert({work.client, work.key});
    } else if (work.type == WorkType::Taken) {
      waiting.erase({work.client, work.key});
    }
  }
  if (record.quiet && !waiting.empty()) {
    return fmt::format("{} waited when the queue of {} was shut down, and no worker has taken it",
                       waiting.begin()->second, waiting.begin()->first);
  }
  return std::nullopt;
}

}  // namespace

std::vector<Invariant> of_work_queues() {
  return {
      {.clause = "C16",
       .name = "one_worker_a_key",
       .doc = "At most one worker at a time processes a key of a work queue.",
       .check = check_one_worker_a_key},
      {.clause = "C17",
       .name = "dirty_keys_are_processed",
       .doc = "Once everything is quiet, a worker has taken every key since it was last added to a "
              "work queue.",
       .check = check_dirty_keys_are_processed},
      {.clause = "I34",
       .name = "shutdowns_leave_no_key",
       .doc = "A key that is queued when its queue is shut down is still taken by a worker.",
       .check = check_shutdowns_leave_no_key,
       .extends = {"dirty_keys_are_processed"},
       .listed_after = "I28"},
  };
}

}  // namespace watchlab::sim::invariants
