#pragma once

#include <memory>
#include <string>
#include <utility>

#include "core/cache/list_watch.hpp"
#include "core/client/rest_client.hpp"

namespace watchlab::client {

/// Lists and watches one collection over HTTP, as the source of reflectors and informers. Any task
/// may call any function.
class HttpListerWatcher : public cache::ListerWatcher {
 public:
  /// An empty namespace means a cluster-wide collection, or the objects of all namespaces.
  HttpListerWatcher(std::shared_ptr<RestClient> client, api::GroupVersionResource resource,
                    std::string namespace_name = "")
      : client_(std::move(client)),
        resource_(std::move(resource)),
        namespace_(std::move(namespace_name)) {}

  [[nodiscard]] api::Result<api::ObjectList> list(const runtime::StopToken& stop,
                                                  const api::ListOptions& options) override;
  [[nodiscard]] api::Result<std::shared_ptr<watch::Watcher>> watch(
      const runtime::StopToken& stop, const api::ListOptions& options) override;

  [[nodiscard]] const api::GroupVersionResource& resource() const { return resource_; }

 protected:
  [[nodiscard]] RestClient& client() { return *client_; }
  [[nodiscard]] const std::shared_ptr<RestClient>& shared_client() const { return client_; }
  [[nodiscard]] std::string path(const std::string& namespace_name, const std::string& name) const;
  /// The object's namespace, or else the collection's.
  [[nodiscard]] std::string namespace_of(const api::Object& object) const;
  [[nodiscard]] const std::string& own_namespace() const { return namespace_; }

 private:
  std::shared_ptr<RestClient> client_;
  api::GroupVersionResource resource_;
  std::string namespace_;
};

/// Reads and writes the objects of one collection, in addition to listing and watching it. Objects
/// may be of any kind: metadata in fields, the rest as JSON text. Mirrors client-go dynamic,
/// ResourceInterface.
class ResourceClient : public HttpListerWatcher {
 public:
  using HttpListerWatcher::HttpListerWatcher;

  /// The same collection in one namespace.
  [[nodiscard]] ResourceClient in(std::string namespace_name) const {
    return {shared_client(), resource(), std::move(namespace_name)};
  }
  [[nodiscard]] api::Result<api::ObjectPtr> get(const runtime::StopToken& stop,
                                                const std::string& name);
  [[nodiscard]] api::Result<api::ObjectPtr> create(const runtime::StopToken& stop,
                                                   const api::Object& object);
  /// Fails with a Conflict if the object's resourceVersion is not the newest.
  [[nodiscard]] api::Result<api::ObjectPtr> update(const runtime::StopToken& stop,
                                                   const api::Object& object);
  /// Writes only the status.
  [[nodiscard]] api::Result<api::ObjectPtr> update_status(const runtime::StopToken& stop,
                                                          const api::Object& object);
  /// A JSON merge patch: members replace those of the object, null removes them. With `of_status`
  /// it changes only the status.
  [[nodiscard]] api::Result<api::ObjectPtr> patch(const runtime::StopToken& stop,
                                                  const std::string& name,
                                                  const std::string& merge_patch,
                                                  bool of_status = false);
  [[nodiscard]] api::Result<void> remove(const runtime::StopToken& stop, const std::string& name);

 private:
  [[nodiscard]] api::Result<api::ObjectPtr> ask(const runtime::StopToken& stop,
                                                const RestRequest& request);
};

}  // namespace watchlab::client
