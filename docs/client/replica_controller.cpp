// Keeps for each Deployment as many Pods as its spec.replicas says: NAME-0, NAME-1 …
// Two informers say that something may have changed, a queue says what to look at, and `reconcile`
// compares what there is with what there shall be. It never asks what happened.
#include <fmt/format.h>

#include <boost/json.hpp>
#include <cstdint>
#include <cstdio>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>

#include "core/cache/informer.hpp"
#include "core/cache/key.hpp"
#include "core/cache/shared_index_informer.hpp"
#include "core/client/client_config.hpp"
#include "core/client/resource_client.hpp"
#include "core/runtime/fibers/fiber_runtime.hpp"
#include "core/runtime/task.hpp"
#include "core/workqueue/delaying_queue.hpp"

using namespace watchlab;

namespace {

const std::string kLabel = "app";

/// What stands there in an object; null for nothing.
boost::json::value value_at(const api::Object& object, const std::string& pointer) {
  boost::system::error_code failure;
  const boost::json::value body = boost::json::parse(object.body, failure);
  const boost::json::value* const found = failure ? nullptr : body.find_pointer(pointer, failure);
  return found != nullptr ? *found : boost::json::value();
}

/// How many pods the object shall have; 0 for what is no number.
std::int64_t replicas_of(const api::Object& deployment) {
  const boost::json::value count = value_at(deployment, "/spec/replicas");
  return count.is_int64() ? count.as_int64() : 0;
}

/// A pod as the object's template says.
api::Object pod_of(const api::Object& deployment, const std::string& name) {
  const boost::json::value spec = value_at(deployment, "/spec/template/spec");
  api::Object pod{.api_version = "v1", .kind = "Pod"};
  pod.metadata.name = name;
  pod.metadata.namespace_ = deployment.metadata.namespace_;
  pod.metadata.labels = {{kLabel, deployment.metadata.name}};
  pod.body = spec.is_null() ? "" : boost::json::serialize(boost::json::value{{"spec", spec}});
  return pod;
}

class ReplicaController {
 public:
  ReplicaController(runtime::Runtime& runtime, std::shared_ptr<client::RestClient> rest)
      : runtime_(runtime),
        deployments_(std::make_shared<client::ResourceClient>(
            rest, api::GroupVersionResource{"apps", "v1", "deployments"})),
        pods_(std::make_shared<client::ResourceClient>(
            rest, api::GroupVersionResource{"", "v1", "pods"})),
        deployment_informer_(runtime, {.lister_watcher = deployments_}),
        pod_informer_(runtime, {.lister_watcher = pods_}),
        queue_(runtime, workqueue::default_controller_rate_limiter(runtime)) {
    (void)deployment_informer_.add_event_handler(
        enqueuing([](const api::ObjectMeta& metadata) { return metadata.name; }));
    (void)pod_informer_.add_event_handler(enqueuing([](const api::ObjectMeta& metadata) {
      const auto label = metadata.labels.find(kLabel);
      return label == metadata.labels.end() ? std::string() : label->second;
    }));
  }

  void run(const runtime::StopToken& stop) {
    const auto start = [&](cache::SharedIndexInformer& informer) {
      return runtime::spawn(runtime_, "informer", [&] { informer.run(stop); });
    };
    const runtime::Task first = start(deployment_informer_);
    const runtime::Task second = start(pod_informer_);
    // An empty store is no proof that the server is empty.
    if (cache::wait_for_cache_sync(runtime_, stop,
                                   {[&] { return deployment_informer_.has_synced(); },
                                    [&] { return pod_informer_.has_synced(); }})) {
      work(stop);
    }
    queue_.shut_down();
    first.join();
    second.join();
  }

 private:
  /// Queues the deployment of whatever has changed.
  std::shared_ptr<cache::ResourceEventHandler> enqueuing(
      std::function<std::string(const api::ObjectMeta&)> deployment_of) {
    const auto enqueue = [this, deployment_of](const api::ObjectPtr& object) {
      if (const std::string name = deployment_of(object->metadata); !name.empty()) {
        queue_.add(api::key_from(object->metadata.namespace_, name));
      }
    };
    return cache::make_handler(
        {.add = [enqueue](const api::ObjectPtr& object, bool) { enqueue(object); },
         .update = [enqueue](const api::ObjectPtr&,
                             const api::ObjectPtr& object) { enqueue(object); },
         .remove =
             [enqueue](const cache::Item& item) {
               if (const api::ObjectPtr object = cache::object_of(item)) {
                 enqueue(object);
               }
             }});
  }

