#include "sim/faults/withdraw_resource.hpp"

#include <optional>
#include <string>

namespace watchlab::sim {

namespace {

class WithdrawResource : public Fault {
 public:
  explicit WithdrawResource(const FaultParameters& parameters)
      : resource_(parameters.text("resource")) {}

  void strike(ControlPlane& servers, runtime::TimePoint now) override {
    if (const ResourceType* type = servers.types().find_named(resource_)) {
      servers.catch_up(now);
      withdrawn_ = *type;
      servers.withdraw(withdrawn_->resource);
    }
  }
  void heal(ControlPlane& servers, runtime::TimePoint /*now*/) override {
    if (withdrawn_) {
      servers.types().define(*withdrawn_);
    }
  }

 private:
  std::string resource_;
  std::optional<ResourceType> withdrawn_;
};

}  // namespace

FaultEntry withdraw_resource() {
  return {.name = "withdraw_resource",
          .numbers = {61},
          .doc =
              "A collection is not served any more, as after the removal of its definition: "
              "watches end, requests get a 404.",
          .scope = FaultScope::Servers,
          .parameters = {{"resource", ParameterKind::Resource, std::nullopt, "Which collection."}},
          .make = [](const FaultParameters& given) -> std::unique_ptr<Fault> {
            return std::make_unique<WithdrawResource>(given);
          }};
}

}  // namespace watchlab::sim
