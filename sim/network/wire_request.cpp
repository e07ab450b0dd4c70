#include <fmt/format.h>

#include <array>
#include <utility>

#include "core/api/json.hpp"
#include "sim/apiserver/status_bodies.hpp"
#include "sim/network/wire_messages.hpp"

namespace watchlab::sim {

namespace {

constexpr std::array<std::pair<PatchType, std::string_view>, 4> kPatchTypes{{
    {PatchType::Json, "application/json-patch+json"},
    {PatchType::Merge, "application/merge-patch+json"},
    {PatchType::Strategic, "application/strategic-merge-patch+json"},
    {PatchType::Apply, "application/apply-patch+yaml"},
}};

bool is_about_one(Verb verb) {
  return verb == Verb::Get || verb == Verb::Update || verb == Verb::UpdateStatus ||
         verb == Verb::Patch || verb == Verb::Delete;
}

std::string_view method_of(Verb verb) {
  switch (verb) {
    case Verb::Create:
      return "POST";
    case Verb::Update:
    case Verb::UpdateStatus:
      return "PUT";
    case Verb::Patch:
      return "PATCH";
    case Verb::Delete:
    case Verb::DeleteCollection:
      return "DELETE";
    case Verb::Get:
    case Verb::List:
    case Verb::Watch:
      break;
  }
  return "GET";
}

std::string target_path_of(const Request& request) {
  std::string name = is_about_one(request.verb) ? request.name : "";
  if (is_about_one(request.verb) && name.empty() && request.object) {
    name = request.object->metadata.name;
  }
  const bool status = request.verb == Verb::UpdateStatus || request.of_status;
  return path_of(request.resource, request.namespace_, name) + (status ? "/status" : "");
}

/// Whether the verb leaves an object behind that has a manager. Such requests have no list options.
bool writes(Verb verb) {
  return verb == Verb::Create || verb == Verb::Update || verb == Verb::UpdateStatus ||
         verb == Verb::Patch;
}

Query query_of(const Request& request) {
  Query query;
  if (writes(request.verb)) {
    if (!request.field_manager.empty()) {
      query.emplace_back("fieldManager", request.field_manager);
    }
    if (request.force) {
      query.emplace_back("force", "true");
    }
    if (request.dry_run) {
      query.emplace_back("dryRun", "All");
    }
    return query;
  }
  query = query_from(request.options);
  if (request.verb == Verb::Watch) {
    query.emplace_back("watch", "true");
  }
  return query;
}

api::Error unreadable_request(std::string message) {
  return api::error_from(status_bodies::bad_request(std::move(message)));
}

/// Takes the path apart: /api/V or /apis/G/V, then namespaces/NS, then a collection, a name and a
/// subresource. False when it is none of these.
bool read_path(Request& request, std::vector<std::string> path, std::string& subresource) {
  const auto take = [&path] {
    std::string first = std::move(path.front());
    path.erase(path.begin());
    return first;
  };
  if (path.size() >= 3 && path.front() == "api") {
    take();
    request.resource.version = take();
  } else if (path.size() >= 4 && path.front() == "apis") {
    take();
    request.resource.group = take();
    request.resource.version = take();
  } else {
    return false;
  }
  // "namespaces/a/status" is about the namespace; "namespaces/a/pods" is not.
  const bool inside = path.size() >= 3 && path.front() == "namespaces" && path[2] != "status" &&
                      path[2] != "finalize";
  if (inside) {
    take();
    request.namespace_ = take();
  }
  request.resource.resource = take();
  request.name = path.empty() ? "" : take();
  subresource = path.empty() ? "" : take();
  return path.empty();
}

/// What the method asks for; nothing when the server has no such thing there.
std::optional<Verb> verb_of(const HttpRequest& http, const Request& request, bool watches) {
  const bool one = !request.name.empty();
  if (http.method == "GET") {
    return one ? Verb::Get : watches ? Verb::Watch : Verb::List;
  }
  if (http.method == "POST" && !one) {
    return Verb::Create;
  }
  if (http.method == "PUT" && one) {
    return Verb::Update;
  }
  if (http.method == "PATCH" && one) {
    return Verb::Patch;
  }
  if (http.method == "DELETE") {
    return one ? Verb::Delete : Verb::DeleteCollection;
  }
  return std::nullopt;
}

api::Error unsupported(std::string_view type) {
  return api::error_from(
      api::failure(api::StatusReason::UnsupportedMediaType,
                   fmt::format("the body of the request was in an unknown format: {}", type)));
}

api::Result<void> read_body(Request& request, const HttpRequest& http) {
  const std::string type = media_type_of(http.fields);
  if (request.verb == Verb::Patch) {
    for (const auto& [patch_type, name] : kPatchTypes) {
      if (name == type) {
        request.patch_type = patch_type;
        request.patch = http.body;
        return {};
      }
    }
    return api::error_from(
        api::failure(api::StatusReason::UnsupportedMediaType, "415: Unsupported Media Type"));
  }
  if (!type.empty() && type != "application/json") {
    return unsupported(type);
  }
  if (request.verb == Verb::Delete || request.verb == Verb::DeleteCollection) {
    api::Result<DeleteOptions> options = deletion_from(http.body);
    if (!options) {
      return options.error();
    }
    request.deletion = *std::move(options);
    request.dry_run = request.dry_run || request.deletion.dry_run;
    return {};
  }
  api::Result<api::Object> object = api::object_from_json(http.body);
  if (!object) {
    return unreadable_request("the body cannot be read: " + object.error().message);
  }
  const api::ObjectMeta& sent = object->metadata;
  const bool updates = request.verb != Verb::Create;
  if (updates && sent.name != request.name) {
    return unreadable_request(
        fmt::format("the name of the object ({}) does not match the name on the URL ({})",
                    sent.name, request.name));
  }
  if (updates && !sent.namespace_.empty() && sent.namespace_ != request.namespace_) {
    return unreadable_request(
        "the namespace of the provided object does not match the namespace sent on the request");
  }
  request.object = std::make_shared<const api::Object>(*std::move(object));
  return {};
}

bool has_body(Verb verb) { return verb != Verb::Get && verb != Verb::List && verb != Verb::Watch; }

api::Result<void> read_query(Request& request, const Query& query) {
  api::Result<api::ListOptions> options = options_from(query);
  request.dry_run = value_in(query, "dryRun") == "All";
  if (!options) {
    return options.error();
  }
  request.options = *std::move(options);
  request.force = flag_in(query, "force");
  request.field_manager = value_in(query, "fieldManager").value_or("");
  return {};
}

api::Result<void> read_verb(Request& request, const HttpRequest& http, const Query& query,
                            const std::string& subresource) {
  const std::optional<Verb> verb = verb_of(http, request, flag_in(query, "watch"));
  const bool has_status = verb == Verb::Get || verb == Verb::Update || verb == Verb::Patch;
  const bool status = subresource == "status" && has_status;
  if (!subresource.empty() && !status) {
    return api::error_from(status_bodies::unknown_resource());
  }
  if (!verb) {
    return api::error_from(
        api::failure(api::StatusReason::MethodNotAllowed,
                     "the server does not allow this method on the requested resource"));
  }
  request.verb = status && verb == Verb::Update ? Verb::UpdateStatus : *verb;
  request.of_status = status && verb == Verb::Patch;
  return {};
}

}  // namespace

HttpRequest http_from(const Request& request) {
  HttpRequest http{.method = std::string(method_of(request.verb)),
                   .target = target_text(target_path_of(request), query_of(request)),
                   .fields = {{"Host", "watchlab"},
                              {"User-Agent", request.client},
                              {"Accept", "application/json"}},
                   .body = {}};
  if (request.verb == Verb::Patch) {
    for (const auto& [type, name] : kPatchTypes) {
      if (type == request.patch_type) {
        http.fields.push_back({"Content-Type", std::string(name)});
      }
    }
    http.body = request.patch;
  } else if (has_body(request.verb)) {
    http.fields.push_back({"Content-Type", "application/json"});
    const bool deletes = request.verb == Verb::Delete || request.verb == Verb::DeleteCollection;
    http.body = deletes ? deletion_text(request.deletion)
                        : (request.object ? api::to_json(*request.object) : "");
  }
  return http;
}

api::Result<Request> request_from(const HttpRequest& http) {
  const std::optional<Target> target = target_from(http.target);
  Request request;
  std::string subresource;
  if (!target) {
    return unreadable_request("the target of the request cannot be read");
  }
  if (!read_path(request, target->path, subresource)) {
    return api::error_from(status_bodies::unknown_resource());
  }
  request.client = field_of(http.fields, "User-Agent");
  if (const api::Result<void> read = read_verb(request, http, target->query, subresource); !read) {
    return read.error();
  }
  if (const api::Result<void> read = read_query(request, target->query); !read) {
    return read.error();
  }
  if (has_body(request.verb)) {
    if (const api::Result<void> read = read_body(request, http); !read) {
      return read.error();
    }
    if (const api::Result<void> read = read_write_query(request, target->query); !read) {
      return read.error();
    }
  }
  return request;
}

}  // namespace watchlab::sim
