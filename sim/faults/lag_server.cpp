#include "sim/faults/lag_server.hpp"

#include "sim/faults/server_parameter.hpp"

namespace watchlab::sim {

namespace {

class LagServer : public Fault {
 public:
  explicit LagServer(const FaultParameters& parameters)
      : server_(server_in(parameters)), by_(parameters.duration("by")) {}

  void strike(ControlPlane& servers, runtime::TimePoint now) override {
    servers.catch_up(now);
    before_ = servers.server(server_).options().lag;
    servers.server(server_).set_lag(by_);
  }
  void heal(ControlPlane& servers, runtime::TimePoint now) override {
    servers.server(server_).set_lag(before_);
    servers.catch_up(now);
  }

 private:
  std::size_t server_;
  runtime::Duration by_;
  runtime::Duration before_{};
};

}  // namespace

FaultEntry lag_server() {
  return {.name = "lag_server",
          .numbers = {50, 51, 52, 53, 59, 60},
          .doc = "A server learns of every write that much later than the store, until healed.",
          .scope = FaultScope::Servers,
          .parameters = {{"server", ParameterKind::Integer, std::int64_t{0}, "Which server."},
                         {"by", ParameterKind::Duration, std::nullopt, "How much later."}},
          .make = [](const FaultParameters& given) -> std::unique_ptr<Fault> {
            return std::make_unique<LagServer>(given);
          }};
}

}  // namespace watchlab::sim
