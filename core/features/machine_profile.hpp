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
  /// The queue is a `RealFIFO`, not a `DeltaFIFO`.
  bool in_order = false;
  /// A cycle of the reflector waits for its resync task before it ends. Since 0.33.
  bool joins_resync = false;
  /// A handler that panicked rests before its next notification, not right after the panic. Since
  /// 0.33.
  bool rests_before_next = false;

  bool operator==(const MachineProfile&) const = default;
};

/// The machine that these gates make. An error for what is not ported yet: releases after 0.33,
/// and streamed lists.
[[nodiscard]] api::Result<MachineProfile> profile_of(const FeatureGates& gates);

/// The machines that are complete, the oldest first, each with all gates at their defaults.
[[nodiscard]] const std::vector<MachineProfile>& machine_profiles();

/// Their names.
[[nodiscard]] std::vector<std::string> machine_names();

/// One of `machine_profiles`, by its name; null when there is none.
[[nodiscard]] const MachineProfile* find_machine(std::string_view name);

}  // namespace watchlab::features
