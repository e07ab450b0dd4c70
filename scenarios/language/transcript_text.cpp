#include "scenarios/language/transcript_text.hpp"

#include <boost/json.hpp>
#include <utility>

#include "sim/faults/failure_words.hpp"

namespace watchlab::scenarios {
namespace {

namespace json = boost::json;

json::value object_text(const api::ObjectPtr& object) {
  if (!object) {
    return nullptr;
  }
  const api::ObjectMeta& metadata = object->metadata;
  json::object text{{"namespace", metadata.namespace_},
                    {"name", metadata.name},
                    {"uid", metadata.uid},
                    {"rv", metadata.resource_version}};
  if (!metadata.annotations.empty()) {
    json::object annotations;
    for (const auto& [name, value] : metadata.annotations) {
      annotations[name] = value;
    }
    text["annotations"] = std::move(annotations);
  }
  return text;
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
          {"reason", api::name_of(status.reason)},
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
  return json::object{{"word", sim::word_for(*error)}};
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

/// Writes what belongs to one client.
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
    return text;
  }

  [[nodiscard]] json::array calls() const {
    json::array text;
    for (const sim::CallRecord& call : record_.calls) {
      if (call.client != client_) {
        continue;
      }
      text.push_back(json::object{{"at", since_began(call.at)},
                                  {"handler", call.handler},
                                  {"type", call.type},
                                  {"key", call.key},
                                  {"object", object_text(call.object)},
                                  {"before", object_text(call.before)},
                                  {"tombstone", call.tombstone},
                                  {"initial", call.initial}});
    }
    return text;
  }

  [[nodiscard]] json::array deltas() const {
    json::array text;
    for (const sim::DeltaRecord& delta : record_.deltas) {
      if (delta.client == client_) {
        text.push_back(json::object{{"at", since_began(delta.at)},
                                    {"type", delta.type},
                                    {"key", delta.key},
                                    {"object", object_text(delta.object)},
                                    {"tombstone", delta.tombstone},
                                    {"initial", delta.initial}});
      }
    }
    return text;
  }

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
                       {"resync", options.resync ? json::value(options.resync->count()) : nullptr},
                       {"joined", since_began(handler.joined)},
                       {"left", moment(handler.left)},
                       {"synced_at", moment(handler.synced)}});
    }
    return text;
  }

  [[nodiscard]] std::string end() const {
    for (const sim::EndRecord& end : record_.ends) {
      if (end.client == client_) {
        return end.cause;
      }
    }
    return "";
  }

  [[nodiscard]] json::value stopped() const {
    const auto found = record_.stopped.find(client_);
    return found == record_.stopped.end() ? json::value() : json::value(since_began(found->second));
  }

  [[nodiscard]] std::int64_t since_began(runtime::TimePoint at) const {
    return (at - record_.began).count();
  }

 private:
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
                        {"type", watch::name_of(frame.event.type)},
                        {"object", object_text(frame.event.object)}};
      if (frame.event.status) {
        text["status"] = status_text(*frame.event.status);
      }
      frames.push_back(std::move(text));
    }
    json::object text{
        {"verb", sent.verb},
        {"at", since_began(sent.at)},
        {"options", options_text(sent.options)},
        {"answered", answer.at ? json::value((*answer.at - sent.at).count()) : nullptr},
        {"error", error_text(answer.error)}};
    if (sent.verb == "LIST") {
      text["rv"] = answer.list.resource_version;
      text["continue"] = answer.list.continue_token;
      text["items"] = objects_text(answer.list.items);
    } else {
      text["frames"] = std::move(frames);
      text["end"] = sent.end;
      text["ended"] = sent.ended ? json::value((*sent.ended - sent.at).count()) : nullptr;
    }
    return text;
  }

  const sim::Record& record_;
  const std::string& client_;
};

/// A client that writes is not played by the other side, nor one without a queue of deltas.
bool is_comparable(const sim::StoryClientOptions& client) {
  return client.kind == sim::ClientKind::Informer || client.kind == sim::ClientKind::Shared ||
         client.kind == sim::ClientKind::Program;
}

/// Whether a handler takes time while its informer holds a lock for it.
bool blocks_in_lock(const sim::StoryClientOptions& client) {
  if (client.kind != sim::ClientKind::Informer) {
    return false;
  }
  for (const sim::StoryHandlerOptions& handler : client.handlers) {
    if (handler.takes > runtime::Duration::zero()) {
      return true;
    }
  }
  return false;
}

std::string_view kind_of(const sim::StoryClientOptions& client) {
  return client.kind == sim::ClientKind::Informer ? "informer"
         : client.kind == sim::ClientKind::Shared ? "shared"
                                                  : "program";
}

}  // namespace

std::string transcript_text(const Scenario& scenario, const sim::Record& record) {
  json::array clients;
  for (const sim::StoryClientOptions& client : scenario.clients) {
    if (!is_comparable(client)) {
      continue;
    }
    const ClientText text(record, client.name);
    clients.push_back(json::object{{"name", client.name},
                                   {"kind", kind_of(client)},
                                   {"resync", client.resync.count()},
                                   {"pause", client.pause.count()},
                                   {"blocks_in_lock", blocks_in_lock(client)},
                                   {"requests", text.requests()},
                                   {"handlers", text.handlers(client)},
                                   {"calls", text.calls()},
                                   {"deltas", text.deltas()},
                                   {"end", text.end()},
                                   {"stopped", text.stopped()},
                                   {"synced", record.synced.at(client.name)},
                                   {"synced_at", text.synced_at()},
                                   {"store", objects_text(record.stores.at(client.name))}});
  }
  const json::object text{{"transcript", "watchlab/v1"},
                          {"name", scenario.name},
                          {"closed", (record.closed - record.began).count()},
                          {"clients", std::move(clients)}};
  return json::serialize(text);
}

}  // namespace watchlab::scenarios
