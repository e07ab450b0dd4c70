#include <algorithm>

#include "sim/faults/fault_catalogue.hpp"
#include "sim/faults/fault_effects.hpp"

// Two losses of history are easily confused. When watch caches forget, a watch that starts from an
// older revision gets a 410. When the store forgets, exact lists, continue tokens and the watches
// that no cache serves break.

namespace watchlab::sim {

namespace {

class CompactStore : public Fault {
 public:
  explicit CompactStore(const FaultParameters& parameters) : below_(parameters.integer("below")) {}

  void activate(ControlPlane& servers, runtime::TimePoint /*now*/) override {
    servers.compact(below_ > 0 ? below_ : servers.store().revision());
  }

 private:
  Revision below_;
};

class EvictWatchWindow : public Fault {
 public:
  explicit EvictWatchWindow(const FaultParameters& parameters)
      : resource_(parameters.text("resource")), below_(parameters.integer("below")) {}

  void activate(ControlPlane& servers, runtime::TimePoint /*now*/) override {
    const Revision below = below_ > 0 ? below_ : servers.store().revision() + 1;
    const ResourceType* type = servers.types().find_named(resource_);
    for (std::size_t i = 0; i < servers.server_count(); ++i) {
      if (type == nullptr) {
        servers.server(i).expire_all_below(below);
      } else {
        servers.server(i).expire_below(*type, below);
      }
    }
  }

 private:
  std::string resource_;
  Revision below_;
};

class RestoreBackup : public Fault {
 public:
  explicit RestoreBackup(const FaultParameters& parameters) : by_(parameters.integer("by")) {}

  void activate(ControlPlane& servers, runtime::TimePoint /*now*/) override {
    const ObjectStore& store = servers.store();
    servers.restore(std::max({store.revision() - by_, store.compacted(), Revision{1}}));
  }

 private:
  Revision by_;
};

}  // namespace

std::vector<FaultEntry> history_faults() {
  return {
      {.name = "compact_store",
       .numbers = {18, 19},
       .doc = "The store drops old states: lists at an exact revision, continue tokens and watches "
              "on uncached collections fail.",
       .scope = FaultScope::Servers,
       .parameters = {{"below", ParameterKind::Integer, std::int64_t{0},
                       "The oldest state to keep; only the current one if omitted."}},
       .make = make_effect<CompactStore>},
      {.name = "evict_watch_window",
       .numbers = {21, 46},
       .doc = "The watch caches drop the history up to now. A watch from an older revision gets a "
              "410 inside its stream, so inject this fault after the write. Open watches and lists "
              "are not affected.",
       .scope = FaultScope::Servers,
       .parameters = {{"resource", ParameterKind::Resource, "",
                       "Whose history; all collections if omitted."},
                      {"below", ParameterKind::Integer, std::int64_t{0},
                       "The oldest revision to keep; none if omitted."}},
       .make = make_effect<EvictWatchWindow>},
      {.name = "restore_backup",
       .numbers = {54},
       .doc = "The store is restored from a backup: its revision goes back, and later writes are "
              "gone.",
       .legality = Legality::Illegal,
       .scope = FaultScope::Servers,
       .parameters = {{"by", ParameterKind::Integer, std::int64_t{1}, "By how many revisions."}},
       .make = make_effect<RestoreBackup>},
  };
}

}  // namespace watchlab::sim
