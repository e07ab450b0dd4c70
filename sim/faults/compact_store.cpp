#include "sim/faults/compact_store.hpp"

namespace watchlab::sim {

namespace {

class CompactStore : public Fault {
 public:
  explicit CompactStore(const FaultParameters& parameters) : below_(parameters.integer("below")) {}

  void strike(ControlPlane& servers, runtime::TimePoint now) override {
    servers.catch_up(now);
    servers.compact(below_ > 0 ? below_ : servers.store().revision());
  }

 private:
  Revision below_;
};

}  // namespace

FaultEntry compact_store() {
  return {.name = "compact_store",
          .numbers = {18, 19},
          .doc =
              "The store forgets old states: exact lists, continue tokens and watches of uncached "
              "collections break.",
          .scope = FaultScope::Servers,
          .parameters = {{"below", ParameterKind::Integer, std::int64_t{0},
                          "The oldest state that is kept; only that of now if left out."}},
          .make = [](const FaultParameters& given) -> std::unique_ptr<Fault> {
            return std::make_unique<CompactStore>(given);
          }};
}

}  // namespace watchlab::sim
