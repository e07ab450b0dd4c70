#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "scenarios/report/lanes.hpp"
#include "sim/kernel/path_text.hpp"
#include "sim/story/pattern.hpp"

namespace watchlab::scenarios {
namespace {

/// The content of an object behind its revision: " data {color=red}"; "" for none.
std::string content_of(const api::Object& object) {
  const std::string text = sim::describe(object);
  const std::string revision = fmt::format(" rv \"{}\"", object.metadata.resource_version);
  const std::size_t at = text.find(revision);
  return at == std::string::npos ? "" : text.substr(at + revision.size());
}

bool is_object_event(std::string_view type) {
  return type == "ADDED" || type == "MODIFIED" || type == "DELETED";
}

/// What is behind the last such mark, up to the next blank.
std::string behind(std::string_view text, std::string_view mark) {
  const std::size_t at = text.rfind(mark);
  if (at == std::string_view::npos) {
    return "";
  }
  const std::string_view rest = text.substr(at + mark.size());
  return std::string(rest.substr(0, rest.find(' ')));
}

}  // namespace

PageEvent& LaneContext::event(const sim::NoteRecord& note, const Place& place, std::string text) {
  PageEvent& made = log.add({.step = note.step,
                             .at = since_start(note.at),
                             .task = note.task,
                             .lane = std::string(place.lane),
                             .client = place.client,
                             .text = std::move(text)});
  if (!place.key.empty()) {
    made.keys.push_back(log.keys().number_of(place.key));
  }
  return made;
}

std::string LaneContext::client_of(std::string_view task) const {
  return task.find('/') == std::string_view::npos ? "" : sim::client_meant(task, clients);
}

std::string LaneContext::client_on_wire(std::string_view name) const {
  return name.find('/') == std::string_view::npos ? sim::client_meant(name, clients) : "";
}

std::int64_t LaneContext::since_start(runtime::TimePoint at) const {
  const auto since = at - seen.witness.result.started;
  return std::chrono::duration_cast<std::chrono::nanoseconds>(since).count();
}

MessageText parse_message(std::string_view text) {
  MessageText message;
  const std::size_t from = text.find(' ');
  const std::size_t to = text.find(' ', from + 1);
  if (from == std::string_view::npos || to == std::string_view::npos) {
    message.what = text;
    return message;
  }
  message.from = text.substr(0, from);
  message.to = text.substr(from + 1, to - from - 1);
  message.what = text.substr(to + 1);
  message.type = message.what.substr(0, message.what.find(' '));
  message.revision = behind(message.what, "rv=");
  if (is_object_event(message.type)) {
    const std::size_t end = message.what.rfind(" rv=");
    message.key = message.what.substr(message.type.size() + 1, end - message.type.size() - 1);
  }
  return message;
}

bool ServerLane::take(const sim::NoteRecord& note) {
  const std::string_view kind = note.kind;
  if (kind == "write") {
    write(note);
  } else if (kind == "fault") {
    fault(note);
  } else if (kind == "send" || kind == "receive" || kind == "lost") {
    message(note);
  } else if (kind == "stream") {
    stream_end(note);
  } else if (kind == "request") {
    request(note);
  } else {
    return false;
  }
  return true;
}

/// "ADDED configmaps rv=3".
void ServerLane::write(const sim::NoteRecord& note) {
  const std::size_t verb_end = note.text.find(' ');
  const std::string verb = note.text.substr(0, verb_end);
  const std::string revision = behind(note.text, " rv=");
  const std::string resource =
      note.text.substr(verb_end + 1, note.text.rfind(" rv=") - verb_end - 1);
  std::string content;
  if (const auto& record = context_.seen.record; record && written_ < record->writes.size()) {
    const sim::WriteRecord& written = record->writes[written_];
    content = written.object && written.key == note.subject ? content_of(*written.object) : "";
  }
  EventLog& log = context_.log;
  PageEvent& event = context_.event(note, {"server", "", note.subject},
                                    fmt::format("The server writes revision {}: {} {}{}", revision,
                                                verb, shortened(note.subject), shortened(content)));
  const std::size_t key = event.keys.front();
  log.set(event, {"server", "rv", revision});
  log.set(event, {"server", "log", std::to_string(written_++),
                  boost::json::array{revision, verb, key, resource, shortened(content)}});
  const std::string name = fmt::format("{}/{}", resource, key);
  log.set(event, {"server", "objects", name,
                  verb == "DELETED" ? boost::json::value() : boost::json::value(revision)});
}

void ServerLane::fault(const sim::NoteRecord& note) {
  EventLog& log = context_.log;
  const std::string acts_on = context_.client_on_wire(note.text.substr(0, note.text.find(' ')));
  if (note.text == "in place" || note.text == "healed") {
    const bool in_place = note.text == "in place";
    PageEvent& event = context_.event(note, {"faults", ""},
                                      fmt::format("Fault {} is {}", note.subject, note.text));
    const auto* const revision = log.state().at("server").as_object().if_contains("rv");
    log.set(event, {"server", "faults", note.subject,
                    in_place ? boost::json::value(event.at) : boost::json::value()});
    if (in_place && note.subject == "evict_watch_window" && revision != nullptr) {
      log.set(event, {"server", "window", *revision});
    }
    return;
  }
  const std::string what = acts_on.empty() ? note.text : note.text.substr(note.text.find(' ') + 1);
  context_.event(note, {"faults", acts_on},
                 fmt::format("Fault {} acts{}: {}", note.subject,
                             acts_on.empty() ? "" : " on " + acts_on, what));
}

void ServerLane::message(const sim::NoteRecord& note) {
  const MessageText text = parse_message(note.text);
  EventLog& log = context_.log;
  const std::string sender = context_.client_on_wire(text.from);
  const std::string client = sender.empty() ? context_.client_on_wire(text.to) : sender;
  const std::string what = shortened(text.what);
  const std::string words =
      note.kind == "send"      ? fmt::format("{} sends {} to {}", text.from, what, text.to)
      : note.kind == "receive" ? fmt::format("{} receives {} from {}", text.to, what, text.from)
                               : fmt::format("{} is lost on its way to {}", what, text.to);
  PageEvent& event = context_.event(note, {"wire", client}, words);
  boost::json::value key = nullptr;
  if (text.is_event()) {
    event.keys.push_back(log.keys().number_of(text.key));
    key = event.keys.front();
  }
  if (note.kind == "send") {
    log.set(event, {"wire", note.subject,
                    boost::json::array{text.from, text.to, what, key, event.at, client}});
    return;
  }
  log.set(event, {"wire", note.subject, nullptr});
  if (note.kind == "receive" && sender.empty() && text.is_event()) {
    log.set(event, {"clients", client, "received", text.revision});
  }
}

/// Events of a stream that has ended can arrive no more.
void ServerLane::stream_end(const sim::NoteRecord& note) {
  EventLog& log = context_.log;
  PageEvent& event =
      context_.event(note, {"wire", note.subject},
                     fmt::format("The watch of {} ends: {}", note.subject, note.text));
  log.set(event, {"clients", note.subject, "stream", note.text});
  std::vector<std::string> gone;
  for (const auto& [number, message] : log.state().at("wire").as_object()) {
    const boost::json::array& parts = message.as_array();
    const std::string_view what = parts[2].as_string();
    const std::string_view type = what.substr(0, what.find(' '));
    const bool to_client = context_.client_on_wire(parts[1].as_string()) == note.subject;
    if (to_client && (is_object_event(type) || type == "BOOKMARK" || type == "ERROR")) {
      gone.emplace_back(number);
    }
  }
  for (const std::string& number : gone) {
    log.set(event, {"wire", number, nullptr});
  }
}

/// "LIST rv=0 limit=500 → 200 rv=4".
void ServerLane::request(const sim::NoteRecord& note) {
  EventLog& log = context_.log;
  PageEvent& event =
      context_.event(note, {"wire", note.subject},
                     fmt::format("Request of {}: {}", note.subject, shortened(note.text)));
  log.set(event, {"clients", note.subject, "requests", std::to_string(requests_[note.subject]++),
                  shortened(note.text)});
  // What had not arrived by then, as where the connection was refused, will not arrive.
  const std::string asked = shortened(note.text.substr(0, note.text.find(" → ")));
  std::vector<std::string> gone;
  for (const auto& [number, message] : log.state().at("wire").as_object()) {
    const boost::json::array& parts = message.as_array();
    if (context_.client_on_wire(parts[0].as_string()) == note.subject &&
        parts[2].as_string() == asked) {
      gone.emplace_back(number);
    }
  }
  for (const std::string& number : gone) {
    log.set(event, {"wire", number, nullptr});
  }
  if (note.text.starts_with("WATCH") && note.text.ends_with("→ 200")) {
    log.set(event, {"clients", note.subject, "stream", "open"});
  }
}

bool ReflectorLane::take(const sim::NoteRecord& note) {
  if (note.kind != "reflector") {
    return false;
  }
  const std::string by_task = context_.client_of(note.task);
  const std::string client = by_task.empty() ? note.subject : by_task;
  EventLog& log = context_.log;
  PageEvent& event = context_.event(note, {"reflector", client},
                                    fmt::format("Reflector of {}: {}", client, note.text));
  const std::string_view text = note.text;
  const std::string revision = behind(text, "rv=");
  std::string phase(text);
  if (text.starts_with("list rv=") || text.starts_with("watch rv=")) {
    log.set(event, {"clients", client, "asked", text});
    phase = text.starts_with("list") ? "listing" : "watching";
    is_streamed_[client] = false;
  } else if (text.starts_with("watch list rv=")) {
    log.set(event, {"clients", client, "asked", text});
    phase = "listing by a watch";
    is_streamed_[client] = true;
  } else if (text.starts_with("listed")) {
    // The stream that brought the list stays open as the watch, and nothing says so later.
    phase = is_streamed_[client] ? "has listed, watching" : "has listed";
  } else if (text.starts_with("backoff")) {
    phase = "waits " + std::string(text.substr(text.find(' ') + 1));
  } else if (text == "resync") {
    return true;
  }
  log.set(event, {"clients", client, "phase", phase});
  if (text.starts_with("listed") || text.starts_with("watch rv=")) {
    log.set(event, {"clients", client, "rv", revision});
  }
  if (text.starts_with("watch rv=") || text.starts_with("watch list rv=")) {
    // How the watch before it ended is of no watch any more.
    log.set(event, {"clients", client, "stream", "asked for"});
  }
  return true;
}

}  // namespace watchlab::scenarios
