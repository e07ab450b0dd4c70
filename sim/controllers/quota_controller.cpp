#include <boost/json.hpp>
#include <map>
#include <set>

#include "sim/apiserver/resource_quotas.hpp"
#include "sim/controllers/controller_catalogue.hpp"
#include "sim/controllers/keyed_controller.hpp"

namespace watchlab::sim {

namespace {

const api::GroupVersionResource kQuotas{"", "v1", "resourcequotas"};

/// Keeps the usage in the status of quotas up to date. Mirrors kubernetes
/// pkg/controller/resourcequota.
class QuotaController final : public KeyedController {
 public:
  QuotaController() : KeyedController({}, 10) {}  // each visits all objects of its namespace

 protected:
  void concerns(const Change& change, std::set<ObjectPlace>& concerned) override {
    const std::string& space = change.object->metadata.namespace_;
    if (*change.resource == kQuotas) {
      if (change.type == watch::EventType::Deleted) {
        quotas_[space].erase(change.key);
      } else {
        quotas_[space].insert(change.key);
      }
    }
    if (const auto found = quotas_.find(space); found != quotas_.end()) {
      for (const std::string& key : found->second) {
        concerned.emplace(kQuotas, key);
      }
      if (found->second.empty()) {
        quotas_.erase(found);
      }
    }
  }

  void settle(ServerHost::Transaction& host, const api::GroupVersionResource&,
              const api::Object& quota) override {
    boost::json::object status =
        quota_status(host.servers().store(), host.servers().types(), quota);
    const boost::json::object body = members_of(quota);
    const boost::json::value* const before = value_below(body, "/status");
    if (before == nullptr || *before != boost::json::value(status)) {
      write_status(host, kQuotas, quota, std::move(status));
    }
  }

 private:
  std::map<std::string, std::set<std::string>> quotas_;  // their keys, by namespace
};

}  // namespace

std::unique_ptr<ClusterController> make_quota_controller(const ControllerSettings&) {
  return std::make_unique<QuotaController>();
}

}  // namespace watchlab::sim
