#include "sim/network/watch_stream.hpp"

#include <algorithm>
#include <utility>

#include "core/runtime/select.hpp"
#include "core/runtime/task.hpp"

namespace watchlab::sim {

WatchStream::WatchStream(std::shared_ptr<ServerHost> host, std::shared_ptr<Stream> stream,
                         const runtime::StopToken& stop, runtime::Duration latency)
    : host_(std::move(host)),
      stream_(std::move(stream)),
      stop_source_(host_->runtime(), stop),
      latency_(latency),
      result_(host_->runtime(), 0, "watch_events") {}

void WatchStream::start() {
  auto self = shared_from_this();
  runtime::spawn(host_->runtime(), "watch " + stream_->request.client, [self] { self->run(); });
}

void WatchStream::stop(runtime::Location here) { stop_source_.stop(here); }

void WatchStream::run() {
  const StreamEnding ending = carry_until_the_end();
  stream_->wake_up.rest();
  host_->end_stream(*stream_, ending);
  result_.close();
}

StreamEnding WatchStream::carry_until_the_end() {
  const runtime::StopToken stop = stop_source_.token();
  while (true) {
    const StreamStep step = host_->next_step(*stream_);
    if (const auto* end = std::get_if<stream_step::End>(&step)) {
      // An end that is held back travels no sooner than an event would.
      if (!stream_->wake_up.sleep_through(stop, end->left)) {
        return {StreamEnd::Stopped, ""};
      }
      return end->ending;
    }
    if (const auto* events = std::get_if<stream_step::Deliver>(&step)) {
      if (!deliver(*events)) {
        return {StreamEnd::Stopped, ""};
      }
      const watch::Event& last = events->events.back();
      if (last.type == watch::EventType::Error) {
        return ending_after(last);
      }
    }
    const auto* wait = std::get_if<stream_step::Wait>(&step);
    if (wait != nullptr && !stream_->wake_up.sleep(stop, wait->wake_at)) {
      return {StreamEnd::Stopped, ""};
    }
  }
}

bool WatchStream::deliver(const stream_step::Deliver& step) {
  const runtime::StopToken stop = stop_source_.token();
  runtime::TimePoint at = step.left + latency_;
  if (taken_) {
    at = std::max(at, *taken_ + host_->events_apart());
  }
  if (!stream_->wake_up.sleep_through(stop, at)) {
    return false;
  }
  host_->arrived(*stream_, step);
  for (const watch::Event& event : step.events) {
    runtime::Select choice(host_->runtime());
    choice.receive(stop.done(host_->runtime()));
    choice.send(result_, event);
    if (choice.wait() == 0) {
      return false;
    }
  }
  taken_ = host_->runtime().now();
  return true;
}

}  // namespace watchlab::sim
