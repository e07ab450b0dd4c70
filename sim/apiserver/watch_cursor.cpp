#include "sim/apiserver/watch_cursor.hpp"

#include <algorithm>
#include <array>
#include <memory>
#include <utility>

#include "core/runtime/ensure.hpp"
#include "sim/apiserver/status_bodies.hpp"

namespace watchlab::sim {

namespace {

/// E4: how long a watch waits for its cache to come to the revision that was asked for.
constexpr runtime::Duration kFreshWait = std::chrono::seconds(3);
/// W22: the last bookmark comes so long before the end that the client has it in time.
constexpr runtime::Duration kBookmarkBeforeDeadline = std::chrono::seconds(2);
/// V4 and W26: how often a bookmark is offered to a watch that still needs one for its mark.
constexpr runtime::Duration kBookmarkTick = std::chrono::seconds(1);

}  // namespace

std::string_view to_string(WatchEnd end) {
  static constexpr std::array<std::string_view, 7> kNames{
      "open", "timeout", "failed", "slow client", "cache reset", "shutdown", "cancelled"};
  return kNames.at(static_cast<std::size_t>(end));
}

WatchCursor::WatchCursor(WatchPlan plan, ObjectFilter filter, WatchCursorOptions options)
    : plan_(plan), filter_(std::move(filter)), options_(std::move(options)) {}

/// W13 to W15: a streamed list begins when the cache has come to what was asked for, or to what the
/// store held when the request came.
void WatchCursor::open(const WatchCache& cache, Revision store_revision, runtime::TimePoint now) {
  if (plan_.initial_events) {
    needed_ = plan_.reach_store ? store_revision : plan_.revision;
  }
  give_up_ = now + kFreshWait;
  cache_moved(cache, now);
}

void WatchCursor::cache_moved(const WatchCache& cache, runtime::TimePoint now) {
  if (!begun_ && end_ == WatchEnd::Open && cache.revision() >= needed_) {
    begin(cache, now);
  }
}

/// Where the watch begins decides which changes are new to it (`seen_`, W23) and from which
/// revision on a bookmark would say something (`begun_at_`, W22).
void WatchCursor::begin(const WatchCache& cache, runtime::TimePoint now) {
  begun_ = true;
  if (plan_.initial_events) {
    begin_with_snapshot(cache, now);
  } else if (plan_.from_now) {
    seen_ = cache.revision();
  } else {
    replay_window(cache, now);
  }
  begun_at_ = std::max(plan_.revision, plan_.initial_events || plan_.from_now ? seen_ : 0);
  schedule_bookmark(now);
}

/// W11, W13 to W15: an ADDED for each object that the selector shows, then the mark. What changes
/// while these are sent waits behind them. V4: a mark that comes later comes behind that, too.
void WatchCursor::begin_with_snapshot(const WatchCache& cache, runtime::TimePoint now) {
  seen_ = cache.revision();
  for (const auto& [key, object] : cache.objects()) {
    if (filter_.matches(*object)) {
      initial_.push_back({{watch::EventType::Added, object, nullptr}, now});
    }
  }
  if (plan_.marks_initial_end) {
    mark_at_ = now + kBookmarkTick;
  }
  if (plan_.marks_initial_end && options_.marks_at_once) {
    mark_behind_ = initial_.size();
    initial_.push_back({bookmark(seen_, true), now});
  }
}

/// W12, and W24 for what is too old: the window must have every change after N, so N may be one
/// less than the oldest.
void WatchCursor::replay_window(const WatchCache& cache, runtime::TimePoint now) {
  seen_ = plan_.revision;
  if (plan_.revision < cache.oldest() - 1) {
    fail(options_.cached ? status_bodies::watch_too_old(plan_.revision, cache.oldest())
                         : status_bodies::uncached_watch_too_old(),
         now);
    return;
  }
  for (const Change& change : cache.changes_after(plan_.revision)) {
    if (std::optional<watch::Event> event = event_for(change)) {
      initial_.push_back({std::move(*event), now});
    }
    seen_ = change.revision;
  }
}

/// W5: the answer was 200 already, so the error is an event, and the last one.
void WatchCursor::fail(api::Status status, runtime::TimePoint now) {
  initial_.clear();
  live_.clear();
  initial_.push_back(
      {{watch::EventType::Error, nullptr, std::make_shared<const api::Status>(std::move(status))},
       now});
  end_ = WatchEnd::Failed;
}

/// W12 and W23: what the client has asked to be behind of, or has been sent, is passed over. W26: a
/// queue that is too long starts the clock, and only `take` stops it.
void WatchCursor::offer(const Change& change, runtime::TimePoint now) {
  if (!begun_ || end_ != WatchEnd::Open || change.revision <= seen_) {
    return;
  }
  offer_mark(seen_, now);
  seen_ = change.revision;
  std::optional<watch::Event> event = event_for(change);
  if (!event) {
    return;
  }
  live_.push_back({std::move(*event), now});
  if (live_.size() > options_.queue_max && !evict_at_) {
    evict_at_ = now + options_.slow_budget;
  }
}

/// W25, W27 and W28: an end that the server brings about at once. The first one counts: a cursor
/// that has failed still owes its client the ERROR.
void WatchCursor::end(WatchEnd why) {
  if (end_ == WatchEnd::Open) {
    end_ = why;
    live_.clear();
    initial_.clear();
  }
}

void WatchCursor::end_behind_events(WatchEnd why) {
  if (end_ == WatchEnd::Open) {
    end_ = why;
  }
}

/// Time first: a bookmark or the end may be due although nothing has changed.
std::optional<Frame> WatchCursor::take(const WatchCache& cache, runtime::TimePoint now) {
  pass_time(cache, now);
  for (std::deque<Frame>* queue : {&initial_, &live_}) {
    if (!queue->empty()) {
      Frame frame = std::move(queue->front());
      queue->pop_front();
      mark_behind_ = mark_behind_.value_or(0) > 0 ? std::optional(*mark_behind_ - 1) : std::nullopt;
      if (live_.size() <= options_.queue_max) {
        evict_at_.reset();
      }
      return frame;
    }
  }
  return std::nullopt;
}

/// At most one thing a moment, the most urgent first: E4 for a revision that has not come, W26,
/// W27, W22. No bookmark while events wait: it would overtake them in what it promises.
void WatchCursor::pass_time(const WatchCache& cache, runtime::TimePoint now) {
  if (end_ != WatchEnd::Open) {
    return;
  }
  if (!begun_ && now >= give_up_) {
    fail(status_bodies::too_large_revision(needed_, cache.revision()), now);
  } else if (evict_at_ && now >= *evict_at_) {
    evict();
  } else if (now >= options_.deadline) {
    end(WatchEnd::Timeout);
  } else if (mark_at_ && now >= *mark_at_ && !options_.marks_at_once) {
    offer_mark(std::max(seen_, cache.revision()), now);
  } else if (next_bookmark_ && now >= *next_bookmark_ && waiting() == 0) {
    if (cache.revision() > begun_at_ && cache.revision() >= seen_) {
      live_.push_back({bookmark(cache.revision(), false), now});
    }
    schedule_bookmark(now);
  }
}

/// W26: a bookmark gets into the queue of live events only while that has room. Where the mark does
/// not stand behind the initial events already, this bookmark is the mark.
void WatchCursor::offer_mark(Revision revision, runtime::TimePoint now) {
  if (!mark_at_ || now < *mark_at_) {
    return;
  }
  if (live_.size() >= options_.queue_max) {
    mark_at_ = now + kBookmarkTick;
    return;
  }
  mark_at_.reset();
  mark_received_ = true;
  if (!options_.marks_at_once) {
    mark_behind_ = waiting();
    live_.push_back({bookmark(revision, true), now});
  }
}

/// W26: what the channel to the client holds is still sent. What waits behind it is lost, unless
/// the mark that the watch has received is there: with it the client has its list, and resumes from
/// there. What did not fit into the queue is lost in any case.
void WatchCursor::evict() {
  end_ = WatchEnd::SlowClient;
  const bool drains = mark_received_ && mark_behind_.value_or(0) >= options_.queue_max;
  if (!drains) {
    initial_.resize(std::min(initial_.size(), options_.queue_max));
  }
  const std::size_t before = drains ? 0 : initial_.size();
  live_.resize(std::min(live_.size(), options_.queue_max - before));
}

/// W22: each period, and once more before the deadline, so that the next watch begins late enough
/// to be in the window.
void WatchCursor::schedule_bookmark(runtime::TimePoint now) {
  next_bookmark_.reset();
  if (!options_.bookmarks || !options_.cached) {
    return;
  }
  const runtime::TimePoint last = options_.deadline - kBookmarkBeforeDeadline;
  if (now < last) {
    next_bookmark_ = std::min(now + options_.bookmark_period, last);
  }
}

/// What is queued belongs to the stream, so the end is seen only behind it.
WatchEnd WatchCursor::ended() const { return waiting() == 0 ? end_ : WatchEnd::Open; }

/// The earliest moment at which `pass_time` would do something.
std::optional<runtime::TimePoint> WatchCursor::next_wake() const {
  if (end_ != WatchEnd::Open) {
    return std::nullopt;
  }
  runtime::TimePoint wake = options_.deadline;
  const auto mark = options_.marks_at_once ? std::nullopt : mark_at_;
  for (const auto& other : {next_bookmark_, evict_at_, mark}) {
    wake = other ? std::min(wake, *other) : wake;
  }
  return begun_ ? wake : std::min(wake, give_up_);
}

/// W20 and W21: by whether the object is selected now and was before.
std::optional<watch::Event> WatchCursor::event_for(const Change& change) const {
  const bool deleted = change.type == watch::EventType::Deleted;
  const bool is_in = !deleted && filter_.matches(*change.object);
  const bool was_in = change.previous != nullptr && filter_.matches(*change.previous);
  if (is_in) {
    return watch::Event{was_in ? watch::EventType::Modified : watch::EventType::Added,
                        change.object, nullptr};
  }
  if (!was_in) {
    return std::nullopt;
  }
  if (deleted) {
    return watch::Event{watch::EventType::Deleted, change.object, nullptr};
  }
  // The object has left the selection: the body is the last one that belonged to it, the revision
  // that of the change, or the client would resume in the past.
  api::Object last = *change.previous;
  last.metadata.resource_version = revision_text(change.revision);
  return watch::Event{watch::EventType::Deleted,
                      std::make_shared<const api::Object>(std::move(last)), nullptr};
}

watch::Event WatchCursor::bookmark(Revision revision, bool initial_end) const {
  api::Object object{.api_version = options_.api_version, .kind = options_.kind};
  object.metadata.resource_version = revision_text(revision);
  if (initial_end) {
    object.metadata.annotations[std::string(api::kInitialEventsEnd)] = "true";
  }
  return {watch::EventType::Bookmark, std::make_shared<const api::Object>(std::move(object)),
          nullptr};
}

}  // namespace watchlab::sim
