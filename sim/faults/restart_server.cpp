#include "sim/faults/restart_server.hpp"

#include "sim/faults/server_parameter.hpp"

namespace watchlab::sim {

namespace {

class RestartServer : public Fault {
 public:
  explicit RestartServer(const FaultParameters& parameters) : server_(server_in(parameters)) {}

  void strike(ControlPlane& servers, runtime::TimePoint /*now*/) override {
    servers.server(server_).restart();
  }

 private:
  std::size_t server_;
};

}  // namespace

FaultEntry restart_server() {
  return {
      .name = "restart_server",
      .numbers = {32, 62},
      .doc =
          "A server restarts: its watches end, and its watch caches begin with the state of now.",
      .scope = FaultScope::Servers,
      .parameters = {{"server", ParameterKind::Integer, std::int64_t{0}, "Which server."}},
      .make = [](const FaultParameters& given) -> std::unique_ptr<Fault> {
        return std::make_unique<RestartServer>(given);
      }};
}

}  // namespace watchlab::sim
