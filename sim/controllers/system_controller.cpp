#include <array>
#include <boost/json.hpp>
#include <set>

#include "sim/controllers/controller_catalogue.hpp"
#include "sim/controllers/controller_writes.hpp"

namespace watchlab::sim {

namespace {

namespace json = boost::json;

const api::GroupVersionResource kSystemSpaces{"", "v1", "namespaces"};
const api::GroupVersionResource kAccounts{"", "v1", "serviceaccounts"};
const api::GroupVersionResource kServices{"", "v1", "services"};

/// What every cluster has before anybody uses it.
class SystemController final : public ClusterController {
 public:
  void begin(ServerHost::Transaction& host) override {
    for (const char* name : {"kube-node-lease", "kube-public", "kube-system"}) {
      create_object(host, kSystemSpaces, {.metadata = {.name = name}});
    }
    for (const api::ObjectPtr& space : objects_in(host, kSystemSpaces, "")) {
      make_account(host, space->metadata.name);
    }
    api::Object service{.metadata = {.name = "kubernetes", .namespace_ = "default"}};
    service.metadata.labels = {{"component", "apiserver"}, {"provider", "kubernetes"}};
    service.body = json::serialize(json::object{
        {"spec",
         {{"clusterIP", "10.96.0.1"},
          {"clusterIPs", json::array{"10.96.0.1"}},
          {"type", "ClusterIP"},
          {"sessionAffinity", "None"},
          {"ipFamilies", json::array{"IPv4"}},
          {"ipFamilyPolicy", "SingleStack"},
          {"internalTrafficPolicy", "Cluster"},
          {"ports",
           json::array{
               {{"name", "https"}, {"protocol", "TCP"}, {"port", 443}, {"targetPort", 6443}}}}}},
        {"status", {{"loadBalancer", json::object()}}}});
    create_object(host, kServices, std::move(service));
  }

  bool wrote(const Change& change) override {
    const api::ObjectMeta& metadata = change.object->metadata;
    const bool is_gone = change.type == watch::EventType::Deleted;
    // An account comes again, as long as its namespace is there.
    const bool lacks_account =
        *change.resource == kSystemSpaces
            ? change.type == watch::EventType::Added
            : *change.resource == kAccounts && is_gone && metadata.name == "default";
    return lacks_account &&
           lacking_.insert(metadata.namespace_.empty() ? metadata.name : metadata.namespace_)
               .second;
  }

  std::optional<runtime::TimePoint> act(ServerHost::Transaction& host) override {
    for (const std::string& name : std::exchange(lacking_, {})) {
      make_account(host, name);
    }
    return std::nullopt;
  }

 private:
  static void make_account(ServerHost::Transaction& host, const std::string& space) {
    if (object_at(host, {kAccounts, api::key_from(space, "default")}) == nullptr) {
      create_object(host, kAccounts, {.metadata = {.name = "default", .namespace_ = space}});
    }
  }

  std::set<std::string> lacking_;  // namespaces without an account
};

}  // namespace

std::unique_ptr<ClusterController> make_system_controller(const ControllerSettings&) {
  return std::make_unique<SystemController>();
}

}  // namespace watchlab::sim
