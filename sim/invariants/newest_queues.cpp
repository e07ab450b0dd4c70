#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <span>

#include "sim/invariants/families.hpp"
#include "sim/invariants/reading.hpp"

namespace watchlab::sim::invariants {
namespace {

/// What has arrived on the watches of a client, by key, in the order of arrival; but not what came
/// at the moment of its stop or later, which a reflector that stops need not queue.
std::map<std::string, std::vector<const FrameRecord*>> changes_by_key(const Record& record,
                                                                      const std::string& client) {
  std::map<std::string, std::vector<const FrameRecord*>> arrived;
  const auto stopped = record.stopped.find(client);
  for (const auto& [request, answer] : answered_requests(record, client)) {
    if (request.verb != Verb::Watch) {
      continue;
    }
    for (const FrameRecord& frame : answer.frames) {
      const bool in_time = stopped == record.stopped.end() || frame.at < stopped->second;
      if (is_change(frame.event) && in_time) {
        arrived[api::key_of(frame.event.object->metadata)].push_back(&frame);
      }
    }
  }
  return arrived;
}

/// What one client pops, one after the other.
class Pops {
 public:
  Pops(const Record& record, const std::string& client)
      : arrived_(changes_by_key(record, client)) {}

  /// Whether a newer state was popped already, or had arrived.
  [[nodiscard]] bool is_outdated(const PopRecord& pop) {
    const std::string revision = revision_of(pop.object);
    std::string& newest = newest_[pop.key];
    const bool is_old = is_earlier(revision, newest) || has_received_newer(pop);
    // A consumer that puts a state back gets it once more, whatever has happened meanwhile. It
    // takes its time over that, and may get the same state from a list before.
    const bool outdated = is_old && put_back_[pop.key].extract(revision).empty();
    if (is_earlier(newest, revision)) {
      newest = revision;
    }
    if (pop.failed) {
      put_back_[pop.key].insert(revision);
    }
    return outdated;
  }

  /// The newest state that was popped of each key.
  [[nodiscard]] const Revisions& newest() const { return newest_; }

 private:
  /// Whether a change to a newer state had arrived at an earlier moment than the pop.
  [[nodiscard]] bool has_received_newer(const PopRecord& pop) {
    const auto& arrived = arrived_[pop.key];
    const auto newer = std::find_if(arrived.rbegin(), arrived.rend(),
                                    [&](const auto* frame) { return frame->at < pop.at; });
    return newer != arrived.rend() &&
           is_earlier(revision_of(pop.object), revision_of((*newer)->event.object));
  }

