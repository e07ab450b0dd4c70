#include "sim/faults/restore_backup.hpp"

#include <algorithm>

namespace watchlab::sim {

namespace {

class RestoreBackup : public Fault {
 public:
  explicit RestoreBackup(const FaultParameters& parameters) : by_(parameters.integer("by")) {}

  void strike(ControlPlane& servers, runtime::TimePoint /*now*/) override {
    const ObjectStore& store = servers.store();
    servers.restore(std::max({store.revision() - by_, store.compacted(), Revision{1}}));
  }

 private:
  Revision by_;
};

}  // namespace

FaultEntry restore_backup() {
  return {.name = "restore_backup",
          .numbers = {54},
          .doc =
              "The store is restored from a backup: its revision goes back, and what was written "
              "since is gone.",
          .legality = Legality::Illegal,
          .scope = FaultScope::Servers,
          .parameters = {{"by", ParameterKind::Integer, std::int64_t{1}, "By how many revisions."}},
          .make = [](const FaultParameters& given) -> std::unique_ptr<Fault> {
            return std::make_unique<RestoreBackup>(given);
          }};
}

}  // namespace watchlab::sim
