#include "sim/story/story.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <exception>
#include <utility>

#include "core/runtime/recover.hpp"
#include "core/runtime/task.hpp"
#include "sim/kernel/run_result.hpp"
#include "sim/story/client_kinds.hpp"

namespace watchlab::sim {
namespace {

/// How often a condition that nothing announces is looked at again.
constexpr runtime::Duration kPollPeriod = std::chrono::milliseconds(10);
/// Between two looks whether a client is still busy; not a simple part of any common period.
constexpr runtime::Duration kQuietCheckOffset = std::chrono::milliseconds(618);
/// In a transcript: between two events of a stream, and longer than what is due at one instant.
constexpr runtime::Duration kTranscriptEventsApart = std::chrono::nanoseconds(2);
constexpr runtime::Duration kTranscriptInstant = std::chrono::microseconds(1);

ClusterControllersOptions controllers_of(const StoryOptions& story) {
  return {.names = controllers_in(story.server, story.clients),
          .settings = {.pods_after = story.server.pods_after}};
}

ServerHostOptions host_options(const StoryOptions& story) {
  const StoryServerOptions& options = story.server;
  ServerHostOptions host;
  host.notes = !story.real_time;
  host.exchanges_max = story.exchanges_max;
  const std::vector<std::string> controllers = controllers_of(story).names;
  host.servers.writes.holds_namespaces =
      std::ranges::find(controllers, kNamespaceController) != controllers.end();
  if (story.transcribe) {
    host.events_apart = kTranscriptEventsApart;
  }
  host.servers.namespaces.insert(host.servers.namespaces.end(), options.namespaces.begin(),
                                 options.namespaces.end());
  host.servers.servers.resize(std::max<std::size_t>(options.replicas.size(), 1));
  for (std::size_t i = 0; i < host.servers.servers.size(); ++i) {
    ApiServerOptions& server = host.servers.servers[i];
    server.name = i == 0 ? "server" : fmt::format("server{}", i);
    server.profile = profile_of(options.release);
    server.profile.watch_list = options.watch_list.value_or(server.profile.watch_list);
    server.window.capacity_min = static_cast<std::size_t>(options.watch_window);
    server.watch_queue_max = static_cast<std::size_t>(options.watch_queue);
    server.lag = i < options.replicas.size() ? options.replicas[i].lag : runtime::Duration::zero();
  }
  return host;
}

std::int64_t count_if_of(const Condition& condition, const auto& entries, auto has_name) {
  return std::ranges::count_if(entries, [&](const auto& entry) {
    return condition.of.empty() || has_name(entry, condition.of);
  });
}

bool of_client(const auto& entry, const std::string& of) { return entry.client == of; }

}  // namespace

Story::Story(runtime::Runtime& runtime, StoryOptions options)
    : runtime_(runtime),
      options_(std::move(options)),
      began_(runtime.now()),
      stage_(std::make_shared<StoryStage>(
          runtime, host_options(options_), options_.transport, options_.observer,
          ClusterControllers::make(runtime, controllers_of(options_)))) {
  stage_->story = options_.name;
  stage_->real_time = options_.real_time;
  stage_->validates = options_.server.validates;
  stage_->recorder->listen(options_.written);
  if (options_.waits_for_writes) {
    stage_->recorder->announce_writes();
  }
  std::set<std::string> outsiders;
  std::set<std::string> ours;
  for (const StoryClientOptions& client : options_.clients) {
    (traits_of(client.kind).external ? outsiders : ours).insert(client.name);
  }
  stage_->recorder->expect_outsiders(std::move(outsiders), std::move(ours));
  check_waivers();
  stage_->types = types_of(options_.server);
  at_once([&](Instant& now) {
    if (!options_.server.resources.empty()) {
      now.transaction_.servers().types() = stage_->types;
    }
    for (std::int64_t i = 0; i < options_.server.bulk_objects; ++i) {
      now.create({.name = bulk_object_name(i)});
    }
    for (const ObjectSketch& object : options_.server.objects) {
      now.create_with_status(object);
    }
    name_revision(now.transaction_.servers());
  });
  if (stage_->controllers != nullptr) {
    stage_->controllers->start(stage_->host);
    stage_->host->look([&](ControlPlane& servers) { name_revision(servers); });
  }
  if (const auto failure = runtime::recover([this] { make_clients(); })) {
    if (stage_->controllers != nullptr) {
      stage_->controllers->stop();  // or the runtime waits for their task for ever
    }
    std::rethrow_exception(failure->exception);
  }
}

void Story::name_revision(ControlPlane& servers) {
  if (!options_.server.rv_as.empty()) {
    symbols_[options_.server.rv_as] = revision_text(servers.store().revision());
  }
}

void Story::make_clients() {
  SyncMoments::Clients clients;
  for (const StoryClientOptions& client : options_.clients) {
    if (static_cast<std::size_t>(client.replica) >=
        std::max<std::size_t>(options_.server.replicas.size(), 1)) {
      throw StoryError(
          fmt::format("the client '{}' talks to a replica that is not there", client.name));
    }
    members_[client.name].client = traits_of(client.kind).make(stage_, client);
    clients.emplace_back(client.name, members_[client.name].client);
  }
  if (options_.transcribe) {
    moments_ = std::make_shared<SyncMoments>(stage_, std::move(clients));
    moments_->start();
  }
  for (const StoryClientOptions& client : options_.clients) {
    if (!client.starts_later) {
      start(client.name);
    }
  }
}

void Story::touch() {
  quiet_ = false;
  touched_ = runtime_.now();
}

void Story::at_once(const std::function<void(Instant&)>& what) {
  touch();
  stage_->host->transact([&](ServerHost::Transaction& transaction) {
    Instant instant(*this, transaction);
    what(instant);
  });
}

void Story::create(const ObjectSketch& object) {
  at_once([&](Instant& now) { now.create(object); });
}
void Story::update(const ObjectSketch& object) {
  at_once([&](Instant& now) { now.update(object); });
}
void Story::remove(const ObjectSketch& object) {
  at_once([&](Instant& now) { now.remove(object); });
}
void Story::inject(const FaultSketch& fault) {
  at_once([&](Instant& now) { now.inject(fault); });
}
void Story::heal(const std::string& name) {
  at_once([&](Instant& now) { now.heal(name); });
}

Story::Member& Story::member(const std::string& client) {
  const auto found = members_.find(client);
  if (found == members_.end()) {
    throw StoryError(fmt::format("there is no client '{}'", client));
  }
  return found->second;
}

void Story::start(const std::string& client) {
  Member& chosen = member(client);
  if (chosen.started) {
    throw StoryError(fmt::format("the client '{}' has started already", client));
  }
  chosen.started = true;
  touch();
  chosen.client->start();
}

void Story::stop(const std::string& client) {
  Member& chosen = member(client);
  chosen.stopped = true;
  touch();
  chosen.client->stop();
  stage_->recorder->stopped(client);
  note_the_end_of(client);
}

void Story::crash(const std::string& client) {
  Member& chosen = member(client);
  touch();
  if (!chosen.started || !chosen.client->crash()) {
    throw StoryError(fmt::format(
        "the client '{}' cannot crash: only one of the kind go can, while it runs", client));
  }
  chosen.started = false;
}

void Story::note_the_end_of(const std::string& client) {
  if (!options_.transcribe || ended_.contains(client)) {
    return;
  }
  ended_[client] =
      runtime::spawn(runtime_, "end of " + client, [this, who = member(client).client, client] {
        who->join();
        record_ended_[client] = runtime_.now();
      });
}

Client& Story::client_with(const std::string& handler) {
  for (const StoryClientOptions& client : options_.clients) {
    for (const StoryHandlerOptions& each : client.handlers) {
      if (each.name == handler) {
        return *member(client.name).client;
      }
    }
  }
  throw StoryError(fmt::format("there is no handler '{}'", handler));
}

void Story::add_handler(const std::string& handler) {
  touch();
  if (!client_with(handler).add_handler(handler)) {
    throw StoryError(
        fmt::format("the handler '{}' cannot be added: only one of a shared informer "
                    "that starts later can, and only once",
                    handler));
  }
}

void Story::remove_handler(const std::string& handler) {
  touch();
  if (!client_with(handler).remove_handler(handler)) {
    throw StoryError(fmt::format(
        "the handler '{}' cannot be removed: it is in no shared informer now", handler));
  }
}

void Story::move(const std::string& client, std::int64_t replica) {
  (void)member(client);
  if (static_cast<std::size_t>(replica) >=
      std::max<std::size_t>(options_.server.replicas.size(), 1)) {
    throw StoryError(
        fmt::format("'{}' cannot move to the replica {}, which is not there", client, replica));
  }
  stage_->moved[client] = static_cast<std::size_t>(replica);
}

void Story::settle() {
  if (options_.transcribe) {
    wait(kTranscriptInstant);
  }
}

void Story::wait(runtime::Duration time) {
  if (options_.real_time) {
    stage_->recorder->rest_until(runtime_.now() + time);
    return;
  }
  runtime::sleep_for(runtime_, time);
}

void Story::wait_until(runtime::Duration since_the_beginning) {
  if (options_.real_time) {
    stage_->recorder->rest_until(began_ + since_the_beginning);
    return;
  }
  runtime_.sleep_until(began_ + since_the_beginning, runtime::Location::current());
}

bool Story::wait_since_a_request(const std::set<std::string>& of, runtime::Duration time) {
  std::optional<runtime::TimePoint> first;
  const bool came = stage_->recorder->wait_until(
      [&](const Record& record) {
        const auto found = std::ranges::find_if(record.requests, [&](const RequestRecord& request) {
          return of.contains(request.client);
        });
        if (found != record.requests.end()) {
          first = found->at;
        }
        return first.has_value();
      },
      deadline());
  if (came) {
    wait_until(*first - began_ + time);
  }
  return came;
}

bool Story::holds(const Condition& condition, const Record& record) {
  using Kind = Condition::Kind;
  switch (condition.kind) {
    case Kind::Watching:
      return std::ranges::any_of(record.requests, [&](const RequestRecord& request) {
        return request.end == StreamEnd::Open &&
               (condition.of.empty() || request.client == condition.of);
      });
    case Kind::Ended:
      return count_if_of(condition, record.ends, of_client<EndRecord>) > 0;
    case Kind::Popped:
      return count_if_of(condition, record.deltas, of_client<DeltaRecord>) >= condition.count;
    case Kind::Handled:
      return count_if_of(condition, record.calls, [](const CallRecord& call, const auto& of) {
               return call.client == of || call.handler == of;
             }) >= condition.count;
    case Kind::Requested: {
      const auto is_meant = [&](const RequestRecord& request) {
        return (condition.of.empty() || request.client == condition.of) &&
               (!condition.verb || request.verb == *condition.verb);
      };
      return std::ranges::count_if(record.requests, is_meant) +
                 std::ranges::count_if(record.asked, is_meant) >=
             condition.count;
    }
    case Kind::Noted:
      return std::ranges::count_if(record.notes, [&](const SaidRecord& note) {
               return (condition.of.empty() || note.client == condition.of) &&
                      (condition.text.empty() || matches({.text = condition.text}, note, {}));
             }) >= condition.count;
    case Kind::Synced:
      break;
  }
  return false;
}

bool Story::all_synced(const std::string& of) {
  return std::ranges::all_of(members_, [&](const auto& each) {
    return (!of.empty() && each.first != of) || each.second.client->has_synced();
  });
}

bool Story::wait_for(const Condition& condition) {
  if (condition.kind != Condition::Kind::Synced) {
    return stage_->recorder->wait_until(
        [&](const Record& record) { return holds(condition, record); }, deadline());
  }
  // Asking a queue takes its lock, under which others take the recorder's: so never from within.
  const runtime::TimePoint began = runtime_.now();
  while (!all_synced(condition.of)) {
    const runtime::TimePoint now = runtime_.now();
    if (now >= deadline() || interrupted()) {
      return false;
    }
    // Who waits long asks less often, or it would take more steps than a run has.
    stage_->recorder->wait_for_news(now + std::max(kPollPeriod, (now - began) / 1000));
  }
  return true;
}

bool Story::run_until_quiet() {
  while (true) {
    const Recorder::Activity activity = stage_->recorder->activity();
    const runtime::TimePoint now = runtime_.now();
    runtime::TimePoint quiet_at = std::max(activity.last, touched_) + options_.quiet_for;
    if (quiet_at <= now) {
      if (!activity.busy && stage_->host->idle()) {
        quiet_ = true;
        return true;
      }
      // A client is in the middle of a resync. In step with it this would be so every time.
      quiet_at = now + kQuietCheckOffset;
    }
    if (now >= deadline()) {
      return false;
    }
    runtime_.sleep_until(std::min(quiet_at, deadline()), runtime::Location::current());
  }
}

std::optional<std::string> Story::broken(const Expectation& expectation) const {
  return broken_by(expectation, record_, symbols_);
}

void Story::expect(const Expectation& expectation) const {
  if (const auto message = broken(expectation)) {
    throw Violation(*message);
  }
}

std::string describe(const Condition& condition) {
  const std::string whose = condition.of.empty() ? "" : " of " + condition.of;
  switch (condition.kind) {
    case Condition::Kind::Watching:
      return "an open watch" + whose;
    case Condition::Kind::Synced:
      return "the first list" + whose;
    case Condition::Kind::Ended:
      return "the end" + whose;
    case Condition::Kind::Handled:
      return fmt::format("{} handler calls{}", condition.count, whose);
    case Condition::Kind::Popped:
      return fmt::format("{} deltas{}", condition.count, whose);
    case Condition::Kind::Noted:
      return fmt::format("{} notes{}{}", condition.count,
                         condition.text.empty() ? "" : fmt::format(" '{}'", condition.text), whose);
    case Condition::Kind::Requested:
      break;
  }
  return fmt::format("{} {}requests{}", condition.count,
                     condition.verb ? fmt::format("{} ", to_string(*condition.verb)) : "", whose);
}

}  // namespace watchlab::sim
