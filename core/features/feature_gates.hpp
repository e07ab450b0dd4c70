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
  InformerResourceVersion,       ///< GetController answers with a shared informer's revision
  WatchListClient,               ///< lists are streamed
  InOrderInformers,              ///< informers use a `RealFIFO` instead of a `DeltaFIFO`
  InOrderInformersBatchProcess,  ///< they process several deltas at once
  AtomicFIFO,                    ///< lists and resyncs are one delta each
  UnlockWhileProcessingFIFO,     ///< the queue is unlocked meanwhile; without AtomicFIFO no effect
  ClientsAllowCBOR,              ///< these four concern only what is sent over the wire, and how
  ClientsPreferCBOR,
  ClientsAllowCARotation,
  ClientsAllowTLSCacheGC,
};

inline constexpr std::size_t kGates = 10;

/// The gate's name, "WatchListClient" and so on.
[[nodiscard]] std::string_view to_string(Gate gate);

/// Whether each gate is on, in one process with one release of client-go. A value: whoever needs
/// gates is handed them, and nothing is global.
///
/// What was set wins over the environment, and that over the release's default. Not to be shared
/// between tasks while it is being set.
///
/// Mirrors client-go 0.37 features/envvar.go, envVarFeatureGates. Differs from client-go: the
/// environment is read when `read_environment` is called, not at the first question, and through a
/// function, so that a test or a simulation has an environment of its own.
class FeatureGates {
 public:
  /// Looks up an environment variable; nothing when it is not set.
  using Environment = std::function<std::optional<std::string>(const std::string& variable)>;

  /// The gates of client-go 0.`minor`, 32 to 37, at their defaults. Panics for other releases.
  explicit FeatureGates(int minor);

  [[nodiscard]] int minor() const { return minor_; }
  /// Whether this release has the gate.
  [[nodiscard]] bool knows(Gate gate) const;
  /// Panics for a gate that this release does not have.
  [[nodiscard]] bool enabled(Gate gate) const;

  /// An error when the release has no gate of that name, or has locked it to the other value; the
  /// gate then stays as it was.
  api::Result<void> set(std::string_view name, bool value);
  /// Sets each gate whose variable, KUBE_FEATURE_ and its name, holds a boolean as Go writes it.
  /// Returns what was ignored, a message each: no boolean, or against a lock.
  std::vector<std::string> read_environment(const Environment& environment);

 private:
  int minor_;
  std::array<std::optional<bool>, kGates> set_;
  std::array<std::optional<bool>, kGates> environment_;
};

}  // namespace watchlab::features