  void work(const runtime::StopToken& stop) {
    while (const std::optional<std::string> key = queue_.get()) {
      const api::Result<void> done = reconcile(*key, stop);
      if (done) {
        queue_.forget(*key);
      } else {
        fmt::print(stderr, "replica_controller: {}: {}\n", *key, done.error().message);
        queue_.add_rate_limited(*key);
      }
      queue_.done(*key);
    }
  }

  /// Creates the pods that are missing, removes those that are too many, and says so in the status
  /// when the store shows that all is as it shall be. A store may be older than what was done: what
  /// exists already or is gone already is no failure.
  api::Result<void> reconcile(const std::string& key, const runtime::StopToken& stop) {
    const std::string place = key.substr(0, key.find('/'));
    const std::string name = key.substr(key.find('/') + 1);
    const api::ObjectPtr deployment = deployment_informer_.indexer()->get_by_key(key);
    const std::int64_t replicas = deployment == nullptr ? 0 : replicas_of(*deployment);
    std::set<std::string> missing;
    for (std::int64_t i = 0; i < replicas; ++i) {
      missing.insert(fmt::format("{}-{}", name, i));
    }
    client::ResourceClient pods = pods_->in(place);
    bool is_complete = true;
    for (const std::string& each : pods_of(place, name)) {
      if (missing.erase(each) == 0) {
        is_complete = false;
        const api::Result<void> removed = pods.remove(stop, each);
        if (!removed && !api::is_not_found(removed.error())) {
          return removed;
        }
      }
    }
    for (const std::string& each : missing) {
      const auto created = pods.create(stop, pod_of(*deployment, each));
      if (!created && created.error().status.reason != api::StatusReason::AlreadyExists) {
        return created.error();
      }
    }
    return is_complete && missing.empty() && deployment != nullptr
               ? report(key, *deployment, replicas, stop)
               : api::Result<void>();
  }

  /// The names of its pods that the store shows.
  std::set<std::string> pods_of(const std::string& place, const std::string& name) {
    std::set<std::string> found;
    for (const api::ObjectPtr& pod : pod_informer_.indexer()->list()) {
      const auto label = pod->metadata.labels.find(kLabel);
      if (pod->metadata.namespace_ == place && label != pod->metadata.labels.end() &&
          label->second == name) {
        found.insert(pod->metadata.name);
      }
    }
    return found;
  }

  /// Writes the status, once for each generation of the object.
  api::Result<void> report(const std::string& key, const api::Object& deployment,
                           std::int64_t replicas, const runtime::StopToken& stop) {
    const std::int64_t generation = deployment.metadata.generation;
    const auto reported = reported_.find(key);
    if (reported != reported_.end() && reported->second == generation) {
      return {};
    }
    const auto written =
        deployments_->in(deployment.metadata.namespace_)
            .patch(stop, deployment.metadata.name,
                   fmt::format(R"({{"status":{{"replicas":{},"observedGeneration":{}}}}})",
                               replicas, generation),
                   true);
    if (written) {
      reported_[key] = generation;
    }
    return written ? api::Result<void>() : written.error();
  }

  runtime::Runtime& runtime_;
  std::shared_ptr<client::ResourceClient> deployments_;
  std::shared_ptr<client::ResourceClient> pods_;
  cache::SharedIndexInformer deployment_informer_;
  cache::SharedIndexInformer pod_informer_;
  workqueue::RateLimitingQueue queue_;
  std::map<std::string, std::int64_t> reported_;  // the worker's: generations
};

int fail(const api::Error& error) {
  fmt::print(stderr, "replica_controller: {}\n", error.message);
  return 2;
}

}  // namespace

int main() {
  const api::Result<client::ClientConfig> config = client::default_config();
  if (!config) {
    return fail(config.error());
  }
  runtime::FiberRuntime fibers;
  const client::IoLoop loop(fibers);
  const auto rest = client::RestClient::make(loop, *config);
  if (!rest) {
    return fail(rest.error());
  }
  fibers.run([&](runtime::Runtime& runtime) {
    ReplicaController(runtime, *rest).run(runtime::StopToken());  // until the process is ended
  });
}
