#include <algorithm>
#include <charconv>
#include <utility>

#include "core/api/json.hpp"
#include "core/api/json_tokenizer.hpp"
#include "core/api/json_writer.hpp"

namespace watchlab::api {

namespace {

void append_causes(std::string& out, const std::vector<StatusCause>& causes) {
  out += '[';
  for (std::size_t i = 0; i < causes.size(); ++i) {
    out.append(i == 0 ? "" : ",");
    JsonMemberWriter writer(out);
    writer.text("reason", causes[i].reason);
    writer.text("message", causes[i].message);
    writer.text("field", causes[i].field);
    writer.finish();
  }
  out += ']';
}

void append_details(std::string& out, const StatusDetails& details) {
  JsonMemberWriter writer(out);
  writer.text("name", details.name);
  writer.text("group", details.group);
  writer.text("kind", details.kind);
  writer.text("uid", details.uid);
  if (!details.causes.empty()) {
    writer.start("causes");
    append_causes(out, details.causes);
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
Result<std::vector<JsonMember>> read_texts(std::string_view object, std::string_view what,
                                           std::initializer_list<TextPlace> places) {
  std::vector<JsonMember> others;
  const auto read = [&](const JsonMember& member) -> Result<void> {
    const auto* found = std::ranges::find(places, member.key, &TextPlace::key);
    if (found == places.end()) {
      if (member.value != "null") {
        others.push_back(member);
      }
      return {};
    }
    Result<std::string> text = json_string_value(member.value, member.key);
    if (!text) {
      return text.error();
    }
    *found->place = std::move(text).value();
    return {};
  };
  const auto done = each_of(JsonTokenizer(object).members(), what, "an object", read);
  return done ? Result<std::vector<JsonMember>>(std::move(others)) : done.error();
}

Result<void> read_number(std::int32_t& into, const JsonMember& member) {
  const char* last = member.value.data() + member.value.size();
  const auto [end, error] = std::from_chars(member.value.data(), last, into);
  if (error != std::errc() || end != last) {
    return json_mismatch(member.key, "a whole number of 32 bits");
  }
  return {};
}

Result<void> read_causes(std::vector<StatusCause>& causes, std::string_view value) {
  const auto read = [&causes](std::string_view element) -> Result<void> {
    StatusCause& cause = causes.emplace_back();
    const auto others = read_texts(
        element, "a cause",
        {{"reason", &cause.reason}, {"message", &cause.message}, {"field", &cause.field}});
    return others ? Result<void>() : others.error();
  };
  return each_of(JsonTokenizer(value).elements(), "details.causes", "an array", read);
}

Result<void> read_details(StatusDetails& details, std::string_view value) {
  const auto others = read_texts(value, "details",
                                 {{"name", &details.name},
                                  {"id", &details.name},  // the name's name in 2014
                                  {"group", &details.group},
                                  {"kind", &details.kind},
                                  {"uid", &details.uid}});
  if (!others) {
    return others.error();
  }
  for (const JsonMember& member : *others) {
    Result<void> read;
    if (member.key == "causes") {
      read = read_causes(details.causes, member.value);
    } else if (member.key == "retryAfterSeconds") {
      read = read_number(details.retry_after_seconds, member);
    }
    if (!read) {
      return read;
    }
  }
  return {};
}

Result<void> read_status_member(Status& status, const JsonMember& member) {
  if (member.key == "code") {
    return read_number(status.code, member);
  }
  if (member.key == "details") {
    return read_details(status.details, member.value);
  }
  if (member.key == "metadata") {
    const auto others =
        read_texts(member.value, "metadata", {{"continue", &status.continue_token}});
    return others ? Result<void>() : Result<void>(others.error());
  }
  return {};
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
  Status status;
  status.status.clear();
  std::string kind;
  std::string reason;
  const auto others = read_texts(text, "a Status",
                                 {{"kind", &kind},
                                  {"status", &status.status},
                                  {"message", &status.message},
                                  {"reason", &reason}});
  if (!others) {
    return others.error();
  }
  if (kind != "Status") {
    return json_mismatch("kind \"" + kind + "\"", "\"Status\"");
  }
  status.reason = reason_named(reason);
  for (const JsonMember& member : *others) {
    if (const Result<void> read = read_status_member(status, member); !read) {
      return read.error();
    }
  }
  return status;
}

}  // namespace watchlab::api
