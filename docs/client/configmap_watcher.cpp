// Prints what happens to the ConfigMaps of a namespace: configmap_watcher [NAMESPACE]
#include <fmt/format.h>

#include <cstdio>
#include <memory>
#include <string>

#include "core/cache/key.hpp"
#include "core/cache/shared_index_informer.hpp"
#include "core/client/client_config.hpp"
#include "core/client/resource_client.hpp"
#include "core/runtime/fibers/fiber_runtime.hpp"

using namespace watchlab;

namespace {

int fail(const api::Error& error) {
  fmt::print(stderr, "configmap_watcher: {}\n", error.message);
  return 2;
}

void say(const std::string& what, const std::string& key) {
  fmt::print("{}: {}\n", what, key);
  (void)std::fflush(stdout);
}

std::shared_ptr<cache::ResourceEventHandler> printing_handler() {
  return cache::make_handler(
      {.add = [](const api::ObjectPtr& object,
                 bool) { say("Added", api::key_of(object->metadata)); },
       .update =
           [](const api::ObjectPtr& before, const api::ObjectPtr& now) {
             if (before->metadata.resource_version != now->metadata.resource_version) {
               say("Updated", api::key_of(now->metadata));
             }
           },
       .remove =
           [](const cache::Item& item) {
             say("Deleted", *cache::deletion_handling_meta_namespace_key(item));
           }});
}

}  // namespace

int main(int argc, char** argv) {
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
    const std::string place = argc > 1 ? argv[1] : "default";
    cache::SharedIndexInformer informer(
        runtime, {.lister_watcher = std::make_shared<client::HttpListerWatcher>(
                      *rest, api::GroupVersionResource{"", "v1", "configmaps"}, place)});
    (void)informer.add_event_handler(printing_handler());
    informer.run(runtime::StopToken());  // until the process is ended
  });
}
