// What a client may do: everything, once its token was taken. `kubectl auth` asks.
#include <boost/json.hpp>
#include <utility>

#include "core/api/json.hpp"
#include "sim/apiserver/status_bodies.hpp"
#include "sim/http/discovery.hpp"

namespace watchlab::sim {

namespace {

namespace json = boost::json;

json::object all_allowed() { return {{"allowed", true}, {"reason", "watchlab allows everything"}}; }

json::object all_rules() {
  const json::array all{"*"};
  return {{"resourceRules",
           json::array{json::object{{"verbs", all}, {"apiGroups", all}, {"resources", all}}}},
          {"nonResourceRules", json::array{json::object{{"verbs", all}, {"nonResourceURLs", all}}}},
          {"incomplete", false}};
}

json::object the_user() {
  return {{"userInfo",
           json::object{{"username", "watchlab"},
                        {"groups", json::array{"system:masters", "system:authenticated"}}}}};
}

struct Review {
  std::string_view group;
  std::string_view resource;
  std::string_view kind;
  json::object (*status)();
};

const Review kReviews[] = {
    {"authorization.k8s.io", "selfsubjectaccessreviews", "SelfSubjectAccessReview", all_allowed},
    {"authorization.k8s.io", "selfsubjectrulesreviews", "SelfSubjectRulesReview", all_rules},
    {"authentication.k8s.io", "selfsubjectreviews", "SelfSubjectReview", the_user},
};

}  // namespace

std::string access_review(const std::vector<std::string>& path, const std::string& body) {
  for (const Review& each : kReviews) {
    const bool is_asked = path.size() == 4 && path[0] == "apis" && path[1] == each.group &&
                          path[2] == "v1" && path[3] == each.resource;
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
    made["status"] = each.status();
    return json::serialize(made);
  }
  return "";
}

}  // namespace watchlab::sim
