#include <utility>

#include "sim/network/connection.hpp"
#include "sim/network/watch_stream.hpp"

namespace watchlab::sim {

namespace {

class DirectStream : public OpenedStream {
 public:
  DirectStream(std::shared_ptr<ServerHost> host, std::shared_ptr<Stream> stream,
               runtime::Duration latency)
      : host_(std::move(host)), stream_(std::move(stream)), latency_(latency) {}

  std::shared_ptr<watch::Watcher> start(const runtime::StopToken& stop) override {
    auto watcher = std::make_shared<WatchStream>(host_, std::move(stream_), stop, latency_);
    watcher->start();
    return watcher;
  }
  void give_up() override {
    host_->end_stream(*stream_, {StreamEnd::Stopped, "the client gave up"});
  }

 private:
  std::shared_ptr<ServerHost> host_;
  std::shared_ptr<Stream> stream_;
  runtime::Duration latency_;
};

class DirectCarrier : public Carrier {
 public:
  DirectCarrier(std::shared_ptr<ServerHost> host, runtime::Duration latency)
      : host_(std::move(host)), latency_(latency) {}

  Carried carry(const ServerHost::Departure& departure, const Request& request,
                const runtime::StopToken& stop) override {
    if (std::holds_alternative<Drop>(departure.verdict)) {
      return wait_to_be_stopped(stop);
    }
    if (!travels(stop, lateness(departure.verdict))) {
      return {cancelled()};
    }
    if (const auto* fail = std::get_if<Fail>(&departure.verdict)) {
      return {travels(stop, fail->after) ? fail->error : cancelled()};
    }
    std::optional<ServerHost::Reply> reply = host_->serve(departure, request, stop);
    if (!reply) {
      return {cancelled()};
    }
    if (std::holds_alternative<Drop>(reply->verdict)) {
      return wait_to_be_stopped(stop);
    }
    return bring(*std::move(reply), stop);
  }

 private:
  bool travels(const runtime::StopToken& stop, runtime::Duration late) {
    return travel(host_->runtime(), stop, latency_ + late);
  }

  Carried wait_to_be_stopped(const runtime::StopToken& stop) {
    (void)WakeUp(host_->runtime()).sleep(stop, std::nullopt);
    return {cancelled()};
  }

  Carried bring(ServerHost::Reply reply, const runtime::StopToken& stop) {
    Carried carried{cancelled()};
    if (reply.stream) {
      carried.stream = std::make_unique<DirectStream>(host_, std::move(reply.stream), latency_);
    }
    if (!travels(stop, lateness(reply.verdict))) {
      return carried;
    }
    carried.message = reply.message;
    const auto* fail = std::get_if<Fail>(&reply.verdict);
    const auto* status = std::get_if<api::Status>(&reply.response.answer);
    if (fail != nullptr) {
      carried.response = fail->error;
    } else if (status != nullptr && status->status == "Failure") {
      carried.response = api::error_from(*status);
    } else {
      carried.response = std::move(reply.response);
    }
    return carried;
  }

  std::shared_ptr<ServerHost> host_;
  runtime::Duration latency_;
};

}  // namespace

std::unique_ptr<Carrier> make_direct_carrier(std::shared_ptr<ServerHost> host,
                                             runtime::Duration latency) {
  return std::make_unique<DirectCarrier>(std::move(host), latency);
}

}  // namespace watchlab::sim
