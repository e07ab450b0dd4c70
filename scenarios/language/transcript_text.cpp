#include <algorithm>
#include <boost/json.hpp>
#include <string_view>
#include <utility>

#include "core/api/json.hpp"
#include "scenarios/language/transcript.hpp"
#include "sim/faults/fault_effects.hpp"
#include "sim/story/client_kinds.hpp"

namespace watchlab::scenarios {
namespace {

namespace json = boost::json;

/// The whole object, as a server writes it.
json::value object_text(const api::ObjectPtr& object) {
  return object ? json::parse(api::to_json(*object)) : json::value();
}

json::array objects_text(const std::vector<api::ObjectPtr>& objects) {
  json::array text;
  for (const api::ObjectPtr& object : objects) {
    text.push_back(object_text(object));
  }
  return text;
}

json::object status_text(const api::Status& status) {
  json::array causes;
  for (const api::StatusCause& cause : status.details.causes) {
    causes.push_back(json::object{{"reason", cause.reason}, {"message", cause.message}});
  }
  return {{"code", status.code},
          {"reason", api::to_string(status.reason)},
          {"message", status.message},
          {"causes", std::move(causes)},
          {"retry_after", status.details.retry_after_seconds}};
}

json::value error_text(const std::optional<api::Error>& error) {
  if (!error) {
    return nullptr;
  }
  if (error->kind == api::ErrorKind::Status) {
    return json::object{{"word", "status"}, {"status", status_text(error->status)}};
  }
  return json::object{{"word", to_string(sim::answer_kind_of(*error))}};
}

json::object options_text(const api::ListOptions& options) {
  using Match = api::ResourceVersionMatch;
  const Match match = options.resource_version_match;
  return {{"rv", options.resource_version},
          {"match", match == Match::Unset   ? ""
                    : match == Match::Exact ? "Exact"
                                            : "NotOlderThan"},
          {"limit", options.limit},
          {"continue", options.continue_token},
          {"timeout", options.timeout_seconds},
          {"bookmarks", options.allow_watch_bookmarks},
          {"initial_events", options.send_initial_events.value_or(false)}};
}

/// Writes what belongs to one client: of what happened in the story, then of what happened while it
/// came to its end.
class ClientText {
 public:
  ClientText(const sim::Record& record, const std::string& client)
      : record_(record), client_(client) {}

  [[nodiscard]] json::array requests() const {
    json::array text;
    for (std::size_t i = 0; i < record_.requests.size(); ++i) {
      if (record_.requests[i].client == client_) {
        text.push_back(request(record_.requests[i], record_.answers[i]));
      }
    }
    for (std::size_t i = 0; record_.afterwards && i < record_.afterwards->requests.size(); ++i) {
      if (record_.afterwards->requests[i].client == client_) {
        text.push_back(request(record_.afterwards->requests[i], {}));
      }
    }
    return text;
  }

  [[nodiscard]] json::array calls() const {
    return all_of(&sim::Record::calls, [this](const sim::CallRecord& call) {
      return json::object{{"at", since_began(call.at)},
                          {"handler", call.handler},
                          {"type", to_string(call.type)},
                          {"key", call.key},
                          {"object", object_text(call.object)},
                          {"before", object_text(call.before)},
                          {"tombstone", call.tombstone},
                          {"initial", call.initial},
                          {"cached", call.cached}};
    });
  }

  [[nodiscard]] json::array deltas() const {
    return all_of(&sim::Record::deltas, [this](const sim::DeltaRecord& delta) {
      return json::object{{"at", since_began(delta.at)},
                          {"type", to_string(delta.type)},
                          {"key", delta.key},
                          {"object", object_text(delta.object)},
                          {"tombstone", delta.tombstone},
                          {"initial", delta.initial}};
    });
  }

  /// Of a queue of newest states.
  [[nodiscard]] json::array pops() const {
    return all_of(&sim::Record::pops, [this](const sim::PopRecord& pop) {
      return json::object{{"at", since_began(pop.at)},
                          {"type", pop.failed ? "failed" : "popped"},
                          {"key", pop.key},
                          {"object", object_text(pop.object)},
                          {"initial", pop.initial}};
    });
  }

