// Your listener. What it promises is in subject.hpp. What is here hands notifications over
// through a channel with room for four: find out what `add` does when the handler is slow (P2).
#include <memory>
#include <optional>

#include "core/runtime/channel.hpp"
#include "core/runtime/task.hpp"
#include "exercises/12-processor-listener/subject.hpp"

namespace watchlab::exercise {
namespace {

class OwnListener final : public Listener {
 public:
  OwnListener(runtime::Runtime& runtime, Handler& handler, const Informer& informer)
      : handler_(handler), informer_(informer), incoming_(runtime, 4, "incoming") {}

  void add(const Notification& notification) override { incoming_.send(notification); }
  void run() override {
    while (const std::optional<Notification> next = incoming_.receive()) {
      if (!handler_.handle(*next)) {
        return;  // What now?
      }
    }
  }
  void close() override { incoming_.close(); }
  [[nodiscard]] bool has_synced() const override { return informer_.has_synced(); }

  [[nodiscard]] bool resync_is_due() const override { return false; }
  void resynced() override {}

 private:
  Handler& handler_;
  const Informer& informer_;
  runtime::Channel<Notification> incoming_;
};

}  // namespace

std::unique_ptr<Listener> make_listener(runtime::Runtime& runtime, Handler& handler,
                                        const Informer& informer,
                                        runtime::Duration /*resync_period*/) {
  return std::make_unique<OwnListener>(runtime, handler, informer);
}

}  // namespace watchlab::exercise
