#include "core/watch/empty_watch.hpp"

namespace watchlab::watch {
namespace {

class EmptyWatch : public Watcher {
 public:
  EmptyWatch(runtime::Runtime& runtime, runtime::Location here)
      : channel_(runtime, 0, "empty_watch.result", here) {
    channel_.close(here);
  }

  void stop(runtime::Location /*here*/) override {}
  [[nodiscard]] const runtime::Channel<Event>& result_channel() const override { return channel_; }

 private:
  runtime::Channel<Event> channel_;
};

}  // namespace

std::shared_ptr<Watcher> make_empty_watch(runtime::Runtime& runtime, runtime::Location here) {
  return std::make_shared<EmptyWatch>(runtime, here);
}

}  // namespace watchlab::watch
