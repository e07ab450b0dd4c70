#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/api/result.hpp"

namespace watchlab::features {

/// The feature gates of a client. Mirrors client-go 0.37 features/known_features.go, Feature.
enum class Gate : std::uint8_t {
  InformerResourceVersion,       ///< GetController returns a shared informer's revision
  WatchListClient,               ///< lists are streamed
  InOrderInformers,              ///< informers use a `RealFIFO` instead of a `DeltaFIFO`
  InOrderInformersBatchProcess,  ///< they process several deltas at once
  AtomicFIFO,                    ///< lists and resyncs are one delta each
  UnlockWhileProcessingFIFO,     ///< the queue is unlocked meanwhile; no effect without AtomicFIFO
  ClientsAllowCBOR,              ///< these four only affect what is sent over the wire
  ClientsPreferCBOR,
  ClientsAllowCARotation,
  ClientsAllowTLSCacheGC,
};

inline constexpr std::size_t kGates = 10;

/// The gate's name, "WatchListClient" and so on.
[[nodiscard]] std::string_view to_string(Gate gate);

/// Which gates are on, in one process with one release of client-go. A value that is passed to
/// whoever needs it; nothing is global.
///
/// An explicit setting wins over the environment, which wins over the release's default. Do not
/// share it between tasks while it is being set.
///
/// Mirrors client-go 0.37 features/envvar.go, envVarFeatureGates. Differs from client-go: the
/// environment is read when `read_environment` is called instead of at the first query, and through
/// a function, so that a test or a simulation can have its own environment.
class FeatureGates {
 public:
  /// Looks up an environment variable; nothing if it is not set.
  using Environment = std::function<std::optional<std::string>(const std::string& variable)>;

  /// The default gates of client-go 0.`minor`, for 32 to 37. Panics for other releases.
  explicit FeatureGates(int minor);

  [[nodiscard]] int minor() const { return minor_; }
  /// Whether this release has the gate.
  [[nodiscard]] bool knows(Gate gate) const;
  /// Panics for a gate that this release does not have.
  [[nodiscard]] bool enabled(Gate gate) const;

  /// An error if the release has no gate with this name, or has locked it to the other value; the
  /// gate then does not change.
  api::Result<void> set(std::string_view name, bool value);
  /// Sets each gate whose variable, KUBE_FEATURE_ plus its name, holds a boolean in Go's syntax.
  /// Returns a message for each variable that was ignored, because it is not a boolean or
  /// contradicts a lock.
  std::vector<std::string> read_environment(const Environment& environment);

 private:
  int minor_;
  std::array<std::optional<bool>, kGates> set_;
  std::array<std::optional<bool>, kGates> environment_;
};

}  // namespace watchlab::features
