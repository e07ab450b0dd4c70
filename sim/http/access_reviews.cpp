// What a client may do: everything, once its token was taken. `kubectl auth` asks.
#include <algorithm>
#include <boost/json.hpp>
#include <utility>

#include "core/api/json.hpp"
#include "core/client/tls_channel.hpp"
#include "sim/apiserver/status_bodies.hpp"
#include "sim/http/discovery.hpp"

namespace watchlab::sim {

namespace {

namespace json = boost::json;

json::object all_allowed(const json::object&) {
  return {{"allowed", true}, {"reason", "watchlab allows everything"}};
}

json::object all_rules(const json::object&) {
  const json::array all{"*"};
  return {{"resourceRules",
           json::array{json::object{{"verbs", all}, {"apiGroups", all}, {"resources", all}}}},
          {"nonResourceRules", json::array{json::object{{"verbs", all}, {"nonResourceURLs", all}}}},
          {"incomplete", false}};
}

json::object the_user(const json::object&) {
  return {{"userInfo",
           json::object{{"username", "watchlab"},
                        {"groups", json::array{"system:masters", "system:authenticated"}}}}};
}

/// The user that a token names: our tokens are not signed.
json::object user_of_token(const json::object& asked) {
  const json::value* const spec = asked.if_contains("spec");
  const json::value* const token =
      spec != nullptr && spec->is_object() ? spec->get_object().if_contains("token") : nullptr;
  std::string text = token != nullptr && token->is_string() ? std::string(token->get_string()) : "";
  text.erase(0, std::min(text.find('.') + 1, text.size()));
  text.erase(std::min(text.find('.'), text.size()));
  std::ranges::replace(text, '-', '+');
  std::ranges::replace(text, '_', '/');
  constexpr std::size_t kGroup = 4;
  text.append((kGroup - text.size() % kGroup) % kGroup, '=');
  boost::system::error_code failure;
  const json::value claims = json::parse(client::from_base64(text).value_or(""), failure);
  const json::value* const user =
      failure || !claims.is_object() ? nullptr : claims.get_object().if_contains("sub");
  if (user == nullptr) {
    return {{"user", json::object()}, {"error", "this server did not issue the token"}};
  }
  return {{"authenticated", true}, {"user", json::object{{"username", *user}}}};
}

struct Review {
  std::string_view group;
  std::string_view resource;
  std::string_view kind;
  json::object (*status)(const json::object& asked);
  bool namespaced = false;
};

const Review kReviews[] = {
    {"authorization.k8s.io", "selfsubjectaccessreviews", "SelfSubjectAccessReview", all_allowed},
    {"authorization.k8s.io", "selfsubjectrulesreviews", "SelfSubjectRulesReview", all_rules},
    {"authorization.k8s.io", "subjectaccessreviews", "SubjectAccessReview", all_allowed},
    {"authorization.k8s.io", "localsubjectaccessreviews", "LocalSubjectAccessReview", all_allowed,
     true},
    {"authentication.k8s.io", "selfsubjectreviews", "SelfSubjectReview", the_user},
    {"authentication.k8s.io", "tokenreviews", "TokenReview", user_of_token},
};

}  // namespace

std::string access_review(const std::vector<std::string>& path, const std::string& body) {
  for (const Review& each : kReviews) {
    const std::size_t length = each.namespaced ? 6 : 4;
    const bool is_asked = path.size() == length && path[0] == "apis" && path[1] == each.group &&
                          path[2] == "v1" && path.back() == each.resource;
    if (!is_asked) {
      continue;
    }
    boost::system::error_code failure;
    json::value asked = json::parse(body.empty() ? "{}" : body, failure);
    json::object made;
    if (!failure && asked.is_object()) {
      made = std::move(asked.as_object());
    }
    made["kind"] = each.kind;
    made["apiVersion"] = std::string(each.group) + "/v1";
    made["status"] = each.status(made);
    return json::serialize(made);
  }
  return "";
}

}  // namespace watchlab::sim
