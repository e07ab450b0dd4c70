#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "core/informers/shared_informer_factory.hpp"
#include "core/runtime/task.hpp"
#include "core/workqueue/delaying_queue.hpp"

namespace watchlab::examples {

/// Where objects are published; fails when it likes. A null object takes the key back.
using Publish =
    std::function<api::Result<void>(const std::string& key, const api::ObjectPtr& object)>;

/// Keeps something outside in step with the ConfigMaps of a server. docs/tutorial.md explains it.
class PublishingController {
 public:
  PublishingController(runtime::Runtime& runtime, informers::SharedInformerFactory& factory,
                       Publish publish);

  /// Works with so many workers until the token stops. The factory must be started.
  void run(const runtime::StopToken& stop, int workers);

 private:
  void work();
  [[nodiscard]] api::Result<void> reconcile(const std::string& key);

  runtime::Runtime& runtime_;
  informers::GenericInformer maps_;
  cache::RegistrationPtr registration_;
  /// Shared with the handler, which may be called once more after the controller has ended.
  std::shared_ptr<workqueue::RateLimitingQueue> queue_;
  Publish publish_;
};

}  // namespace watchlab::examples
