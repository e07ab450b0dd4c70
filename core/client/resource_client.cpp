#include "core/client/resource_client.hpp"

#include <algorithm>
#include <cstdint>

#include "core/api/json.hpp"
#include "core/client/api_messages.hpp"

namespace watchlab::client {

std::string HttpListerWatcher::path(const std::string& namespace_name,
                                    const std::string& name) const {
  return path_of(resource_, namespace_name, name);
}

std::string HttpListerWatcher::namespace_of(const api::Object& object) const {
  return object.metadata.namespace_.empty() ? namespace_ : std::string(object.metadata.namespace_);
}

api::Result<api::ObjectList> HttpListerWatcher::list(const runtime::StopToken& stop,
                                                     const api::ListOptions& options) {
  const api::Result<RestAnswer> answer =
      client_->request(stop, {.path = path(namespace_, ""), .query = query_from(options)});
  if (!answer) {
    return answer.error();
  }
  return is_json(answer->head) ? api::list_from_json(answer->body) : not_json(answer->head);
}

api::Result<std::shared_ptr<watch::Watcher>> HttpListerWatcher::watch(
    const runtime::StopToken& stop, const api::ListOptions& options) {
  RestRequest request{.path = path(namespace_, ""), .query = query_from(options)};
  request.query.emplace_back("watch", "true");
  // A server may be asked for longer than a clock can count.
  constexpr std::int64_t kYear = 365L * 24 * 3600;
  return client_->watch(stop, request,
                        std::chrono::seconds(std::min(options.timeout_seconds, kYear)));
}

api::Result<api::ObjectPtr> ResourceClient::ask(const runtime::StopToken& stop,
                                                const RestRequest& request) {
  const api::Result<RestAnswer> answer = client().request(stop, request);
  if (!answer) {
    return answer.error();
  }
  if (!is_json(answer->head)) {
    return not_json(answer->head);
  }
  api::Result<api::Object> object = api::object_from_json(answer->body);
  return object ? api::Result<api::ObjectPtr>(api::share(*std::move(object))) : object.error();
}

api::Result<api::ObjectPtr> ResourceClient::get(const runtime::StopToken& stop,
                                                const std::string& name) {
  return ask(stop, {.path = path(own_namespace(), name)});
}

api::Result<api::ObjectPtr> ResourceClient::create(const runtime::StopToken& stop,
                                                   const api::Object& object) {
  return ask(
      stop,
      {.method = "POST", .path = path(namespace_of(object), ""), .body = api::to_json(object)});
}

api::Result<api::ObjectPtr> ResourceClient::update(const runtime::StopToken& stop,
                                                   const api::Object& object) {
  return ask(stop, {.method = "PUT",
                    .path = path(namespace_of(object), object.metadata.name),
                    .body = api::to_json(object)});
}

api::Result<api::ObjectPtr> ResourceClient::update_status(const runtime::StopToken& stop,
                                                          const api::Object& object) {
  return ask(stop, {.method = "PUT",
                    .path = path(namespace_of(object), object.metadata.name) + "/status",
                    .body = api::to_json(object)});
}

api::Result<api::ObjectPtr> ResourceClient::patch(const runtime::StopToken& stop,
                                                  const std::string& name,
                                                  const std::string& merge_patch, bool of_status) {
  return ask(stop, {.method = "PATCH",
                    .path = path(own_namespace(), name) + (of_status ? "/status" : ""),
                    .body = merge_patch,
                    .type = "application/merge-patch+json"});
}

api::Result<void> ResourceClient::remove(const runtime::StopToken& stop, const std::string& name) {
  const api::Result<RestAnswer> answer =
      client().request(stop, {.method = "DELETE", .path = path(own_namespace(), name)});
  return answer ? api::Result<void>() : answer.error();
}

}  // namespace watchlab::client