  std::map<std::string, std::vector<const FrameRecord*>> arrived_;
  std::map<std::string, std::multiset<std::string>> put_back_;  // revisions by key
  Revisions newest_;
};

Finding check_pops_of(const Record& record, const ClientRecord& client) {
  Pops pops(record, client.name);
  for (const PopRecord* pop : entries_of(record.pops, client.name)) {
    if (pops.is_outdated(*pop)) {
      return fmt::format("{} pops {}, although it was notified of a newer state", client.name,
                         describe_state(*pop));
    }
  }
  if (!knows_everything(record, client)) {
    return std::nullopt;
  }
  for (const auto& [key, revision] : truth_for(record, client)) {
    const auto newest = pops.newest().find(key);
    if (newest == pops.newest().end() || newest->second != revision) {
      return fmt::format("{} is quiet and has never popped {}", client.name,
                         describe_state(key, revision));
    }
  }
  return std::nullopt;
}

Finding check_queues_pop_the_newest(const Record& record) {
  for (const ClientRecord& client : record.clients) {
    const Finding finding = client.keeps_store ? std::nullopt : check_pops_of(record, client);
    if (finding) {
      return finding;
    }
  }
  return std::nullopt;
}

/// When one or several changes of a key arrived, or a list, which says when no key arrived.
struct Arrival {
  runtime::TimePoint at;
  std::string key;  ///< "" for a list
  bool deleted = false;
};

std::vector<Arrival> arrivals_of(const Record& record, const std::string& client) {
  std::vector<Arrival> arrived;
  for (const auto& [request, answer] : answered_requests(record, client)) {
    if (request.verb == Verb::List && answer.at) {
      arrived.push_back({.at = *answer.at, .key = ""});
    }
    const std::span<const FrameRecord> frames =
        streams_a_list(request) ? from_the_mark(answer) : std::span(answer.frames);
    if (streams_a_list(request) && !frames.empty()) {
      arrived.push_back({.at = frames.front().at, .key = ""});
    }
    for (const FrameRecord& frame : frames) {
      if (frame.event.object && frame.event.type != watch::EventType::Bookmark) {
        arrived.push_back({.at = frame.at,
                           .key = api::key_of(frame.event.object->metadata),
                           .deleted = frame.event.type == watch::EventType::Deleted});
      }
    }
  }
  std::ranges::stable_sort(arrived, {}, &Arrival::at);
  return arrived;
}

/// When the key of a pop came into the queue: with the first change since the pop before. Nothing
/// where that is not certain: after a list, when both were at once, or once it was deleted, since
/// a key that comes back may find its old place (docs/known_live.md).
std::optional<runtime::TimePoint> queued_since(const std::vector<Arrival>& arrived,
                                               const PopRecord& pop, const PopRecord* before) {
  std::optional<runtime::TimePoint> since;
  for (const Arrival& arrival : arrived) {
    const bool is_of_it = arrival.key == pop.key || arrival.key.empty();
    const bool is_over = before != nullptr && arrival.at < before->at && !arrival.deleted;
    if (!is_of_it || arrival.at > pop.at || is_over) {
      continue;
    }
    if (arrival.key.empty() || arrival.deleted || (before != nullptr && arrival.at == before->at)) {
      return std::nullopt;
    }
    since = since.value_or(arrival.at);
  }
  return since;
}

Finding check_queues_keep_their_order(const Record& record) {
  for (const ClientRecord& client : record.clients) {
    if (client.keeps_store) {
      continue;
    }
    const std::vector<Arrival> arrived = arrivals_of(record, client.name);
    std::map<std::string, const PopRecord*> last;
    std::set<std::string> put_back;            // at a place that nothing shows
    std::optional<runtime::TimePoint> newest;  // of those that were popped before
    for (const PopRecord* pop : entries_of(record.pops, client.name)) {
      const PopRecord*& before = last[pop->key];
      const auto since = before == nullptr || put_back.contains(pop->key)
                             ? std::nullopt
                             : queued_since(arrived, *pop, before);
      if (since && newest && *since < *newest) {
        return fmt::format("{} pops {} after another that came later", client.name,
                           describe_state(*pop));
      }
      newest = since && newest ? std::max(*newest, *since) : since ? since : newest;
      before = pop;
      if (pop->failed) {
        put_back.insert(pop->key);
      }
    }
  }
  return std::nullopt;
}

/// Whether by then the client had received a deletion, or a second list.
bool is_uncertain(const Record& record, const std::string& client, runtime::TimePoint then) {
  int lists = 0;
  bool deleted = false;
  for (const auto& [request, answer] : answered_requests(record, client)) {
    const bool is_list = request.verb == Verb::List && request.answer == AnswerKind::Ok;
    lists += is_list && (!answer.at || *answer.at <= then) ? 1 : 0;
    lists += streams_a_list(request) && !from_the_mark(answer).empty() ? 1 : 0;
    for (const FrameRecord& frame : answer.frames) {
      deleted = deleted || (frame.at <= then && frame.event.type == watch::EventType::Deleted);
    }
  }
  return lists > 1 || deleted;
}

Finding check_queues_sync_after_the_pops(const Record& record) {
  std::map<std::string, std::size_t> popped;
  for (const PopRecord& pop : record.pops) {
    const std::size_t earlier = popped[pop.client]++;
    const AnswerRecord* const list = first_list_of(record, pop.client);
    if (pop.synced && list != nullptr && earlier < list->list.items.size() &&
        !is_uncertain(record, pop.client, pop.at)) {
      return fmt::format("{} has synced after {} of the {} objects of its first list", pop.client,
                         earlier, list->list.items.size());
    }
  }
  return std::nullopt;
}

}  // namespace

std::vector<Invariant> of_newest_queues() {
  return {
      {.clause = "I25",
       .name = "queues_pop_the_newest",
       .doc = "A queue of newest states never returns anything older than what it was given, and "
              "in the end returns the newest state.",
       .check = check_queues_pop_the_newest,
       .needs_legal_world = true},
      {.clause = "I26",
       .name = "queues_keep_their_order",
       .doc = "Keys leave a queue of newest states in the order in which they arrived.",
       .check = check_queues_keep_their_order,
       .needs_legal_world = true},
      {.clause = "I27",
       .name = "queues_sync_after_the_pops",
       .doc =
           "A queue of newest states has not synced until all of its first list has been popped.",
       .check = check_queues_sync_after_the_pops,
       .needs_legal_world = true},
  };
}

}  // namespace watchlab::sim::invariants
