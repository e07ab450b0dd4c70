#include <fmt/format.h>

#include <utility>

#include "core/runtime/task.hpp"
#include "core/watch/json_frame_decoder.hpp"
#include "core/watch/stream_watcher.hpp"
#include "sim/network/connection.hpp"
#include "sim/network/http_names.hpp"
#include "sim/network/wire_messages.hpp"
#include "sim/network/wire_server.hpp"

namespace watchlab::sim {

namespace {

/// Decodes the events of a watch and notifies the host of what has reached the client.
class WireDecoder : public watch::Decoder {
 public:
  WireDecoder(std::shared_ptr<ServerHost> host, std::shared_ptr<WireLink> link,
              std::unique_ptr<HttpBody> body)
      : host_(std::move(host)), link_(std::move(link)), frames_(std::move(body)) {}

  api::Result<watch::Event> decode() override {
    api::Result<watch::Event> event = frames_.decode();
    if (event) {
      arrived(*event, link_->received());
    } else if (event.error().kind == api::ErrorKind::Decode) {
      auto status =
          std::make_shared<const api::Status>(watch::report_decoding_failure(event.error()));
      link_->end_by_client({StreamEnd::Error, event.error().message});
      arrived({watch::EventType::Error, nullptr, std::move(status)}, 0);
    }
    return event;
  }

  void close(runtime::Location /*here*/) override { link_->give_up(); }

 private:
  void arrived(watch::Event event, std::uint64_t message) {
    stream_step::Deliver step;
    step.events.push_back(std::move(event));
    step.messages.push_back(message);
    // Bytes may say that a watch was opened where the server has opened none.
    if (const std::shared_ptr<Stream> stream = link_->stream()) {
      host_->arrived(*stream, step);
    }
  }

  std::shared_ptr<ServerHost> host_;
  std::shared_ptr<WireLink> link_;
  watch::JsonFrameDecoder frames_;
};

class WireStream : public OpenedStream {
 public:
  WireStream(std::shared_ptr<ServerHost> host, std::shared_ptr<WireLink> link,
             std::unique_ptr<HttpBody> body)
      : host_(std::move(host)), link_(std::move(link)), body_(std::move(body)) {}

  std::shared_ptr<watch::Watcher> start(const runtime::StopToken& /*stop*/) override {
    return std::make_shared<watch::StreamWatcher>(
        host_->runtime(), std::make_unique<WireDecoder>(host_, link_, std::move(body_)));
  }
  void give_up() override { link_->give_up(); }

 private:
  std::shared_ptr<ServerHost> host_;
  std::shared_ptr<WireLink> link_;
  std::unique_ptr<HttpBody> body_;
};

WireMessage request_message(const Request& request) {
  const HttpRequest http = http_from(request);
  const std::string text = to_string(http);
  const std::size_t head = text.size() - http.body.size();
  return {.framing = text.substr(0, head), .payload = text.substr(head)};
}

class WireCarrier : public Carrier {
 public:
  WireCarrier(std::shared_ptr<ServerHost> host, runtime::Duration latency)
      : host_(std::move(host)), latency_(latency) {}

  Carried carry(const ServerHost::Departure& departure, const Request& request,
                const runtime::StopToken& stop) override {
    runtime::Runtime& runtime = host_->runtime();
    if (std::holds_alternative<Drop>(departure.verdict)) {
      (void)WakeUp(runtime).sleep(stop, std::nullopt);
      return {cancelled()};
    }
    const auto* fail = std::get_if<Fail>(&departure.verdict);
    if (fail != nullptr && !message_of(fail->error)) {
      // No server listens, or the client's own timeout is over: no bytes say so.
      const bool waited = travel(runtime, stop, 2 * latency_ + fail->after);
      return {waited ? fail->error : cancelled()};
    }
    auto link = std::make_shared<WireLink>(runtime, latency_, stop);
    runtime::spawn(runtime, fmt::format("serve {}", request.client),
                   [server = WireServer(host_, link, departure)]() mutable { server.run(); });
    WireMessage message = request_message(request);
    if (const auto* distort = std::get_if<Distort>(&departure.verdict)) {
      distort->how(message);
    }
    transmit(*link->up(), message, runtime.now() + lateness(departure.verdict));
    return read_answer(link, request.verb);
  }

 private:
  Carried read_answer(const std::shared_ptr<WireLink>& link, Verb verb) {
    auto body = std::make_unique<HttpBody>(link->down());
    const api::Result<HttpHead> head = body->read_head();
    if (head && opens_watch(*head, verb)) {
      return {Response{head->code, WatchOpened{}},
              std::make_unique<WireStream>(host_, link, std::move(body)), link->answer()};
    }
    Carried carried{head ? read_body(*body, *head, verb) : failed(*link, head.error()), nullptr,
                    link->answer()};
    link->give_up();
    return carried;
  }

  static api::Result<Response> read_body(HttpBody& body, const HttpHead& head, Verb verb) {
    const api::Result<std::string> text = body.read_all();
    return text ? response_from(head, *text, verb) : text.error();
  }

  static api::Error failed(WireLink& link, const api::Error& seen) {
    return seen.kind == api::ErrorKind::Cancelled ? cancelled() : link.failure().value_or(seen);
  }

  std::shared_ptr<ServerHost> host_;
  runtime::Duration latency_;
};

}  // namespace

std::unique_ptr<Carrier> make_wire_carrier(std::shared_ptr<ServerHost> host,
                                           runtime::Duration latency) {
  return std::make_unique<WireCarrier>(std::move(host), latency);
}

}  // namespace watchlab::sim
