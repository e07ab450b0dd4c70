#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/api/result.hpp"
#include "core/features/feature_gates.hpp"

namespace watchlab::features {

/// Which machine an informer is: what its release of client-go does otherwise than 0.32, part by
/// part. As it is made, the classic machine. A value: it is handed to whatever is built, which
/// turns each member into an option of a part and never looks at the name.
struct MachineProfile {
  std::string name = "classic";
  /// The queue is a `RealFIFO`, not a `DeltaFIFO`. Gate InOrderInformers.
  bool in_order = false;
  /// A `RealFIFO` counts an item of the first list as popped before it is processed. Before 0.36.
  bool counts_before = true;
  /// A cycle of the reflector waits for its resync task before it ends. Since 0.33.
  bool joins_resync = false;
  /// A handler that panicked rests before its next notification, not right after the panic. Since
  /// 0.33.
  bool rests_before_next = false;
  /// The process loop leaves at the stop, whatever is queued. Since 0.34.
  bool leaves_at_stop = false;
  /// Several deltas are processed at once. Gate InOrderInformersBatchProcess, since 0.35.
  bool batches = false;
  /// A list and a resync are one delta each, bookmarks are queued, and a store tells its revision.
  /// Gate AtomicFIFO, since 0.36.
  bool atomic = false;
  /// The queue is unlocked while an item is processed, where it is `atomic`. Gate
  /// UnlockWhileProcessingFIFO, since 0.36.
  bool unlocks = false;
  /// The reflector asks for streamed lists. Gate WatchListClient, on since 0.35.
  bool streams_lists = false;
  /// The reflector's pauses start again every two minutes. Since 0.36.
  bool resets_delay = false;
  /// The events at the start of a watch from "" or "0", which come in no order, do not move the
  /// reflector's revision. Since 0.36.
  bool ordered_versions = false;
  /// The reflector takes no Tables. Since 0.36.
  bool refuses_tables = false;
  /// A notification that comes before the handlers were started waits for them without a lock.
  /// Since 0.36.
  bool waits_for_listeners = false;

  bool operator==(const MachineProfile&) const = default;
};

/// The machine that these gates make; it has the name of the release. An error for streamed lists
/// before 0.34, whose collected list is not transformed: they are not here.
[[nodiscard]] api::Result<MachineProfile> profile_of(const FeatureGates& gates);

/// The machines that differ from each other, the oldest first: "classic", "0.33" and "0.35" as
/// those releases are by default, "0.36" with UnlockWhileProcessingFIFO off, and "modern", which is
/// 0.36 and 0.37 as they are by default.
[[nodiscard]] const std::vector<MachineProfile>& machine_profiles();

/// Their names.
[[nodiscard]] std::vector<std::string> machine_names();

/// One of `machine_profiles`, by its name; null when there is none.
[[nodiscard]] const MachineProfile* find_machine(std::string_view name);

}  // namespace watchlab::features
