#include "scenarios/serve/server_record.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <boost/json.hpp>
#include <cerrno>
#include <cstring>
#include <stdexcept>
#include <utility>

#include "core/api/json.hpp"
#include "scenarios/language/input_file.hpp"
#include "scenarios/language/plain_text.hpp"
#include "sim/apiserver/managed_fields.hpp"
#include "sim/apiserver/resource_type.hpp"

namespace watchlab::scenarios {
namespace {

namespace json = boost::json;
using sim::Exchange;

constexpr std::string_view kFirstLine = R"({"watchlab":"record","version":1})";
constexpr mode_t kMode = 0644;

json::object resource_json(const api::GroupVersionResource& resource) {
  return {
      {"group", resource.group}, {"version", resource.version}, {"resource", resource.resource}};
}

json::object request_json(const Exchange& exchange) {
  const sim::Request& request = exchange.request;
  return {{"number", exchange.number},
          {"client", request.client},
          {"verb", to_string(request.verb)},
          {"of", resource_json(request.resource)},
          {"namespace", request.namespace_},
          {"name", request.name},
          {"text", request_text(request)},
          {"labels", request.options.label_selector},
          {"fields", request.options.field_selector},
          {"resourceVersion", request.options.resource_version},
          {"streamsList", request.options.send_initial_events.value_or(false)}};
}

std::string line_of(double at, std::string_view what, json::object content) {
  return visible_text(json::serialize(json::object{{"at", at}, {what, std::move(content)}}));
}

/// What stands in a line; throws `std::exception` for what does not.
class Line {
 public:
  explicit Line(const json::object& content) : content_(content) {}

  [[nodiscard]] std::string text(std::string_view name) const {
    return std::string(content_.at(name).as_string());
  }
  [[nodiscard]] std::uint64_t number(std::string_view name) const {
    return content_.at(name).to_number<std::uint64_t>();
  }
  [[nodiscard]] api::GroupVersionResource resource() const {
    const Line of(content_.at("of").as_object());
    return {of.text("group"), of.text("version"), of.text("resource")};
  }
  [[nodiscard]] bool flag(std::string_view name) const { return content_.at(name).as_bool(); }
  [[nodiscard]] std::string json_of(std::string_view name) const {
    return json::serialize(content_.at(name));
  }

 private:
  const json::object& content_;
};

template <typename Value>
Value word(const std::optional<Value>& found) {
  if (!found) {
    throw std::invalid_argument("a word that no record has");
  }
  return *found;
}

/// Takes lines in.
class Reader {
 public:
  void take(const std::string& text) {
    constexpr std::size_t kDepthMax = 160;  // an object's, and what stands around it
    const json::value parsed = json::parse(text, {}, {.max_depth = kDepthMax});
    const json::object& line = parsed.as_object();
    const runtime::Duration at = std::chrono::duration_cast<runtime::Duration>(
        std::chrono::duration<double>(line.at("at").to_number<double>()));
    if (const json::value* write = line.if_contains("write")) {
      take_write(at, Line(write->as_object()));
    } else if (const json::value* request = line.if_contains("request")) {
      take_request(at, Line(request->as_object()));
    } else if (const json::value* answer = line.if_contains("answer")) {
      const Line content(answer->as_object());
      RecordedRequest& known = request_of(content);
      known.answer = word(sim::value_of<sim::AnswerKind>(content.text("answer")));
      known.answered = at;
    } else if (const json::value* event = line.if_contains("event")) {
      ++request_of(Line(event->as_object())).events;
    } else {
      const Line content(line.at("end").as_object());
      RecordedRequest& known = request_of(content);
      known.end = word(sim::value_of<sim::StreamEnd>(content.text("end")));
      known.ended = at;
    }
  }

  ServerRecord record;

 private:
  void take_write(runtime::Duration at, const Line& content) {
    api::Result<api::Object> object = api::object_from_json(content.json_of("object"));
    if (!object) {
      throw std::invalid_argument(object.error().message);
    }
    record.writes.push_back({.at = at,
                             .resource = content.resource(),
                             .key = content.text("key"),
                             .object = std::make_shared<const api::Object>(*std::move(object)),
                             .deleted = content.text("type") == "DELETED"});
  }

  void take_request(runtime::Duration at, const Line& content) {
    place_of_[content.number("number")] = record.requests.size();
    RecordedRequest& made = record.requests.emplace_back();
    made.at = at;
    made.client = content.text("client");
    made.verb = word(sim::verb_named(content.text("verb")));
    made.resource = content.resource();
    made.namespace_ = content.text("namespace");
    made.options.label_selector = content.text("labels");
    made.options.field_selector = content.text("fields");
    made.options.resource_version = content.text("resourceVersion");
    if (content.flag("streamsList")) {
      made.options.send_initial_events = true;
    }
  }

