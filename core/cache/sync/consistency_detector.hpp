#pragma once

#include <string>
#include <vector>

#include "core/api/object.hpp"
#include "core/cache/list_watch.hpp"
#include "core/cache/store.hpp"
#include "core/runtime/runtime.hpp"

namespace watchlab::cache {

/// A list that came as a stream, and how to come by the same list otherwise.
struct StreamedList {
  std::string name;  ///< of the reflector, for reports
  std::string resource_version;
  std::vector<api::ObjectPtr> items;  ///< as they were collected, transformed
  TransformFunction transformer;      ///< what the items went through; or none
};

/// Asks the same source for a list at exactly that revision, and panics when it is another one: the
/// objects of both are compared in the order of their uids. A failed list is asked for again each
/// second; a stop ends that, and then nothing was compared. A revision of "0" is not compared, as
/// it names no state. Mirrors client-go 0.35 util/consistencydetector, CheckDataConsistency, which
/// KUBE_WATCHLIST_INCONSISTENCY_DETECTOR switches on there.
void check_data_consistency(runtime::Runtime& runtime, const runtime::StopToken& stop,
                            ListerWatcher& source, const StreamedList& streamed);

}  // namespace watchlab::cache
