#include "tests/hostile/readers.hpp"

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "core/api/json.hpp"
#include "core/watch/json_frame_decoder.hpp"
#include "sim/apiserver/control_plane.hpp"
#include "sim/network/http_names.hpp"
#include "sim/network/wire_messages.hpp"

namespace watchlab::hostile {

namespace {

using sim::HttpBody;
using sim::Verb;

/// Bytes in pieces of a size, then an orderly end.
class Pieces : public watch::ByteStream {
 public:
  Pieces(std::string_view bytes, std::size_t piece) : bytes_(bytes), piece_(piece) {}

  api::Result<std::size_t> read(std::span<char> into) override {
    const std::size_t count = std::min({into.size(), piece_, bytes_.size()});
    std::copy_n(bytes_.data(), count, into.data());
    bytes_.remove_prefix(count);
    return count;
  }
  void close(runtime::Location /*here*/) override { bytes_ = {}; }

 private:
  std::string_view bytes_;
  std::size_t piece_;
};

void demand(bool fact, const char* what) {
  if (!fact) {
    throw std::logic_error(what);
  }
}

std::string describe(const api::Error& error) {
  return "error: " + error.message + " " + error.status.message;
}

/// Why something cannot be read may depend on how much of it has come.
std::string_view without_reason(std::string_view words) {
  return words.substr(0, words.find("error: "));
}

std::string read_events(std::unique_ptr<HttpBody> body) {
  watch::JsonFrameDecoder decoder(std::move(body));
  std::string words;
  while (true) {
    const api::Result<watch::Event> event = decoder.decode();
    if (!event) {
      demand(!decoder.decode().ok(), "a failed decoder fails for ever");
      return words + describe(event.error());
    }
    words += watch::to_string(event->type);
    words += ' ';
  }
}

std::string read_response(std::string_view bytes, std::size_t piece, Verb verb) {
  auto body = std::make_unique<HttpBody>(std::make_shared<Pieces>(bytes, piece));
  const api::Result<sim::HttpHead> head = body->read_head();
  if (!head) {
    return describe(head.error());
  }
  if (opens_watch(*head, verb)) {
    return read_events(std::move(body));
  }
  const api::Result<std::string> text = body->read_all();
  if (!text) {
    return describe(text.error());
  }
  const api::Result<sim::Response> response = response_from(*head, *text, verb);
  return response ? "response " + std::to_string(response->code) : describe(response.error());
}

/// Reads what was written as the same value.
template <typename Read>
void survives(std::string_view text, Read from_json) {
  const auto value = from_json(text);
  if (value) {
    const std::string written = to_json(*value);
    const auto again = from_json(written);
    demand(again.ok(), "what was written can be read");
    demand(to_json(*again) == written, "what was read is what was written");
  }
}

std::string request_text(const sim::Request& request) { return to_string(http_from(request)); }

sim::Request request_for(Verb verb, std::string name = {}) {
  sim::Request request;
  request.verb = verb;
  request.resource = {"", "v1", "configmaps"};
  request.namespace_ = "default";
  request.name = std::move(name);
  request.client = "fuzzer";
  return request;
}

sim::Request demo_request(Verb verb) {
  sim::Request request = request_for(verb, "demo");
  api::Object object;
  object.api_version = "v1";
  object.kind = "ConfigMap";
  object.metadata.name = "demo";
  object.metadata.labels["colour"] = "blue";
  object.body = R"({"data":{"a":"1","b":"\u00e4\ud83d\ude00"}})";
  request.object = std::make_shared<const api::Object>(std::move(object));
  return request;
}

std::string chunked(std::string_view payload, std::size_t piece) {
  std::string text = to_string(sim::HttpHead{200, {{"Content-Type", "application/json"}}}, {});
  for (std::size_t i = 0; i < payload.size(); i += piece) {
    const std::string_view part = payload.substr(i, piece);
    text += sim::chunk_line(part.size()) + std::string(part) + "\r\n";
  }
  return text + sim::last_chunk();
}

}  // namespace

std::string read_as_response(std::string_view bytes) {
  constexpr unsigned kVerbs = 4;
  constexpr std::size_t kLargestPiece = 64;
  if (bytes.empty()) {
    return "nothing";
  }
  const auto choice = static_cast<unsigned char>(bytes.front());
  bytes.remove_prefix(1);
  const std::size_t piece = 1 + choice / kVerbs % kLargestPiece;
  const Verb verb = choice % kVerbs == 0   ? Verb::List
                    : choice % kVerbs == 1 ? Verb::Get
                                           : Verb::Watch;
  std::string words = read_response(bytes, piece, verb);
  const std::string at_once = read_response(bytes, bytes.size() + 1, verb);
  demand(without_reason(words) == without_reason(at_once), "pieces do not change what is read");
  return words;
}

std::string read_as_request(std::string_view bytes) {
  sim::HttpRequestReader reader({.body_max = std::size_t{1} << 20});
  if (const api::Result<void> fed = reader.feed(bytes); !fed || !reader.done()) {
    return fed ? "more" : describe(fed.error());
  }
  const api::Result<sim::Request> request = sim::request_from(reader.take());
  if (!request) {
    return describe(request.error());
  }
  sim::ControlPlane servers({}, {});
  (void)servers.handle(0, demo_request(Verb::Create), {});
  const sim::Response response = servers.handle(0, *request, {});
  if (response.code == 0) {
    return "waits";
  }
  const std::string answer = sim::message_of(response).bytes();
  return read_response(answer, answer.size() + 1, request->verb);
}

std::string read_as_json(std::string_view bytes) {
  survives(bytes, [](std::string_view text) { return api::object_from_json(text); });
  survives(bytes, [](std::string_view text) { return api::list_from_json(text); });
  survives(bytes, [](std::string_view text) { return api::status_from_json(text); });
  const api::Result<watch::Event> event = watch::event_from_json(bytes);
  const api::Result<std::string> kind = api::kind_in_json(bytes);
  return event ? "event" : kind ? "kind " + *kind : describe(kind.error());
}

std::string read(std::string_view input) {
  constexpr unsigned kReaders = 4;
  if (input.empty()) {
    return "nothing";
  }
  const auto reader = static_cast<unsigned char>(input.front()) % kReaders;
  input.remove_prefix(1);
  return reader == 0   ? read_as_response(input)
         : reader == 1 ? read_as_request(input)
         : reader == 2 ? read_as_json(input)
                       : play_session(input);
}

std::vector<std::string> seeds() {
  const std::string object = to_json(*demo_request(Verb::Create).object);
  const std::string added = R"({"type":"ADDED","object":)" + object + "}\n";
  const std::string status = api::to_json(api::failure(api::StatusReason::Expired, "too old"));
  const std::string error = R"({"type":"ERROR","object":)" + status + "}\n";
  const std::string nested = std::string(200, '[') + std::string(200, ']');
  std::vector<std::string> found;
  // '0' reads as a response, '1' as a request, '2' as JSON; then how a response is read. '3' is a
  // session.
  for (const std::string& session : session_seeds()) {
    found.push_back("3" + session);
  }
  for (const std::string& body :
       {added + error, added + "{\"type\":\"WHAT\"}", std::string("\xff\xfe\xc3\x28"), nested,
        added.substr(0, 40), "{\"type\":1,\"object\":[]}" + added}) {
    found.push_back("02" + chunked(body, 7));
    found.push_back("03" + chunked(body, body.size()));
    found.push_back("2" + body);
  }
  found.push_back("00HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 410 Gone\r\nContent-Length: " +
                  std::to_string(status.size()) +
                  "\r\nContent-Type: application/json\r\nRetry-After: 1\r\n\r\n" + status);
  found.push_back("01HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n<html>");
  found.push_back("00HTTP/1.1 200 OK\r\nContent-Length: 100000000\r\n\r\n");
  found.push_back("00HTTP/1.1 200 OK\r\nContent-Length: 4000000000000000000\r\n\r\n{}");
  found.push_back("2" + object);
  found.push_back(R"(2{"kind":"A","metadata":{"name":"a","x":1},"b":1,"metadata":{"y":2},"b":2})");
  found.push_back(
      "2{\"kind\":\"ConfigMapList\",\"apiVersion\":\"v1\",\"metadata\":{\"resourceVersion\":"
      "\"7\"},\"items\":[" +
      object + "]}");
  found.push_back(R"(2{"kind":"PodList","apiVersion":null,"items":[{}]})");
  for (const Verb verb :
       {Verb::Get, Verb::Create, Verb::Update, Verb::UpdateStatus, Verb::Delete}) {
    found.push_back("1" + request_text(demo_request(verb)));
  }
  sim::Request watch = request_for(Verb::Watch);
  watch.options.resource_version = "1";
  watch.options.allow_watch_bookmarks = true;
  watch.options.label_selector = "a in (b,c),!d";
  found.push_back("1" + request_text(watch));
  watch.options.timeout_seconds = INT64_MAX;
  found.push_back("1" + request_text(watch));
  found.push_back("1" + request_text(request_for(Verb::List)));
  const std::pair<sim::PatchType, const char*> patches[]{
      {sim::PatchType::Merge, R"({"data":{"a":null,"c":"3"}})"},
      {sim::PatchType::Json, R"([{"op":"replace","path":"/data/a","value":"2"}])"},
      {sim::PatchType::Strategic, R"({"metadata":{"labels":{"x":"y"}}})"},
      {sim::PatchType::Apply, R"({"kind":"ConfigMap"})"}};
  for (const auto& [type, text] : patches) {
    sim::Request patch = request_for(Verb::Patch, "demo");
    patch.patch_type = type;
    patch.patch = text;
    found.push_back("1" + request_text(patch));
  }
  return found;
}

}  // namespace watchlab::hostile
