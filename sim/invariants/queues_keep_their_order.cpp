#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "sim/invariants/properties.hpp"
#include "sim/invariants/reading.hpp"

namespace watchlab::sim::invariants {
namespace {

/// When one or several changes of a key arrived, or a list, which says when no key arrived.
struct Arrival {
  runtime::TimePoint at;
  std::string key;  ///< "" for a list
  bool deleted = false;
};

std::vector<Arrival> arrivals_of(const Record& record, const std::string& client) {
  std::vector<Arrival> arrived;
  for (std::size_t i = 0; i < record.requests.size() && i < record.answers.size(); ++i) {
    const AnswerRecord& answer = record.answers[i];
    if (record.requests[i].client != client) {
      continue;
    }
    if (record.requests[i].verb == "LIST" && answer.at) {
      arrived.push_back({.at = *answer.at, .key = ""});
    }
    for (const FrameRecord& frame : answer.frames) {
      if (frame.event.object && frame.event.type != watch::EventType::Bookmark) {
        arrived.push_back({.at = frame.at,
                           .key = api::key_of(frame.event.object->metadata),
                           .deleted = frame.event.type == watch::EventType::Deleted});
      }
    }
  }
  std::stable_sort(arrived.begin(), arrived.end(),
                   [](const Arrival& a, const Arrival& b) { return a.at < b.at; });
  return arrived;
}

/// When the key of a pop came into the queue: with the first change since the pop before. Nothing
/// where that is not certain: after a list, when both were at once, or once it was deleted, since
/// who comes back may find its old place (docs/known_live.md).
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

}  // namespace

std::optional<std::string> broken_queues_keep_their_order(const Record& record) {
  for (const ClientRecord& client : record.clients) {
    if (client.keeps_store) {
      continue;
    }
    const std::vector<Arrival> arrived = arrivals_of(record, client.name);
    std::map<std::string, const PopRecord*> last;
    std::set<std::string> put_back;            // at a place that nothing shows
    std::optional<runtime::TimePoint> newest;  // of those that were popped before
    for (const PopRecord& pop : record.pops) {
      if (pop.client != client.name) {
        continue;
      }
      const PopRecord*& before = last[pop.key];
      const auto since = before == nullptr || put_back.contains(pop.key)
                             ? std::nullopt
                             : queued_since(arrived, pop, before);
      if (since && newest && *since < *newest) {
        return fmt::format("{} pops {} after another that came later", client.name,
                           words_for_state(pop.key, revision_of(pop.object)));
      }
      newest = since && newest ? std::max(*newest, *since) : since ? since : newest;
      before = &pop;
      if (pop.failed) {
        put_back.insert(pop.key);
      }
    }
  }
  return std::nullopt;
}

}  // namespace watchlab::sim::invariants
