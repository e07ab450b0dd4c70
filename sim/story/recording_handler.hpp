#pragma once

#include <functional>
#include <memory>
#include <string>

#include "core/cache/resource_event_handler.hpp"
#include "sim/story/client.hpp"

namespace watchlab::sim {

/// A handler that writes down each call, takes its time, and panics if its options say so. Whoever
/// calls handlers calls it.
class RecordingHandler : public cache::ResourceEventHandler {
 public:
  /// What it looks at when it is called.
  struct View {
    /// Which revision of a key the client's store holds; "" for none.
    std::function<std::string(const std::string& key)> held;
    /// Whether its registration says that it has synced; unset for one that has no registration.
    std::function<bool()> synced;
    /// What each call does at its end; unset for nothing.
    std::function<void()> then = nullptr;
  };

  RecordingHandler(std::shared_ptr<StoryStage> stage, std::string client,
                   StoryHandlerOptions options, View view);

  void on_add(const api::ObjectPtr& object, bool is_in_initial_list) override;
  void on_update(const api::ObjectPtr& old_object, const api::ObjectPtr& new_object) override;
  void on_delete(const cache::Item& item) override;

 private:
  [[nodiscard]] CallRecord call_of(std::string type, const api::ObjectPtr& object) const;
  void handle(CallRecord call);

  std::shared_ptr<StoryStage> stage_;
  std::string client_;
  StoryHandlerOptions options_;
  View view_;
  std::int64_t calls_ = 0;
  bool in_call_ = false;
};

}  // namespace watchlab::sim
