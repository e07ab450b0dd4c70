#include "scenarios/programs/small_cluster.hpp"

#include <utility>

#include "sim/kernel/run_result.hpp"

namespace watchlab::scenarios {

api::ObjectPtr object_at(const std::string& name, const std::string& revision) {
  api::Object object;
  object.api_version = "v1";
  object.kind = "ConfigMap";
  object.metadata.name = name;
  object.metadata.namespace_ = "default";
  object.metadata.uid = name;
  object.metadata.resource_version = revision;
  return std::make_shared<const api::Object>(std::move(object));
}

SmallCluster::SmallCluster(runtime::Runtime& runtime, std::initializer_list<std::string> names)
    : runtime_(runtime) {
  for (const std::string& name : names) {
    objects_.push_back(object_at(name, std::to_string(++revision_)));
  }
}

api::Result<api::ObjectList> SmallCluster::list(const runtime::StopToken& /*stop*/,
                                                const api::ListOptions& /*options*/) {
  api::ObjectList answer;
  answer.kind = "ConfigMapList";
  answer.resource_version = std::to_string(revision_);
  answer.items = objects_;
  return answer;
}

api::Result<std::shared_ptr<watch::Watcher>> SmallCluster::watch(
    const runtime::StopToken& /*stop*/, const api::ListOptions& /*options*/) {
  if (refuses_watches_) {
    return api::Error{
        .kind = api::ErrorKind::ConnectionRefused, .message = "connection refused", .status = {}};
  }
  watcher_ = std::make_shared<watch::FakeWatcher>(runtime_);
  return std::shared_ptr<watch::Watcher>(watcher_);
}

void SmallCluster::change(const std::string& name) {
  for (api::ObjectPtr& object : objects_) {
    if (object->metadata.name == name) {
      changed_ = object = object_at(name, std::to_string(++revision_));
    }
  }
}

void SmallCluster::deliver_change() { watcher_->modify(changed_); }

void SmallCluster::forget_history() {
  watcher_->error(api::failure(api::StatusReason::Expired, "too old resource version"));
}

std::shared_ptr<SmallCluster> small_cluster(runtime::Runtime& runtime,
                                            std::initializer_list<std::string> names) {
  return std::make_shared<SmallCluster>(runtime, names);
}

std::shared_ptr<cache::ResourceEventHandler> Calls::listener() {
  return cache::make_handler(
      {.add = [this](const api::ObjectPtr&, bool) { ++adds; },
       .update = [this](const api::ObjectPtr&, const api::ObjectPtr&) { ++updates; },
       .remove = [](const cache::Item&) {}});
}

RunningInformer::RunningInformer(runtime::Runtime& runtime,
                                 cache::SharedIndexInformerOptions options)
    : runtime_(runtime),
      informer_(std::make_shared<cache::SharedIndexInformer>(runtime, std::move(options))),
      stop_(runtime) {}

void RunningInformer::start() {
  task_ = runtime::spawn(runtime_, "informer",
                         [informer = informer_, stop = stop_.token()] { informer->run(stop); });
}

void RunningInformer::end() {
  stop_.stop();
  task_.join();
}

void expect_that(bool holds, const std::string& otherwise) {
  if (!holds) {
    throw sim::Violation(otherwise);
  }
}

}  // namespace watchlab::scenarios