  /// Of a work queue.
  [[nodiscard]] json::array work() const {
    return all_of(&sim::Record::work, [this](const sim::WorkRecord& work) {
      return json::object{{"at", since_began(work.at)},
                          {"type", to_string(work.type)},
                          {"key", work.key},
                          {"cached", work.revision}};
    });
  }

  /// What was found in a store, in key order.
  [[nodiscard]] json::array reads() const {
    return all_of(&sim::Record::reads, [this](const sim::ReadRecord& read) {
      return json::object{{"at", since_began(read.at)},
                          {"value", read.value},
                          {"like", object_text(read.like)},
                          {"objects", objects_text(in_key_order(read.objects))}};
    });
  }

  [[nodiscard]] json::array store() const { return objects_text(record_.stores.at(client_)); }

  /// How the client was when it had ended.
  [[nodiscard]] json::value final() const {
    const auto ended = record_.ended.find(client_);
    if (!record_.afterwards || ended == record_.ended.end()) {
      return nullptr;
    }
    return json::object{{"at", since_began(ended->second)},
                        {"synced", record_.afterwards->synced.at(client_)},
                        {"version", record_.afterwards->store_versions.at(client_)},
                        {"store", objects_text(record_.afterwards->stores.at(client_))}};
  }

  /// Whether the script ended it before the story was over.
  [[nodiscard]] bool stopped_early() const { return record_.stopped.contains(client_); }

  [[nodiscard]] json::value synced_at() const {
    const auto found = record_.synced_at.find(client_);
    return found == record_.synced_at.end() ? json::value()
                                            : json::value(since_began(found->second));
  }

  /// Of a shared informer.
  [[nodiscard]] json::array handlers(const sim::StoryClientOptions& client) const {
    json::array text;
    for (const sim::HandlerRecord& handler : record_.handlers) {
      if (handler.client != client_) {
        continue;
      }
      const sim::StoryHandlerOptions options = options_of(client, handler.name);
      text.push_back(
          json::object{{"name", handler.name},
                       {"takes", options.takes.count()},
                       {"panics", options.panics},
                       {"resync", options.resync ? json::value(options.resync->count()) : nullptr},
                       {"joined", since_began(handler.joined)},
                       {"left", moment(handler.left)},
                       {"synced_at", moment(handler.synced)}});
    }
    return text;
  }

  [[nodiscard]] std::string_view end() const {
    for (const sim::EndRecord& end : record_.ends) {
      if (end.client == client_) {
        return to_string(end.cause);
      }
    }
    return "";
  }

  /// When it was ended: by the script, or with the story.
  [[nodiscard]] std::int64_t stopped() const {
    const auto found = record_.stopped.find(client_);
    return since_began(found == record_.stopped.end() ? record_.asked_to_end : found->second);
  }

  [[nodiscard]] std::int64_t since_began(runtime::TimePoint at) const {
    return (at - record_.began).count();
  }

 private:
  /// The client's entries of a list of the record, each turned into text.
  template <typename Entry>
  [[nodiscard]] json::array all_of(std::vector<Entry> sim::Record::*entries,
                                   const auto& text_of) const {
    json::array text;
    for (const sim::Record* record : {&record_, record_.afterwards.get()}) {
      if (record == nullptr) {
        continue;
      }
      for (const Entry& entry : record->*entries) {
        if (entry.client == client_) {
          text.push_back(text_of(entry));
        }
      }
    }
    return text;
  }

  static std::vector<api::ObjectPtr> in_key_order(std::vector<api::ObjectPtr> objects) {
    std::ranges::sort(objects, {},
                      [](const api::ObjectPtr& object) { return api::key_of(object->metadata); });
    return objects;
  }

  static sim::StoryHandlerOptions options_of(const sim::StoryClientOptions& client,
                                             const std::string& handler) {
    for (const sim::StoryHandlerOptions& each : client.handlers) {
      if (each.name == handler) {
        return each;
      }
    }
    return {};
  }

  [[nodiscard]] json::value moment(const std::optional<runtime::TimePoint>& at) const {
    return at ? json::value(since_began(*at)) : json::value();
  }

