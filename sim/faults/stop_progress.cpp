#include "sim/faults/stop_progress.hpp"

namespace watchlab::sim {

namespace {

class StopProgress : public Fault {
 public:
  void strike(ControlPlane& servers, runtime::TimePoint now) override { set(servers, now, false); }
  void heal(ControlPlane& servers, runtime::TimePoint now) override { set(servers, now, true); }

 private:
  static void set(ControlPlane& servers, runtime::TimePoint now, bool notified) {
    servers.catch_up(now);
    for (std::size_t i = 0; i < servers.server_count(); ++i) {
      servers.server(i).set_progress_notifications(notified);
    }
    servers.catch_up(now);
  }
};

}  // namespace

FaultEntry stop_progress() {
  return {.name = "stop_progress",
          .numbers = {46},
          .doc =
              "Servers hear nothing from the store but events: the revisions of quiet collections "
              "and their bookmarks stand still.",
          .scope = FaultScope::Servers,
          .parameters = {},
          .make = [](const FaultParameters&) -> std::unique_ptr<Fault> {
            return std::make_unique<StopProgress>();
          }};
}

}  // namespace watchlab::sim
