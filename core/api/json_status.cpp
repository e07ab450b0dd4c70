#include <algorithm>
#include <utility>

#include "core/api/json.hpp"
#include "core/api/json_tokenizer.hpp"
#include "core/api/json_writer.hpp"

namespace watchlab::api {

namespace {

void append_details(std::string& out, const StatusDetails& details) {
  JsonMemberWriter writer(out);
  writer.text("name", details.name);
  writer.text("group", details.group);
  writer.text("kind", details.kind);
  writer.text("uid", details.uid);
  if (!details.causes.empty()) {
    writer.start("causes");
    append_json_array(out, details.causes, [&out](const StatusCause& cause) {
      JsonMemberWriter one(out);
      one.text("reason", cause.reason);
      one.text("message", cause.message);
      one.text("field", cause.field);
      one.finish();
    });
  }
  if (details.retry_after_seconds != 0) {
    writer.number("retryAfterSeconds", details.retry_after_seconds);
  }
  writer.finish();
}

/// A member that is a string, and where it goes.
struct TextPlace {
  std::string_view key;
  std::string* place;
};

/// Reads the members that are strings; gives back those that have no place.
std::vector<JsonMember> read_texts(std::string_view object, std::string_view what,
                                   std::initializer_list<TextPlace> places) {
  std::vector<JsonMember> others;
  for (const JsonMember& member : JsonTokenizer(object, what).members()) {
    const auto* found = std::ranges::find(places, member.key, &TextPlace::key);
    if (found != places.end()) {
      *found->place = json_text(member.value, member.key);
    } else if (member.value != "null") {
      others.push_back(member);
    }
  }
  return others;
}

void read_causes(std::vector<StatusCause>& causes, std::string_view value) {
  for (const std::string_view element : JsonTokenizer(value, "details.causes").elements()) {
    StatusCause& cause = causes.emplace_back();
    (void)read_texts(
        element, "a cause",
        {{"reason", &cause.reason}, {"message", &cause.message}, {"field", &cause.field}});
  }
}

void read_details(StatusDetails& details, std::string_view value) {
  const auto others = read_texts(value, "details",
                                 {{"name", &details.name},
                                  {"id", &details.name},  // the name's name in 2014
                                  {"group", &details.group},
                                  {"kind", &details.kind},
                                  {"uid", &details.uid}});
  for (const JsonMember& member : others) {
    if (member.key == "causes") {
      read_causes(details.causes, member.value);
    } else if (member.key == "retryAfterSeconds") {
      read_json_number(details.retry_after_seconds, member.value, member.key);
    }
  }
}

Status read_status(std::string_view text) {
  Status status;
  status.status.clear();
  std::string kind;
  std::string reason;
  const auto others = read_texts(text, "a Status",
                                 {{"kind", &kind},
                                  {"status", &status.status},
                                  {"message", &status.message},
                                  {"reason", &reason}});
  if (kind != "Status") {
    throw NotDecoded("kind \"" + kind + "\"", "\"Status\"");
  }
  status.reason = reason_named(reason);
  for (const JsonMember& member : others) {
    if (member.key == "code") {
      read_json_number(status.code, member.value, member.key);
    } else if (member.key == "details") {
      read_details(status.details, member.value);
    } else if (member.key == "metadata") {
      (void)read_texts(member.value, "metadata", {{"continue", &status.continue_token}});
    }
  }
  return status;
}

}  // namespace

std::string to_json(const Status& status) {
  std::string out;
  JsonMemberWriter writer(out);
  writer.text("kind", "Status");
  writer.text("apiVersion", "v1");
  writer.start("metadata");
  JsonMemberWriter metadata(out);
  metadata.text("continue", status.continue_token);
  metadata.finish();
  writer.text("status", status.status);
  writer.text("message", status.message);
  writer.text("reason", to_string(status.reason));
  if (status.details != StatusDetails{}) {
    writer.start("details");
    append_details(out, status.details);
  }
  if (status.code != 0) {
    writer.number("code", status.code);
  }
  writer.finish();
  return out;
}

Result<Status> status_from_json(std::string_view text) {
  return decoded([text] { return read_status(text); });
}

}  // namespace watchlab::api
