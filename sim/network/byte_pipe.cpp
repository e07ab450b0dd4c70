#include "sim/network/byte_pipe.hpp"

#include <algorithm>
#include <utility>

namespace watchlab::sim {

using runtime::Lock;

namespace {

api::Error pipe_failure(api::ErrorKind kind, std::string message) {
  return {.kind = kind, .message = std::move(message), .status = {}};
}

api::Error given_up() {
  return pipe_failure(api::ErrorKind::Cancelled, "the connection was given up");
}

}  // namespace

BytePipe::BytePipe(runtime::Runtime& runtime, BytePipeOptions options, runtime::StopToken stop)
    : runtime_(runtime),
      options_(std::move(options)),
      stop_(std::move(stop)),
      mutex_(runtime, options_.name),
      reader_(runtime),
      writer_(runtime) {}

runtime::TimePoint BytePipe::arrival(runtime::TimePoint leave) {
  last_arrival_ = std::max(last_arrival_, leave + options_.latency);
  return last_arrival_;
}

void BytePipe::write(std::string bytes, runtime::TimePoint leave) {
  if (bytes.empty()) {
    return;
  }
  const Lock lock(mutex_);
  runtime::ensure(!ends_, "nothing is written after the end of a stream");
  if (closed_) {
    return;
  }
  segments_.push_back({std::move(bytes), 0, arrival(leave)});
  hungry_ = false;
  reader_.ring();
}

void BytePipe::finish(runtime::TimePoint leave) { end(leave, false); }
void BytePipe::cut(runtime::TimePoint leave) { end(leave, true); }

void BytePipe::end(runtime::TimePoint leave, bool is_broken) {
  const Lock lock(mutex_);
  if (!ends_) {
    ends_ = arrival(leave);
    broken_ = is_broken;
    reader_.ring();
  }
}

bool BytePipe::drain() {
  while (true) {
    {
      const Lock lock(mutex_);
      if (closed_ || hungry_) {
        return !closed_;
      }
    }
    if (!writer_.sleep(stop_, std::nullopt)) {
      return false;
    }
  }
}

std::size_t BytePipe::take(std::span<char> into, runtime::TimePoint now) {
  std::size_t taken = 0;
  while (taken < into.size() && !segments_.empty() && segments_.front().arrives <= now) {
    Segment& segment = segments_.front();
    const std::size_t count = std::min(into.size() - taken, segment.bytes.size() - segment.taken);
    std::copy_n(segment.bytes.data() + segment.taken, count, into.data() + taken);
    taken += count;
    segment.taken += count;
    if (segment.taken == segment.bytes.size()) {
      segments_.pop_front();
    }
  }
  return taken;
}

BytePipe::Look BytePipe::look(std::span<char> into) {
  if (closed_) {
    return {given_up(), std::nullopt};
  }
  const runtime::TimePoint now = runtime_.now();
  if (const std::size_t taken = take(into, now); taken > 0) {
    return {taken, std::nullopt};
  }
  if (!segments_.empty()) {
    return {std::nullopt, segments_.front().arrives};
  }
  if (ends_ && *ends_ <= now) {
    return {broken_ ? api::Result<std::size_t>(
                          pipe_failure(api::ErrorKind::ConnectionReset, "connection reset by peer"))
                    : api::Result<std::size_t>(std::size_t{0}),
            std::nullopt};
  }
  if (!hungry_) {
    hungry_ = true;
    writer_.ring();
  }
  return {std::nullopt, ends_};
}

api::Result<std::size_t> BytePipe::read(std::span<char> into) {
  while (true) {
    Look seen;
    {
      const Lock lock(mutex_);
      seen = look(into);
    }
    if (seen.found) {
      return *std::move(seen.found);
    }
    if (!reader_.sleep(stop_, seen.wake_at)) {
      reader_.rest();
      return given_up();
    }
    // A world's time stands still while its tasks wait for timers that no task needs.
    reader_.rest();
  }
}

void BytePipe::close(runtime::Location here) {
  const Lock lock(mutex_, here);
  if (!closed_) {
    closed_ = true;
    segments_.clear();
    reader_.ring();
    writer_.ring();
  }
}

bool BytePipe::closed() {
  const Lock lock(mutex_);
  return closed_;
}

}  // namespace watchlab::sim
