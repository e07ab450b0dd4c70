#include "sim/http/subresources.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <boost/json.hpp>
#include <utility>

#include "core/client/tls_channel.hpp"
#include "sim/apiserver/managed_fields.hpp"
#include "sim/apiserver/status_bodies.hpp"

namespace watchlab::sim {

namespace {

namespace json = boost::json;

json::value json_of(const std::string& text) {
  boost::system::error_code failure;
  json::value value = json::parse(text, failure, {}, {.max_depth = kJsonDepthMax});
  return failure ? json::value() : value;
}

/// Null when nothing is there.
json::value member_at(const json::value& value, std::string_view pointer) {
  boost::system::error_code failure;
  const json::value* const found = value.find_pointer(pointer, failure);
  return failure || found == nullptr ? json::value() : *found;
}

void set_content_type(HttpRequest& http, std::string_view type) {
  std::erase_if(http.fields,
                [](const HttpField& field) { return !field_of({field}, "Content-Type").empty(); });
  http.fields.push_back({"Content-Type", std::string(type)});
}

/// The pod is deleted, as the eviction says. Budgets are not looked at.
api::Result<HttpRequest> eviction(HttpRequest http) {
  const json::value options = member_at(json_of(http.body), "/deleteOptions");
  http.method = "DELETE";
  http.body = options.is_object() ? json::serialize(options) : "";
  set_content_type(http, "application/json");
  return http;
}

/// The pod gets its node.
api::Result<HttpRequest> binding(HttpRequest http) {
  const json::value body = json_of(http.body);
  const json::value node = member_at(body, "/target/name");
  if (!node.is_string() || node.get_string().empty()) {
    return api::error_from(
        status_bodies::invalid_object({"", "v1", "pods/binding"}, "Binding", "",
                                      {{"FieldValueRequired", "Required value", "target.name"}}));
  }
  json::object change{{"spec", json::object{{"nodeName", node}}}};
  if (const json::value uid = member_at(body, "/metadata/uid"); uid.is_string()) {
    change["metadata"] = json::object{{"uid", uid}};
  }
  http.method = "PATCH";
  http.body = json::serialize(change);
  set_content_type(http, "application/merge-patch+json");
  return http;
}

struct SubresourceRow {
  std::string_view group;
  std::string_view collection;
  std::string_view name;
  /// What it does; null when it reads and writes the object, or a part of it.
  api::Result<HttpRequest> (*create)(HttpRequest http) = nullptr;
  std::string_view instead = {};  ///< what takes its place in the path
};

constexpr std::array kSubresourceRows{
    SubresourceRow{"", "pods", "eviction", eviction},
    SubresourceRow{"", "pods", "binding", binding},
    SubresourceRow{"", "pods", "ephemeralcontainers"},
    SubresourceRow{"", "pods", "resize"},
    SubresourceRow{"", "namespaces", "finalize"},
    SubresourceRow{"certificates.k8s.io", "certificatesigningrequests", "approval", nullptr,
                   "/status"},
};

/// Null when the path is none of an object with such a thing below it.
const SubresourceRow* subresource_row(const Target& target) {
  const std::vector<std::string>& path = target.path;
  constexpr std::size_t kBelow = 3;  // the collection, the object, and what is below it
  const std::size_t prefix = !path.empty() && path[0] == "api" ? 2 : 3;
  if (path.size() != prefix + kBelow && path.size() != prefix + kBelow + 2) {
    return nullptr;
  }
  const std::string group = prefix == 2 ? "" : path[1];
  const auto* const row = std::ranges::find_if(kSubresourceRows, [&](const SubresourceRow& each) {
    return each.group == group && each.collection == path[path.size() - kBelow] &&
           each.name == path.back();
  });
  return row == kSubresourceRows.end() ? nullptr : row;
}

std::string url_base64(std::string_view bytes) {
  std::string text = client::to_base64(bytes);
  std::ranges::replace(text, '+', '-');
  std::ranges::replace(text, '/', '_');
  text.erase(std::min(text.find('='), text.size()));
  return text;
}

}  // namespace

bool is_served_below(const std::string& collection, const std::string& subresource) {
  return subresource == "status" || subresource == "scale" || subresource == "token" ||
         std::ranges::any_of(kSubresourceRows, [&](const SubresourceRow& each) {
           return each.collection == collection && each.name == subresource;
         });
}

api::Result<HttpRequest> request_behind_subresource(HttpRequest http, const Target& target) {
  const SubresourceRow* const row = subresource_row(target);
  if (row == nullptr) {
    return http;
  }
  const bool creates = http.method == "POST";
  if (creates != (row->create != nullptr) || http.method == "DELETE") {
    return api::error_from(
        api::failure(api::StatusReason::MethodNotAllowed,
                     "the server does not allow this method on the requested resource"));
  }
  std::string path;
  for (std::size_t i = 0; i + 1 < target.path.size(); ++i) {
    path += "/" + escaped(target.path[i]);
  }
  http.target = target_text(path + std::string(row->instead), target.query);
  return creates ? row->create(std::move(http)) : api::Result<HttpRequest>(std::move(http));
}

std::optional<BodyForm> form_of_subresource(const Target& target) {
  const SubresourceRow* const row = subresource_row(target);
  return row != nullptr && row->create != nullptr ? std::optional(BodyForm::Done) : std::nullopt;
}

bool is_token_request(const std::vector<std::string>& path) {
  constexpr std::size_t kParts = 7;
  return path.size() == kParts && path[0] == "api" && path[2] == "namespaces" &&
         path[4] == "serviceaccounts" && path[6] == "token";
}

std::string token_page(const std::vector<std::string>& path, const std::string& body,
                       runtime::TimePoint now) {
  constexpr std::int64_t kHour = 3600;
  // A real server refuses what is outside of these; here it becomes one of them.
  constexpr std::int64_t kLeast = 600;
  constexpr std::int64_t kMost = std::int64_t{1} << 32;
  json::value asked = json_of(body);
  json::object made = asked.is_object() ? std::move(asked.get_object()) : json::object();
  json::value& spec = made["spec"];
  json::object& wanted = spec.is_object() ? spec.get_object() : spec.emplace_object();
  const json::value* const lifetime = wanted.if_contains("expirationSeconds");
  const std::int64_t seconds = lifetime != nullptr && lifetime->is_int64()
                                   ? std::clamp(lifetime->get_int64(), kLeast, kMost)
                                   : kHour;
  wanted["expirationSeconds"] = seconds;
  if (!wanted.contains("audiences") || wanted["audiences"].is_null()) {
    wanted["audiences"] = json::array{"https://kubernetes.default.svc"};
  }
  wanted.emplace("boundObjectRef", nullptr);
  const std::string end = timestamp(now + std::chrono::seconds(seconds));
  const json::object claims{{"sub", fmt::format("system:serviceaccount:{}:{}", path[3], path[5])},
                            {"aud", wanted["audiences"]}};
  made["kind"] = "TokenRequest";
  made["apiVersion"] = "authentication.k8s.io/v1";
  made["metadata"] = json::object{{"name", path[5]}, {"namespace", path[3]}};
  made["status"] = json::object{{"token", fmt::format("{}.{}.", url_base64(R"({"alg":"none"})"),
                                                      url_base64(json::serialize(claims)))},
                                {"expirationTimestamp", end}};
  return json::serialize(made);
}

}  // namespace watchlab::sim
