#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <boost/unordered/unordered_flat_map.hpp>
#include <boost/unordered/unordered_flat_set.hpp>
#include <ranges>
#include <span>

#include "sim/invariants/families.hpp"
#include "sim/invariants/reading.hpp"

namespace watchlab::sim::invariants {
namespace {

/// A watch that was accepted, as its events reached the client. All of it lies in the record.
class WatchReading {
 public:
  explicit WatchReading(const Answered& watch)
      : client(watch.request.client),
        from(watch.request.options.resource_version),
        request(watch.request),
        has_first_state(from.empty() || from == "0" || streams_a_list(watch.request)),
        all_(watch.answer.frames) {}

  /// All frames but errors, in the order of arrival.
  [[nodiscard]] auto frames() const { return all_ | std::views::filter(carries_an_object); }
  /// Of these no bookmarks, and no first state.
  [[nodiscard]] auto changes() const {
    const auto is_first_state = [](const FrameRecord& frame) {
      return !carries_an_object(frame) || frame.event.type == watch::EventType::Added;
    };
    const auto first =
        has_first_state ? std::ranges::find_if_not(all_, is_first_state) : all_.begin();
    return std::span(first, all_.end()) |
           std::views::filter([](const FrameRecord& frame) { return is_change(frame.event); });
  }

  const std::string& client;
  const std::string& from;  ///< the revision that was asked for
  const RequestRecord& request;
  const bool has_first_state;

 private:
  static bool carries_an_object(const FrameRecord& frame) {
    return frame.event.type != watch::EventType::Error && frame.event.object != nullptr;
  }

