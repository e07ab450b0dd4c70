#include "sim/faults/fault_catalogue.hpp"
#include "sim/faults/fault_effects.hpp"

namespace watchlab::sim {

namespace {

FaultParameter server_parameter() {
  return {"server", ParameterKind::Integer, std::int64_t{0}, "Which server."};
}

std::size_t server_in(const FaultParameters& parameters) {
  return static_cast<std::size_t>(parameters.integer("server"));
}

class FreezeServer : public Fault {
 public:
  explicit FreezeServer(const FaultParameters& parameters) : server_(server_in(parameters)) {}

  void activate(ControlPlane& servers, runtime::TimePoint /*now*/) override {
    servers.server(server_).freeze();
  }
  void heal(ControlPlane& servers, runtime::TimePoint /*now*/) override {
    servers.server(server_).resume();
  }

 private:
  std::size_t server_;
};

class LagServer : public Fault {
 public:
  explicit LagServer(const FaultParameters& parameters)
      : server_(server_in(parameters)), by_(parameters.duration("by")) {}

  void activate(ControlPlane& servers, runtime::TimePoint /*now*/) override {
    before_ = servers.server(server_).options().lag;
    servers.server(server_).set_lag(by_);
  }
  void heal(ControlPlane& servers, runtime::TimePoint /*now*/) override {
    servers.server(server_).set_lag(before_);
  }

 private:
  std::size_t server_;
  runtime::Duration by_;
  runtime::Duration before_{};
};

class RestartServer : public Fault {
 public:
  explicit RestartServer(const FaultParameters& parameters) : server_(server_in(parameters)) {}

  void activate(ControlPlane& servers, runtime::TimePoint /*now*/) override {
    servers.server(server_).restart();
  }

 private:
  std::size_t server_;
};

class StopProgress : public Fault {
 public:
  void activate(ControlPlane& servers, runtime::TimePoint /*now*/) override { set(servers, false); }
  void heal(ControlPlane& servers, runtime::TimePoint /*now*/) override { set(servers, true); }

 private:
  static void set(ControlPlane& servers, bool notified) {
    for (std::size_t i = 0; i < servers.server_count(); ++i) {
      servers.server(i).set_progress_notifications(notified);
    }
  }
};

class WithdrawResource : public Fault {
 public:
  explicit WithdrawResource(const FaultParameters& parameters)
      : resource_(parameters.text("resource")) {}

  void activate(ControlPlane& servers, runtime::TimePoint /*now*/) override {
    const ResourceType* const type = servers.types().find_named(resource_);
    for (const auto& [name, each] : servers.types().all()) {
      if (type != nullptr && each.stored() == type->stored()) {
        withdrawn_.push_back(each);
      }
    }
    for (const ResourceType& each : withdrawn_) {
      servers.withdraw(each.resource);
    }
  }
  void heal(ControlPlane& servers, runtime::TimePoint /*now*/) override {
    servers.types().define(withdrawn_);
  }

 private:
  std::string resource_;
  std::vector<ResourceType> withdrawn_;  // in each version
};

}  // namespace

std::vector<FaultEntry> server_faults() {
  return {
      {.name = "freeze_server",
       .numbers = {50, 51, 52, 53},
       .doc = "A server stops receiving updates from the store and keeps serving its old state, "
              "until healed.",
       .scope = FaultScope::Servers,
       .parameters = {server_parameter()},
       .make = make_effect<FreezeServer>},
      {.name = "lag_server",
       .numbers = {50, 51, 52, 53, 59, 60},
       .doc = "A server learns of every write later than the store, until healed.",
       .scope = FaultScope::Servers,
       .parameters = {server_parameter(),
                      {"by", ParameterKind::Duration, std::nullopt, "How much later."}},
       .make = make_effect<LagServer>},
      {.name = "restart_server",
       .numbers = {32, 62},
       .doc =
           "A server restarts: its watches end, and its watch caches start from the current state.",
       .scope = FaultScope::Servers,
       .parameters = {server_parameter()},
       .make = make_effect<RestartServer>},
      {.name = "stop_progress",
       .numbers = {46},
       .doc = "Servers receive only events from the store, no progress notifications: in quiet "
              "collections, revisions and bookmarks do not advance.",
       .scope = FaultScope::Servers,
       .make = make_effect<StopProgress>},
      {.name = "withdraw_resource",
       .numbers = {61},
       .doc = "A collection is no longer served, as after its definition is removed: watches end, "
              "and requests get a 404.",
       .scope = FaultScope::Servers,
       .parameters = {{"resource", ParameterKind::Resource, std::nullopt, "Which collection."}},
       .make = make_effect<WithdrawResource>},
  };
}

}  // namespace watchlab::sim
