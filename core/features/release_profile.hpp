#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/api/result.hpp"
#include "core/features/feature_gates.hpp"

namespace watchlab::features {

/// What an informer's release of client-go does differently from 0.32, part by part. By default the
/// classic profile. A value: it is passed to whatever is built, which turns each member into an
/// option of a part and never looks at the name.
struct ReleaseProfile {
  std::string name = "classic";
  /// The queue is a `RealFIFO`, not a `DeltaFIFO`. Gate InOrderInformers.
  bool in_order = false;
  /// A `RealFIFO` counts an item of the first list as popped before it is processed. Before 0.36.
  bool counts_before = true;
  /// A cycle of the reflector waits for its resync task before it ends. Since 0.33.
  bool joins_resync = false;
  /// After a panic, a handler pauses before its next notification instead of right after the panic.
  /// Since 0.33.
  bool rests_before_next = false;
  /// The process loop ends at the stop, even if items are queued. Since 0.34.
  bool leaves_at_stop = false;
  /// Several deltas are processed at once. Gate InOrderInformersBatchProcess, since 0.35.
  bool batches = false;
  /// A list and a resync are one delta each, bookmarks are queued, and a store reports its
  /// revision. Gate AtomicFIFO, since 0.36.
  bool atomic = false;
  /// The queue is unlocked while an item is processed, if it is `atomic`. Gate
  /// UnlockWhileProcessingFIFO, since 0.36.
  bool unlocks = false;
  /// The reflector asks for streamed lists. Gate WatchListClient, on since 0.35.
  bool streams_lists = false;
  /// The reflector's backoff starts over every two minutes. Since 0.36.
  bool resets_delay = false;
  /// The initial events of a watch from "" or "0", which come in no particular order, do not change
  /// the reflector's revision. Since 0.36.
  bool ordered_versions = false;
  /// The reflector refuses Tables. Since 0.36.
  bool refuses_tables = false;
  /// A notification that comes before the handlers have been started waits for them without holding
  /// a lock. Since 0.36.
  bool waits_for_listeners = false;

  bool operator==(const ReleaseProfile&) const = default;
};

/// The profile for these gates, with the name of the release. An error for streamed lists before
/// 0.34, where collected lists are not transformed: these are not supported.
[[nodiscard]] api::Result<ReleaseProfile> profile_of(const FeatureGates& gates);

/// The profiles that differ from each other, oldest first: "classic", "0.33" and "0.35" with these
/// releases' defaults, "0.36" with UnlockWhileProcessingFIFO off, and "modern", which is 0.36 and
/// 0.37 with their defaults.
[[nodiscard]] const std::vector<ReleaseProfile>& release_profiles();

/// Their names.
[[nodiscard]] std::vector<std::string> machine_names();

/// The profile with this name from `release_profiles`; null if there is none.
[[nodiscard]] const ReleaseProfile* find_machine(std::string_view name);

}  // namespace watchlab::features