  std::span<const FrameRecord> all_;
};

/// Whether it is about all namespaces, and the only collection in which anything was written.
bool looks_everywhere(const Record& record, const std::string& client) {
  const auto misses = [&](const ClientRecord& each) {
    return !each.namespace_.empty() ||
           std::ranges::any_of(record.writes, [&](const WriteRecord& write) {
             return write.resource != each.resource;
           });
  };
  return std::ranges::none_of(record.clients, [&](const ClientRecord& each) {
    return each.name == client && misses(each);
  });
}

auto watches_in(const Record& record) {
  const auto has_arrived = [](const Answered& each) {
    return each.request.verb == Verb::Watch && !each.answer.frames.empty();
  };
  return answered_requests(record) | std::views::filter(has_arrived) |
         std::views::transform([](const Answered& each) { return WatchReading(each); });
}

/// Whether it is from a revision, for all objects, and no fault has made events disappear from it:
/// then every write after that revision concerns it.
bool delivers_everything(const Record& record, const WatchReading& watch) {
  const api::ListOptions& options = watch.request.options;
  return !watch.has_first_state && looks_everywhere(record, watch.client) &&
         options.label_selector.empty() && options.field_selector.empty() &&
         watch.request.lost == 0;
}

/// The first write after a revision; null when there is none.
const WriteRecord* write_after(const Record& record, std::string_view revision) {
  const auto found = std::partition_point(
      record.writes.begin(), record.writes.end(),
      [&](const WriteRecord& write) { return !is_earlier(revision, write.revision); });
  return found == record.writes.end() ? nullptr : &*found;
}

Finding check_watch_is_ordered(const Record& record) {
  for (const WatchReading watch : watches_in(record)) {
    std::string_view last;
    for (const FrameRecord& frame : watch.changes()) {
      const std::string_view revision = revision_of(frame.event.object);
      if (!last.empty() && !is_earlier(last, revision)) {
        return fmt::format("the watch of {} from {} delivers {} after {}", watch.client, watch.from,
                           revision, last);
      }
      last = revision;
    }
  }
  return std::nullopt;
}

Finding check_watch_is_unique(const Record& record) {
  for (const WatchReading watch : watches_in(record)) {
    boost::unordered_flat_set<std::array<std::string_view, 3>> seen;
    for (const FrameRecord& frame : watch.frames()) {
      const api::ObjectMeta& metadata = frame.event.object->metadata;
      if (frame.event.type != watch::EventType::Bookmark &&
          !seen.insert({metadata.namespace_, metadata.name, metadata.resource_version}).second) {
        return fmt::format("the watch of {} from {} delivers {} twice", watch.client, watch.from,
                           describe_state(*frame.event.object));
      }
    }
  }
  return std::nullopt;
}

Finding check_watch_is_atomic(const Record& record) {
  boost::unordered_flat_map<std::string_view, const WriteRecord*> by_revision;
  for (const WriteRecord& write : record.writes) {
    by_revision[write.revision] = &write;
  }
  for (const WatchReading watch : watches_in(record)) {
    for (const FrameRecord& frame : watch.changes()) {
      const api::Object& object = *frame.event.object;
      const auto found = by_revision.find(object.metadata.resource_version);
      const bool fits = found != by_revision.end() &&
                        found->second->key == api::key_of(object.metadata) &&
                        (frame.event.type == watch::EventType::Deleted ||
                         (found->second->object && found->second->object->body == object.body));
      if (!fits) {
        return fmt::format("the watch of {} from {} delivers {}, which no write has made",
                           watch.client, watch.from, describe_state(object));
      }
    }
  }
  return std::nullopt;
}

Finding check_watch_is_bookmarkable(const Record& record) {
  for (const WatchReading watch : watches_in(record)) {
    std::string_view newest;
    std::string_view marked;
    for (const FrameRecord& frame : watch.frames()) {
      const std::string_view revision = revision_of(frame.event.object);
      if (frame.event.type == watch::EventType::Bookmark) {
        if (is_earlier(revision, newest)) {
          return fmt::format("the watch of {} is marked at {} after it has delivered {}",
                             watch.client, revision, newest);
        }
        marked = revision;
      } else if (!marked.empty() && !is_earlier(marked, revision)) {
        return fmt::format("the watch of {} delivers {} after it was marked at {}", watch.client,
                           revision, marked);
      }
      newest = is_earlier(newest, revision) ? revision : newest;
    }
  }
  return std::nullopt;
}

Finding check_watch_is_reliable(const Record& record) {
  for (const WatchReading watch : watches_in(record)) {
    if (!delivers_everything(record, watch)) {
      continue;
    }
    std::string_view reached;
    for (const FrameRecord& frame : watch.frames()) {
      const std::string_view revision = revision_of(frame.event.object);
      const WriteRecord* const next = reached.empty() ? nullptr : write_after(record, reached);
      if (next != nullptr && is_earlier(next->revision, revision)) {
        return fmt::format("the watch of {} goes from {} to {} and leaves out {}", watch.client,
                           reached, revision, describe_state(next->key, next->revision));
      }
      reached = revision;
    }
  }
  return std::nullopt;
}

Finding check_watch_is_resumable(const Record& record) {
  for (const WatchReading watch : watches_in(record)) {
    if (!delivers_everything(record, watch) || watch.frames().empty()) {
      continue;
    }
    const std::string_view revision = revision_of(watch.frames().front().event.object);
    const WriteRecord* const next = write_after(record, watch.from);
    if (next != nullptr && is_earlier(next->revision, revision)) {
      return fmt::format("the watch of {} from {} begins with {} and leaves out {}", watch.client,
                         watch.from, revision, describe_state(next->key, next->revision));
    }
  }
  return std::nullopt;
}

/// Bugs of servers that change what an event says.
std::vector<std::string_view> bugs_that_forge_events() {
  return {"repeat_revision", "replay_event", "restore_backup",
          "revision_back",   "stale_delete", "wrong_kind"};
}

/// Bugs of servers and proxies that lose events or change their revisions.
std::vector<std::string_view> bugs_that_lose_events() {
  return {"bookmark_ahead",  "drop_event",        "empty_event",    "garble_event",
          "repeat_revision", "replay_event",      "restore_backup", "revision_back",
          "stale_delete",    "unknown_event_type"};
}

}  // namespace

std::vector<Invariant> of_watches() {
  return {
      {.clause = "W1",
       .name = "watch_is_ordered",
       .doc = "The events of a watch come in the order of their revisions, except for the initial "
              "events of a watch from \"\" or \"0\".",
       .check = check_watch_is_ordered,
       .suspended_by = bugs_that_confuse_revisions()},
      {.clause = "W2",
       .name = "watch_is_unique",
       .doc = "No event comes twice on a watch.",
       .check = check_watch_is_unique,
       .suspended_by = bugs_that_confuse_revisions()},
      {.clause = "W3",
       .name = "watch_is_atomic",
       .doc = "An event carries the complete state that one write gave its object.",
       .check = check_watch_is_atomic,
       .suspended_by = bugs_that_forge_events()},
      {.clause = "W4",
       .name = "watch_is_bookmarkable",
       .doc = "All events after a bookmark are newer than it, and none before it are.",
       .check = check_watch_is_bookmarkable,
       .suspended_by = bugs_that_confuse_revisions()},
      {.clause = "W5",
       .name = "watch_is_reliable",
       .doc = "A watch leaves out no write between two of its events or bookmarks.",
       .check = check_watch_is_reliable,
       .suspended_by = bugs_that_lose_events()},
      {.clause = "W6",
       .name = "watch_is_resumable",
       .doc = "A watch from a revision starts with the first write after it.",
       .check = check_watch_is_resumable,
       .suspended_by = bugs_that_lose_events()},
  };
}

}  // namespace watchlab::sim::invariants