  [[nodiscard]] json::object request(const sim::RequestRecord& sent,
                                     const sim::AnswerRecord& answer) const {
    json::array frames;
    for (const sim::FrameRecord& frame : answer.frames) {
      json::object text{{"after", (frame.at - sent.at).count()},
                        {"type", watch::to_string(frame.event.type)},
                        {"object", object_text(frame.event.object)}};
      if (frame.event.status) {
        text["status"] = status_text(*frame.event.status);
      }
      frames.push_back(std::move(text));
    }
    json::object text{
        {"verb", to_string(sent.verb)},
        {"at", since_began(sent.at)},
        {"options", options_text(sent.options)},
        {"answered", answer.at ? json::value((*answer.at - sent.at).count()) : nullptr},
        {"error", error_text(answer.error)}};
    if (sent.verb == sim::Verb::List) {
      text["rv"] = answer.list.resource_version;
      text["continue"] = answer.list.continue_token;
      text["items"] = objects_text(answer.list.items);
    } else {
      text["frames"] = std::move(frames);
      text["end"] = to_string(sent.end);
      text["ended"] = sent.ended ? json::value((*sent.ended - sent.at).count()) : nullptr;
    }
    return text;
  }

  const sim::Record& record_;
  const std::string& client_;
};

/// Why another implementation cannot live through what this client did; "" when it can.
std::string why_left_out(const sim::StoryClientOptions& client) {
  const bool writes = traits_of(client.kind).has_work_queue && client.reconcile != "observe";
  if (client.watches != sim::StoryClientOptions().watches) {
    return "it watches no ConfigMaps";
  }
  return writes ? "its workers write to the server" : "";
}

/// How long the only handler of a classic informer takes, or a worker of a controller.
std::int64_t takes_of(const sim::StoryClientOptions& client) {
  const bool has_one = traits_of(client.kind).handlers == sim::HandlerCount::One;
  if (has_one && !client.handlers.empty()) {
    return client.handlers.front().takes.count();
  }
  return client.takes.count();
}

json::object client_text(const sim::StoryClientOptions& client, const sim::Record& record) {
  const ClientText text(record, client.name);
  return {{"name", client.name},
          {"kind", traits_of(client.kind).name},
          {"left_out", why_left_out(client)},
          {"resync", client.resync.count()},
          {"pause", client.pause.count()},
          {"takes", takes_of(client)},
          {"workers", client.workers},
          {"failures", client.failures},
          {"refuses", client.refuses},
          {"drains", client.drains},
          {"runs_twice", client.runs_twice},
          {"requests", text.requests()},
          {"handlers", text.handlers(client)},
          {"calls", text.calls()},
          {"deltas", text.deltas()},
          {"pops", text.pops()},
          {"work", text.work()},
          {"reads", text.reads()},
          {"end", text.end()},
          {"stopped", text.stopped()},
          {"stopped_early", text.stopped_early()},
          {"synced", record.synced.at(client.name)},
          {"synced_at", text.synced_at()},
          {"store", text.store()},
          {"final", text.final()}};
}

}  // namespace

std::string why_left_out(const Scenario& scenario, std::string_view machine) {
  if (!scenario.program.empty()) {
    return "it is a program and has no server";
  }
  if (scenario.transport == sim::Transport::Wire) {
    return "its messages are bytes";
  }
  for (const sim::StoryClientOptions& client : scenario.clients) {
    if (client.machine != machine) {
      return "its clients are not of the judge's release";
    }
  }
  return "";
}

std::string transcript_text(const Scenario& scenario, const sim::Record& record) {
  json::array clients;
  for (const sim::StoryClientOptions& client : scenario.clients) {
    clients.push_back(client_text(client, record));
  }
  return json::serialize(json::object{{"transcript", "watchlab/v2"},
                                      {"name", scenario.name},
                                      {"left_out", ""},
                                      {"closed", (record.closed - record.began).count()},
                                      {"clients", std::move(clients)}});
}

std::string transcript_text_of_none(const Scenario& scenario, const std::string& why) {
  return json::serialize(json::object{{"transcript", "watchlab/v2"},
                                      {"name", scenario.name},
                                      {"left_out", why},
                                      {"closed", 0},
                                      {"clients", json::array()}});
}

}  // namespace watchlab::scenarios
