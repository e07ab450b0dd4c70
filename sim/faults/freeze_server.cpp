#include "sim/faults/freeze_server.hpp"

#include "sim/faults/server_parameter.hpp"

namespace watchlab::sim {

namespace {

class FreezeServer : public Fault {
 public:
  explicit FreezeServer(const FaultParameters& parameters) : server_(server_in(parameters)) {}

  void strike(ControlPlane& servers, runtime::TimePoint now) override {
    servers.catch_up(now);
    servers.server(server_).freeze();
  }
  void heal(ControlPlane& servers, runtime::TimePoint now) override {
    servers.server(server_).resume();
    servers.catch_up(now);
  }

 private:
  std::size_t server_;
};

}  // namespace

FaultEntry freeze_server() {
  return {.name = "freeze_server",
          .numbers = {50, 51, 52, 53},
          .doc =
              "A server learns nothing new from the store and goes on answering from what it has, "
              "until healed.",
          .scope = FaultScope::Servers,
          .parameters = {{"server", ParameterKind::Integer, std::int64_t{0}, "Which server."}},
          .make = [](const FaultParameters& given) -> std::unique_ptr<Fault> {
            return std::make_unique<FreezeServer>(given);
          }};
}

}  // namespace watchlab::sim
