#include "sim/network/wire_link.hpp"

#include <algorithm>

namespace watchlab::sim {

using runtime::Lock;

WireLink::WireLink(runtime::Runtime& runtime, runtime::Duration latency, runtime::StopToken stop)
    : stop_(std::move(stop)),
      latency_(latency),
      up_(std::make_shared<BytePipe>(runtime, BytePipeOptions{latency, "bytes up"}, stop_)),
      down_(std::make_shared<BytePipe>(runtime, BytePipeOptions{latency, "bytes down"}, stop_)),
      mutex_(runtime, "link") {}

void WireLink::give_up() {
  up_->cut({});
  down_->close();
  if (const std::shared_ptr<Stream> open = stream()) {
    open->wake_up.ring();
  }
}

void WireLink::answered(std::uint64_t message, std::shared_ptr<Stream> stream) {
  const Lock lock(mutex_);
  answer_ = message;
  stream_ = std::move(stream);
}

std::uint64_t WireLink::answer() {
  const Lock lock(mutex_);
  return answer_;
}

std::shared_ptr<Stream> WireLink::stream() {
  const Lock lock(mutex_);
  return stream_;
}

void WireLink::fail(api::Error failure) {
  const Lock lock(mutex_);
  failure_ = std::move(failure);
}

std::optional<api::Error> WireLink::failure() {
  const Lock lock(mutex_);
  return failure_;
}

void WireLink::sent(std::uint64_t message) {
  const Lock lock(mutex_);
  messages_.push_back(message);
}

std::uint64_t WireLink::received() {
  const Lock lock(mutex_);
  if (messages_.empty()) {
    return 0;
  }
  const std::uint64_t message = messages_.front();
  messages_.pop_front();
  return message;
}

void WireLink::end_by_client(StreamEnding ending) {
  const Lock lock(mutex_);
  ending_by_client_ = std::move(ending);
}

std::optional<StreamEnding> WireLink::ending_by_client() {
  const Lock lock(mutex_);
  return ending_by_client_;
}

void transmit(BytePipe& pipe, const WireMessage& message, runtime::TimePoint leave) {
  const std::string bytes = message.bytes();
  const std::size_t piece = message.piece == 0 ? bytes.size() : message.piece;
  for (std::size_t sent = 0; sent < bytes.size(); sent += piece) {
    leave += sent == 0 ? runtime::Duration{} : message.pause;
    pipe.write(bytes.substr(sent, piece), leave);
  }
  if (message.after == WireMessage::After::Finished) {
    pipe.finish(leave);
  } else if (message.after == WireMessage::After::Cut) {
    pipe.cut(leave);
  }
}

}  // namespace watchlab::sim
