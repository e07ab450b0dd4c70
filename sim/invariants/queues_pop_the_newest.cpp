#include <fmt/format.h>

#include <map>
#include <set>

#include "sim/invariants/properties.hpp"
#include "sim/invariants/reading.hpp"

namespace watchlab::sim::invariants {
namespace {

/// What has arrived on the watches of a client, by key, in the order of arrival; but not what came
/// at the moment of its stop or later, which a reflector that stops need not queue.
std::map<std::string, std::vector<const FrameRecord*>> changes_by_key(const Record& record,
                                                                      const std::string& client) {
  std::map<std::string, std::vector<const FrameRecord*>> arrived;
  const auto stopped = record.stopped.find(client);
  for (std::size_t i = 0; i < record.requests.size() && i < record.answers.size(); ++i) {
    if (record.requests[i].client != client || record.requests[i].verb != "WATCH") {
      continue;
    }
    for (const FrameRecord& frame : record.answers[i].frames) {
      const bool is_change = frame.event.type != watch::EventType::Error &&
                             frame.event.type != watch::EventType::Bookmark;
      const bool in_time = stopped == record.stopped.end() || frame.at < stopped->second;
      if (is_change && in_time && frame.event.object) {
        arrived[api::key_of(frame.event.object->metadata)].push_back(&frame);
      }
    }
  }
  return arrived;
}

/// The newest change of the object that had arrived at an earlier moment than the pop.
const FrameRecord* newest_before(const std::vector<const FrameRecord*>& arrived,
                                 const PopRecord& pop) {
  const FrameRecord* newest = nullptr;
  for (const FrameRecord* frame : arrived) {
    if (frame->at < pop.at) {
      newest = frame;
    }
  }
  return newest;
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
    const FrameRecord* const told = newest_before(arrived_[pop.key], pop);
    const bool is_old = is_earlier(revision, newest) ||
                        (told != nullptr && is_earlier(revision, revision_of(told->event.object)));
    const bool outdated = is_old && !was_put_back(pop.key, revision);
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
  /// A consumer that puts a state back gets it once more, whatever has happened meanwhile. It takes
  /// its time over that, and may get the same state from a list before.
  bool was_put_back(const std::string& key, const std::string& revision) {
    auto& states = put_back_[key];
    const auto state = states.find(revision);
    const bool was = state != states.end();
    if (was) {
      states.erase(state);
    }
    return was;
  }

  std::map<std::string, std::vector<const FrameRecord*>> arrived_;
  std::map<std::string, std::multiset<std::string>> put_back_;  // revisions by key
  Revisions newest_;
};

std::optional<std::string> wrong_pops(const Record& record, const ClientRecord& client) {
  Pops pops(record, client.name);
  for (const PopRecord& pop : record.pops) {
    if (pop.client == client.name && pops.is_outdated(pop)) {
      return fmt::format("{} pops {}, although it was told of a newer state", client.name,
                         words_for_state(pop.key, revision_of(pop.object)));
    }
  }
  if (!knows_everything(record, client)) {
    return std::nullopt;
  }
  for (const auto& [key, revision] : truth_for(record, client)) {
    const auto newest = pops.newest().find(key);
    if (newest == pops.newest().end() || newest->second != revision) {
      return fmt::format("{} is quiet and has never popped {}", client.name,
                         words_for_state(key, revision));
    }
  }
  return std::nullopt;
}

}  // namespace

std::optional<std::string> broken_queues_pop_the_newest(const Record& record) {
  for (const ClientRecord& client : record.clients) {
    if (client.keeps_store) {
      continue;
    }
    if (auto sentence = wrong_pops(record, client)) {
      return sentence;
    }
  }
  return std::nullopt;
}

}  // namespace watchlab::sim::invariants
