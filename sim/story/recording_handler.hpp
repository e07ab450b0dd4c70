#pragma once

#include <functional>
#include <memory>
#include <string>

#include "core/cache/resource_event_handler.hpp"
#include "sim/story/client.hpp"

namespace watchlab::sim {

/// A handler that writes down each call, and takes its time. Whoever calls handlers calls it.
class RecordingHandler : public cache::ResourceEventHandler {
 public:
  /// `held` says which revision of a key the client's store holds, "" for none.
  RecordingHandler(std::shared_ptr<StoryStage> stage,
                   std::function<std::string(const std::string&)> held, std::string client,
                   StoryHandlerOptions options);

  void on_add(const api::ObjectPtr& object, bool is_in_initial_list) override;
  void on_update(const api::ObjectPtr& old_object, const api::ObjectPtr& new_object) override;
  void on_delete(const cache::Item& item) override;

 private:
  [[nodiscard]] CallRecord call_of(std::string type, const api::ObjectPtr& object) const;
  void handle(CallRecord call);

  std::shared_ptr<StoryStage> stage_;
  std::function<std::string(const std::string&)> held_;
  std::string client_;
  StoryHandlerOptions options_;
  bool in_call_ = false;
};

}  // namespace watchlab::sim
