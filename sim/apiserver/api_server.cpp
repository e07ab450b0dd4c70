#include "sim/apiserver/api_server.hpp"

#include <algorithm>
#include <utility>

#include "core/api/object.hpp"
#include "core/runtime/ensure.hpp"
#include "sim/apiserver/list_page.hpp"
#include "sim/apiserver/read_rules.hpp"
#include "sim/apiserver/served_version.hpp"
#include "sim/apiserver/stamps.hpp"
#include "sim/apiserver/status_bodies.hpp"

namespace watchlab::sim {

namespace {

constexpr runtime::Duration kFreshWait = std::chrono::seconds(3);
constexpr std::uint64_t kTimeoutPurpose = 3;
constexpr unsigned kServerShift = 32;  // the upper half of a watch's number names its server

}  // namespace

ApiServer::ApiServer(ObjectStore& store, WritePath& writes, std::size_t number,
                     ApiServerOptions options)
    : store_(store),
      writes_(writes),
      options_(std::move(options)),
      started_at_(store.revision()),
      seen_(store.revision()),
      next_watch_((static_cast<WatchId>(number) << kServerShift) + 1) {}

Response ApiServer::handle(const Request& request, runtime::TimePoint now) {
  const ResourceType* type = writes_.types().find(request.resource);
  // What lives in no namespace is not to be found inside of one.
  if (type == nullptr || (!type->namespaced && !request.namespace_.empty())) {
    return response_of(status_bodies::unknown_resource());
  }
  Response response = answer(*type, request, now);
  show_as_served(*type, response);
  return response;
}

Response ApiServer::answer(const ResourceType& type, const Request& request,
                           runtime::TimePoint now) {
  switch (request.verb) {
    case Verb::Get:
      return get(type, request, now);
    case Verb::List:
      return list(type, request, now);
    case Verb::Watch:
      return watch(type, request, now);
    default:
      break;
  }
  return writes_.handle(type, request, now);
}

Response ApiServer::get(const ResourceType& type, const Request& request, runtime::TimePoint now) {
  const std::string& asked = request.options.resource_version;
  const std::optional<Revision> revision = asked.empty() ? 0 : parse_revision(asked);
  if (!revision) {
    return response_of(status_bodies::no_revision(asked));
  }
  ServedCollection& collection = served(type);
  if (std::optional<Response> other = wait_for(collection, *revision, request, now)) {
    return *other;
  }
  const std::string key = api::key_from(request.namespace_, request.name);
  const bool from_cache = !asked.empty() && is_cached(collection);
  api::ObjectPtr object = from_cache ? collection.cache().get(key) : store_.get(type.stored(), key);
  return object ? Response{200, std::move(object)}
                : response_of(status_bodies::not_found(request.resource, request.name));
}

std::optional<Response> ApiServer::wait_for(const ServedCollection& served, Revision needed,
                                            const Request& request, runtime::TimePoint now) const {
  const Revision current = is_cached(served) ? served.cache().revision() : store_.revision();
  if (current >= needed) {
    return std::nullopt;
  }
  const runtime::TimePoint deadline = request.arrived + kFreshWait;
  if (is_cached(served) && now < deadline) {
    return Response{0, Pending{needed, deadline}};
  }
  return response_of(status_bodies::too_large_revision(needed, current));
}

Response ApiServer::list(const ResourceType& type, const Request& request, runtime::TimePoint now) {
  ServedCollection& collection = served(type);
  api::ListOptions options = request.options;
  if (names_one_object(collection.type(), request.namespace_, options)) {
    options.limit = 0;
  }
  api::Result<ListPlan> plan = plan_list(options, options_.profile);
  if (!plan) {
    return response_of(plan.error().status);
  }
  ListPlan chosen = *plan;
  if (!is_cached(collection)) {
    chosen.limit = options.limit;  // L26: a store honours it
  }
  chosen.from_cache = chosen.from_cache && is_cached(collection);
  if (chosen.from_cache && chosen.state != ListState::Any) {
    const bool recent = chosen.state == ListState::MostRecent;
    const Revision needed =
        recent ? request.waits_for.value_or(store_.revision()) : chosen.revision;
    std::optional<Response> other = wait_for(collection, needed, request, now);
    if (other && (!recent || std::holds_alternative<Pending>(other->answer))) {
      return *other;
    }
    // A cache that does not get there in time is passed over.
    chosen.from_cache = !other;
  }
  return read(type, collection, chosen, request);
}

Response ApiServer::read(const ResourceType& type, ServedCollection& served, const ListPlan& plan,
                         const Request& request) {
  const api::Result<ObjectFilter> filter =
      ObjectFilter::from(type, request.namespace_, request.options);
  if (!filter) {
    return response_of(filter.error().status);
  }
  const std::string prefix = request.namespace_.empty() ? "" : request.namespace_ + "/";
  const bool cached = options_.profile.lists_from_cache && is_cached(served);
  ListPage page(*filter, plan.limit, prefix, cached ? TokenForm::OfCache : TokenForm::OfStore);
  const bool fixed = plan.state == ListState::Exact || plan.state == ListState::Page;
  Revision revision = fixed ? plan.revision : store_.revision();
  if (plan.from_cache) {
    revision = served.cache().revision();
    for (const auto& [key, object] : served.cache().objects()) {
      const bool inside =
          request.namespace_.empty() || object->metadata.namespace_ == request.namespace_;
      if (inside && !page.offer(key, object)) {
        break;
      }
    }
  } else {
    if (std::max(plan.revision, revision) > store_.revision()) {
      return response_of(status_bodies::too_large_revision(plan.revision, store_.revision()));
    }
    if (revision < store_.compacted()) {
      return response_of(plan.state == ListState::Page
                             ? status_bodies::continue_expired(encode({-1, plan.start_key}))
                             : status_bodies::list_expired());
    }
    store_.visit(type.stored(), {request.namespace_, prefix + plan.start_key}, revision,
                 [&](const std::string& key, const api::ObjectPtr& object) {
                   return page.offer(key, object);
                 });
  }
  api::ObjectList list = std::move(page).finish(revision);
  list.api_version = api_version_of(request.resource);
  list.kind = served.type().kind + "List";
  return {200, std::move(list)};
}

Response ApiServer::watch(const ResourceType& type, const Request& request,
                          runtime::TimePoint now) {
  const api::Result<WatchPlan> plan = plan_watch(request.options, options_.profile);
  if (!plan) {
    return response_of(plan.error().status);
  }
  api::Result<ObjectFilter> filter = ObjectFilter::from(type, request.namespace_, request.options);
  if (!filter) {
    return response_of(filter.error().status);
  }
  ServedCollection& collection = served(type);
  if (!collection.type().cached) {
    collection.expire_below(store_.compacted() + 1);
  }
  WatchCursorOptions options{.api_version = api_version_of(request.resource),
                             .kind = collection.type().kind,
                             .cached = collection.type().cached,
                             .bookmarks = request.options.allow_watch_bookmarks,
                             .bookmark_period = options_.bookmark_period,
                             .marks_at_once = options_.profile.marks_at_once,
                             .deadline = deadline_of(request, now),
                             .queue_max = options_.watch_queue_max,
                             .slow_budget = options_.slow_budget};
  const WatchId watch = next_watch_++;
  collection.open(watch, WatchCursor(*plan, *std::move(filter), std::move(options)),
                  store_.revision(), now);
  watched_.emplace(watch, Watched{&collection, !changes_answers(type)
                                                   ? nullptr
                                                   : std::make_shared<const ResourceType>(type)});
  return {200, WatchOpened{watch}};
}

runtime::TimePoint ApiServer::deadline_of(const Request& request, runtime::TimePoint now) const {
  if (const std::optional<runtime::Duration> asked = asked_timeout(request.options)) {
    return now + *asked;
  }
  const auto spread = static_cast<std::uint64_t>(options_.watch_timeout_min.count());
  const std::uint64_t number = scrambled(options_.seed, kTimeoutPurpose, next_watch_);
  const auto extra = static_cast<std::int64_t>(number % std::max<std::uint64_t>(spread, 1));
  return now + options_.watch_timeout_min + runtime::Duration(extra);
}

WatchPoll ApiServer::poll(WatchId watch, runtime::TimePoint now) {
  const auto watched = watched_.find(watch);
  if (watched == watched_.end()) {
    return {.ended = WatchEnd::Cancelled};
  }
  ServedCollection& collection = *watched->second.collection;
  WatchCursor& cursor = *collection.find(watch);
  WatchPoll poll{.frame = cursor.take(collection.cache(), now)};
  if (poll.frame) {
    if (watched->second.version != nullptr) {
      api::ObjectPtr& object = poll.frame->event.object;
      object = as_served(*watched->second.version, object);
    }
    return poll;
  }
  poll.ended = cursor.ended();
  poll.wake_at = cursor.next_wake();
  if (poll.ended != WatchEnd::Open) {
    close(watch);
  } else if (const std::optional<runtime::TimePoint> moves = next_catch_up()) {
    poll.wake_at = std::min(poll.wake_at.value_or(*moves), *moves);
  }
  return poll;
}

std::size_t ApiServer::waiting(WatchId watch) {
  const auto watched = watched_.find(watch);
  return watched == watched_.end() ? 0 : watched->second.collection->find(watch)->waiting();
}

void ApiServer::close(WatchId watch) {
  const auto watched = watched_.find(watch);
  if (watched != watched_.end()) {
    watched->second.collection->close(watch);
    watched_.erase(watched);
  }
}

Revision ApiServer::visible(runtime::TimePoint now) const {
  if (frozen_) {
    return seen_;
  }
  if (options_.lag <= runtime::Duration::zero()) {
    return store_.revision();
  }
  // What was compacted cannot be learnt late any more: a cache that is behind begins anew.
  Revision visible = std::max(seen_, store_.compacted());
  const auto& log = store_.log();
  for (std::size_t i = store_.log_position_after(seen_); i < log.size(); ++i) {
    if (log[i].at + options_.lag > now) {
      break;
    }
    visible = log[i].revision;
  }
  return visible;
}

std::optional<runtime::TimePoint> ApiServer::next_catch_up() const {
  if (frozen_ || seen_ == store_.revision()) {
    return std::nullopt;
  }
  const std::size_t position = store_.log_position_after(seen_);
  if (position == store_.log().size()) {
    return std::nullopt;
  }
  return store_.log()[position].at + options_.lag;
}

void ApiServer::catch_up(runtime::TimePoint now) {
  const Revision target = visible(now);
  // Most calls find nothing new: each request and each poll of a watch makes some.
  if (settled_ && target == seen_ && seen_ >= store_.compacted()) {
    return;
  }
  if (target < store_.compacted() && seen_ < store_.compacted()) {
    return;
  }
  if (seen_ < store_.compacted()) {
    restart();
    return;
  }
  if (target != seen_) {
    const auto& log = store_.log();
    for (std::size_t i = store_.log_position_after(seen_);
         i < log.size() && log[i].revision <= target; ++i) {
      const auto found = collections_.find(*log[i].resource);
      if (found != collections_.end()) {
        found->second.apply(log[i], now);
      }
    }
    seen_ = target;
  }
  if (options_.progress_notifications) {
    for (auto& [resource, collection] : collections_) {
      collection.advance(seen_, now);
    }
  }
  settled_ = true;
}

void ApiServer::take_woken(std::vector<WatchId>& woken) {
  for (auto& [resource, collection] : collections_) {
    collection.take_woken(woken);
  }
}

void ApiServer::expire_below(const ResourceType& type, Revision revision) {
  served(type).expire_below(revision);
}

void ApiServer::expire_all_below(Revision revision) {
  expired_below_ = std::max(expired_below_, revision);
  for (auto& [resource, collection] : collections_) {
    collection.expire_below(revision);
  }
}

void ApiServer::restart() {
  settled_ = false;
  expired_below_ = 0;
  seen_ = store_.revision();
  started_at_ = seen_;
  for (auto& [resource, collection] : collections_) {
    fill(collection, seen_);
  }
}

void ApiServer::withdraw(const ResourceType& type) {
  const auto found = collections_.find(type.stored());
  if (found != collections_.end()) {
    settled_ = false;
    found->second.finish_all();
    // Filled anew, so that a collection which is served again later begins without history.
    fill(found->second, std::max(seen_, store_.compacted()));
  }
}

ServedCollection& ApiServer::served(const ResourceType& type) {
  const auto found = collections_.find(type.stored());
  if (found != collections_.end()) {
    return found->second;
  }
  WatchWindowOptions window = options_.window;
  if (!type.cached) {
    // Without a watch cache, history reaches as far back as the store's.
    window.capacity_max = window.capacity_min = SIZE_MAX;
  }
  settled_ = false;
  ServedCollection& made = collections_.try_emplace(type.stored(), type, window).first->second;
  // A real server fills its caches when it starts; this one was simply not looked at until now.
  fill(made, std::max(started_at_, store_.compacted()));
  for (const Change& change : store_.log()) {
    if (*change.resource == type.stored() && change.revision > made.cache().revision() &&
        change.revision <= seen_) {
      made.apply(change, change.at);
    }
  }
  if (options_.progress_notifications) {
    made.advance(seen_, {});
  }
  made.expire_below(expired_below_);
  return made;
}

void ApiServer::fill(ServedCollection& collection, Revision revision) {
  std::vector<api::ObjectPtr> objects;
  store_.visit(collection.type().stored(), {}, revision,
               [&](const std::string&, const api::ObjectPtr& object) {
                 objects.push_back(object);
                 return true;
               });
  collection.relist(objects, revision);
}

}  // namespace watchlab::sim
