#pragma once

#include <string>
#include <vector>

#include "core/api/object.hpp"
#include "core/cache/list_watch.hpp"
#include "core/cache/store.hpp"
#include "core/runtime/runtime.hpp"

namespace watchlab::cache {

/// A streamed list, and how to get the same list in another way.
struct StreamedList {
  std::string name;  ///< the reflector's name, for reports
  std::string resource_version;
  std::vector<api::ObjectPtr> items;  ///< as collected, transformed
  TransformFunction transformer;      ///< how the items were transformed; may be empty
};

/// Asks the same source for a list at exactly this revision, and panics if it differs; objects are
/// compared in the order of their uids. A failed list is retried every second; after a stop,
/// nothing is compared. A revision of "0" is not compared, because it does not name a state.
/// Mirrors client-go 0.35 util/consistencydetector, CheckDataConsistency, which
/// KUBE_WATCHLIST_INCONSISTENCY_DETECTOR turns on there.
void check_data_consistency(runtime::Runtime& runtime, const runtime::StopToken& stop,
                            ListerWatcher& source, const StreamedList& streamed);

}  // namespace watchlab::cache
