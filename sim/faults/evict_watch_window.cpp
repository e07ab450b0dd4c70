#include "sim/faults/evict_watch_window.hpp"

#include <string>

namespace watchlab::sim {

namespace {

class EvictWatchWindow : public Fault {
 public:
  explicit EvictWatchWindow(const FaultParameters& parameters)
      : resource_(parameters.text("resource")), below_(parameters.integer("below")) {}

  void strike(ControlPlane& servers, runtime::TimePoint now) override {
    servers.catch_up(now);
    const Revision below = below_ > 0 ? below_ : servers.store().revision() + 1;
    const ResourceType* type = servers.types().find_named(resource_);
    for (std::size_t i = 0; i < servers.server_count(); ++i) {
      if (type == nullptr) {
        servers.server(i).expire_all_below(below);
      } else {
        servers.server(i).expire_below(type->resource, below);
      }
    }
  }

 private:
  std::string resource_;
  Revision below_;
};

}  // namespace

FaultEntry evict_watch_window() {
  return {.name = "evict_watch_window",
          .numbers = {21, 46},
          .doc =
              "The watch caches forget their history: a watch from an older revision gets a 410 "
              "inside its stream. Open watches and lists do not notice.",
          .scope = FaultScope::Servers,
          .parameters = {{"resource", ParameterKind::Resource, "",
                          "Whose history; that of all collections if left out."},
                         {"below", ParameterKind::Integer, std::int64_t{0},
                          "The oldest revision that is kept; all is forgotten if left out."}},
          .make = [](const FaultParameters& given) -> std::unique_ptr<Fault> {
            return std::make_unique<EvictWatchWindow>(given);
          }};
}

}  // namespace watchlab::sim
