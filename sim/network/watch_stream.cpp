#include "sim/network/watch_stream.hpp"

#include <algorithm>
#include <string_view>
#include <utility>

#include "core/runtime/select.hpp"
#include "core/runtime/task.hpp"

namespace watchlab::sim {

namespace {

/// "expired" for a 410, "error" for any other ERROR event, "" for all the rest.
std::string_view end_after(const watch::Event& event) {
  if (event.type != watch::EventType::Error) {
    return "";
  }
  constexpr std::int32_t kGone = 410;
  return event.status && event.status->code == kGone ? "expired" : "error";
}

}  // namespace

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
  const auto [end, cause] = carry_until_the_end();
  stream_->wake_up.rest();
  host_->end_stream(*stream_, end, cause);
  result_.close();
}

std::pair<std::string, std::string> WatchStream::carry_until_the_end() {
  const runtime::StopToken stop = stop_source_.token();
  while (true) {
    const StreamStep step = host_->next_step(*stream_);
    if (const auto* end = std::get_if<stream_step::End>(&step)) {
      // An end that is held back travels no sooner than an event would.
      if (!stream_->wake_up.sleep_through(stop, end->left)) {
        return {"stopped", ""};
      }
      return {end->end, end->cause};
    }
    if (const auto* events = std::get_if<stream_step::Deliver>(&step)) {
      if (!deliver(*events)) {
        return {"stopped", ""};
      }
      const watch::Event& last = events->events.back();
      if (const std::string_view end = end_after(last); !end.empty()) {
        return {std::string(end), last.status ? last.status->message : ""};
      }
    }
    const auto* wait = std::get_if<stream_step::Wait>(&step);
    if (wait != nullptr && !stream_->wake_up.sleep(stop, wait->wake_at)) {
      return {"stopped", ""};
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