  RecordedRequest& request_of(const Line& content) {
    return record.requests.at(place_of_.at(content.number("number")));
  }

  std::map<std::uint64_t, std::size_t> place_of_;
};

}  // namespace

RecordWriter::RecordWriter(std::string path, std::function<void(const std::string&)> on_failure)
    : path_(std::move(path)), on_failure_(std::move(on_failure)) {
  descriptor_ = ::open(path_.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, kMode);
  if (descriptor_ < 0) {
    throw std::runtime_error(fmt::format("{}: {}", path_, std::strerror(errno)));
  }
  write(std::string(kFirstLine));
}

RecordWriter::~RecordWriter() {
  if (descriptor_ >= 0) {
    (void)::close(descriptor_);
  }
}

double RecordWriter::since_began(runtime::TimePoint moment) {
  began_ = began_.value_or(moment);
  return std::chrono::duration<double>(moment - *began_).count();
}

void RecordWriter::write(const std::string& line) {
  const std::string text = line + "\n";
  std::size_t written = 0;
  while (!failed_ && written < text.size()) {
    const ssize_t size = ::write(descriptor_, text.data() + written, text.size() - written);
    if (size < 0 && errno != EINTR) {
      failed_ = true;
      const std::string why = std::strerror(errno);
      const bool whole = written == 0 || ::ftruncate(descriptor_, size_) == 0;
      on_failure_(fmt::format("{}: the record ends here, because it cannot be written: {}; {}",
                              path_, why,
                              whole ? "what it holds is whole" : "its last line is not whole"));
    }
    written += size > 0 ? static_cast<std::size_t>(size) : 0;
  }
  size_ += static_cast<std::int64_t>(text.size());
}

void RecordWriter::changed(const Exchange& exchange) {
  const bool is_new = open_.try_emplace(exchange.number).second;
  Known& known = open_[exchange.number];
  if (is_new) {
    write(line_of(since_began(exchange.sent), "request", request_json(exchange)));
  }
  if (exchange.answered && !std::exchange(known.answered, true)) {
    write(line_of(since_began(*exchange.answered), "answer",
                  {{"number", exchange.number},
                   {"answer", to_string(exchange.answer)},
                   {"code", exchange.code},
                   {"resourceVersion", exchange.answer_revision}}));
  }
  const bool has_ended = exchange.ended && exchange.end && exchange.end != sim::StreamEnd::Open;
  if (has_ended && !std::exchange(known.ended, true)) {
    write(line_of(since_began(*exchange.ended), "end",
                  {{"number", exchange.number},
                   {"end", to_string(*exchange.end)},
                   {"cause", exchange.end_cause},
                   {"events", exchange.events},
                   {"lost", exchange.lost}}));
  }
  if (known.answered && (!exchange.end || known.ended)) {
    open_.erase(exchange.number);
  }
}

void RecordWriter::arrived(const Exchange& exchange, const watch::Event& event) {
  write(line_of(since_began(runtime_->now()), "event",
                {{"number", exchange.number}, {"text", sim::event_text(event)}}));
}

void RecordWriter::wrote(const sim::Change& change) {
  json::object content{{"type", watch::to_string(change.type)},
                       {"of", resource_json(*change.resource)},
                       {"key", change.key},
                       {"object", sim::object_in(api::to_json(*change.object))}};
  write(line_of(since_began(change.at), "write", std::move(content)));
}

std::optional<ServerRecord> read_record(const std::string& path, std::string& problem) {
  std::string text;
  if (const std::optional<UnreadableFile> wrong = read_input(path, text)) {
    problem = describe(path, *wrong);
    return std::nullopt;
  }
  Reader reader;
  std::size_t number = 0;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = text.find('\n', begin);
    ++number;
    if (end == std::string::npos) {
      reader.record.torn = true;
      break;
    }
    const std::string line = text.substr(begin, end - begin);
    begin = end + 1;
    if (number == 1 && line != kFirstLine) {
      break;
    }
    try {
      if (number > 1) {
        reader.take(line);
      }
    } catch (const std::exception& failure) {
      problem = fmt::format("{}:{}: this is no line of a record: {}", visible_line(path), number,
                            failure.what());
      return std::nullopt;
    }
  }
  if (!text.starts_with(std::string(kFirstLine) + "\n")) {
    problem = fmt::format("{}:1: this is no record; `watchlab serve --record FILE` writes one",
                          visible_line(path));
    return std::nullopt;
  }
  return std::move(reader.record);
}

}  // namespace watchlab::scenarios
