#include <algorithm>
#include <map>

#include "core/api/options.hpp"
#include "sim/faults/fault_catalogue.hpp"
#include "sim/faults/fault_effects.hpp"

namespace watchlab::sim {

namespace {

watch::Event with_revision(const watch::Event& event, const std::string& revision) {
  api::Object object = *event.object;
  object.metadata.resource_version = revision;
  return {event.type, std::make_shared<const api::Object>(std::move(object)), nullptr};
}

Revision revision_of(const watch::Event& event) {
  return parse_revision(event.object->metadata.resource_version).value_or(0);
}

/// A change stays and the bookmark follows it; a bookmark is replaced.
class BookmarkAhead : public EventFault {
 public:
  explicit BookmarkAhead(const FaultParameters& parameters) : by_(parameters.integer("by")) {}

 private:
  Verdict on_event(const MessageContext& /*context*/, const watch::Event& event) override {
    if (event.object == nullptr) {
      return Pass{};
    }
    api::Object bookmark{.api_version = event.object->api_version, .kind = event.object->kind};
    bookmark.metadata.resource_version = revision_text(revision_of(event) + by_);
    const watch::Event ahead{watch::EventType::Bookmark,
                             std::make_shared<const api::Object>(std::move(bookmark)), nullptr};
    return event.type == watch::EventType::Bookmark ? Rewrite{{ahead}} : Rewrite{{event, ahead}};
  }

  Revision by_;
};

class DropEvent : public EventFault {
 private:
  Verdict on_event(const MessageContext& /*context*/, const watch::Event& event) override {
    return is_change(event) ? Verdict(Drop{}) : Verdict(Pass{});
  }
};

/// A plain watch in place of a streamed list: neither what is older than the revision that was
/// asked for, nor a mark.
class IgnoreSendInitialEvents : public EventFault {
 private:
  Verdict on_event(const MessageContext& context, const watch::Event& event) override {
    if (event.object == nullptr) {
      return Pass{};
    }
    const api::ListOptions& asked = context.request.options;
    const bool is_past = asked.send_initial_events.value_or(false) && is_change(event) &&
                         revision_of(event) <= parse_revision(asked.resource_version).value_or(0);
    const bool is_mark =
        event.type == watch::EventType::Bookmark &&
        event.object->metadata.annotations.contains(std::string(api::kInitialEventsEnd));
    return is_past || is_mark ? Verdict(Rewrite{}) : Verdict(Pass{});
  }
};

class RepeatRevision : public EventFault {
 private:
  Verdict on_event(const MessageContext& context, const watch::Event& event) override {
    if (event.object == nullptr) {
      return Pass{};
    }
    std::string& last = last_[context.exchange];
    const std::string before = std::exchange(last, event.object->metadata.resource_version);
    return before.empty() ? Verdict(Pass{}) : Verdict(Rewrite{{with_revision(event, before)}});
  }

  std::map<std::uint64_t, std::string> last_;  // by stream
};

class ReplayEvent : public EventFault {
 private:
  Verdict on_event(const MessageContext& context, const watch::Event& event) override {
    if (!is_change(event)) {
      return Pass{};
    }
    watch::Event& last = last_[context.exchange];
    const watch::Event before = std::exchange(last, event);
    return before.object == nullptr ? Verdict(Pass{}) : Verdict(Rewrite{{event, before}});
  }

  std::map<std::uint64_t, watch::Event> last_;  // by stream
};

class RevisionBack : public EventFault {
 public:
  explicit RevisionBack(const FaultParameters& parameters) : by_(parameters.integer("by")) {}

 private:
  Verdict on_event(const MessageContext& /*context*/, const watch::Event& event) override {
    if (event.object == nullptr) {
      return Pass{};
    }
    const Revision back = std::max<Revision>(revision_of(event) - by_, 1);
    return Rewrite{{with_revision(event, revision_text(back))}};
  }

  Revision by_;
};

class StaleDelete : public EventFault {
 private:
  Verdict on_event(const MessageContext& context, const watch::Event& event) override {
    if (!is_change(event)) {
      return Pass{};
    }
    const std::string_view revision = event.object->metadata.resource_version;
    const auto known =
        last_.emplace(std::pair(context.exchange, api::key_of(event.object->metadata)), "1").first;
    if (event.type != watch::EventType::Deleted) {
      known->second = revision;
      return Pass{};
    }
    return Rewrite{{with_revision(event, known->second)}};
  }

  // The last revision that a stream has shown of an object.
  std::map<std::pair<std::uint64_t, std::string>, std::string> last_;
};

class SuppressBookmarks : public EventFault {
 private:
  Verdict on_event(const MessageContext& /*context*/, const watch::Event& event) override {
    return event.type == watch::EventType::Bookmark ? Verdict(Rewrite{}) : Verdict(Pass{});
  }
};

}  // namespace

std::vector<FaultEntry> event_faults() {
  return {
      {.name = "bookmark_ahead",
       .numbers = {38},
       .doc = "A bookmark carries a revision that the server has not reached yet, so the client "
              "misses everything up to it.",
       .legality = Legality::Illegal,
       .parameters = {{"by", ParameterKind::Integer, std::int64_t{100}, "By how many revisions."}},
       .make = make_effect<BookmarkAhead>},
      {.name = "drop_event",
       .numbers = {42},
       .doc = "An event is lost, the stream goes on, and the client does not notice.",
       .legality = Legality::Illegal,
       .make = make_effect<DropEvent>},
      {.name = "ignore_send_initial_events",
       .numbers = {71},
       .doc = "A server without streamed lists ignores `sendInitialEvents`: it sends a plain "
              "watch, and no bookmark marks the end of the initial events.",
       .legality = Legality::Illegal,
       .make = make_effect<IgnoreSendInitialEvents>},
      {.name = "repeat_revision",
       .numbers = {40},
       .doc = "An event carries the same revision as the previous event on its stream.",
       .legality = Legality::Illegal,
       .make = make_effect<RepeatRevision>},
      {.name = "replay_event",
       .numbers = {41},
       .doc = "An event is repeated after a newer one, so an older state follows a newer one.",
       .legality = Legality::Illegal,
       .make = make_effect<ReplayEvent>},
      {.name = "revision_back",
       .numbers = {39},
       .doc = "Events and bookmarks carry older revisions than they should.",
       .legality = Legality::Illegal,
       .parameters = {{"by", ParameterKind::Integer, std::int64_t{10}, "By how many revisions."}},
       .make = make_effect<RevisionBack>},
      {.name = "stale_delete",
       .numbers = {44},
       .doc = "DELETED events carry an old revision instead of the deletion's.",
       .legality = Legality::Illegal,
       .make = make_effect<StaleDelete>},
      {.name = "suppress_bookmarks",
       .numbers = {45},
       .doc = "Bookmarks are never sent, not even those that end streamed lists.",
       .legality = Legality::Illegal,
       .make = make_effect<SuppressBookmarks>},
  };
}

}  // namespace watchlab::sim
