#include "core/watch/watch.hpp"

#include <array>
#include <utility>

#include "core/runtime/recover.hpp"
#include "core/runtime/task.hpp"

namespace watchlab::watch {

std::string_view to_string(EventType type) {
  static constexpr std::array<std::string_view, 5> kNames{"ADDED", "MODIFIED", "DELETED",
                                                          "BOOKMARK", "ERROR"};
  return kNames.at(static_cast<std::size_t>(type));
}

namespace {

using runtime::Channel;
using runtime::Location;

class EmptyWatch : public Watcher {
 public:
  EmptyWatch(runtime::Runtime& runtime, Location here) : result_(runtime, 0, "watch_events", here) {
    result_.close(here);
  }

  void stop(Location /*here*/) override {}
  [[nodiscard]] const Channel<Event>& result_channel() const override { return result_; }

 private:
  Channel<Event> result_;
};

class FilteredWatch : public Watcher {
 public:
  FilteredWatch(std::shared_ptr<Watcher> source, Channel<Event> result)
      : source_(std::move(source)), result_(std::move(result)) {}

  void stop(Location here) override { source_->stop(here); }
  [[nodiscard]] const Channel<Event>& result_channel() const override { return result_; }

 private:
  std::shared_ptr<Watcher> source_;
  Channel<Event> result_;
};

void copy_events(Channel<Event> from, Channel<Event> to, const FilterFunction& function) {
  const auto panic = runtime::recover([&] {
    while (std::optional<Event> event = from.receive()) {
      if (std::optional<Event> kept = function(std::move(*event))) {
        to.send(std::move(*kept));
      }
    }
  });
  to.close();
  if (panic) {
    std::rethrow_exception(panic->exception);
  }
}

}  // namespace

std::shared_ptr<Watcher> make_empty_watch(runtime::Runtime& runtime, Location here) {
  return std::make_shared<EmptyWatch>(runtime, here);
}

std::shared_ptr<Watcher> filter(runtime::Runtime& runtime, std::shared_ptr<Watcher> source,
                                FilterFunction function, Location here) {
  Channel<Event> from = source->result_channel();
  Channel<Event> result(runtime, 0, "filter.result", here);
  auto filtered = std::make_shared<FilteredWatch>(std::move(source), result);
  runtime::spawn(
      runtime, "filter",
      [filtered, from = std::move(from), result, function = std::move(function)] {
        copy_events(from, result, function);
      },
      here);
  return filtered;
}

}  // namespace watchlab::watch
