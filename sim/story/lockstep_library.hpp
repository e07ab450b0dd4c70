#pragma once

#include <memory>

#include "sim/story/options.hpp"

/// Programs that live on a story's clock speak HTTP over real descriptors, with all that this
/// needs. That is in the library watchlab-serve, which is loaded for the first story that has such
/// a client.
namespace watchlab::sim {

class Client;
struct StoryStage;

/// What that library offers, under the name `kLockstepSymbol`.
struct LockstepLibrary {
  /// Throws `StoryError` where there is no program to start.
  std::shared_ptr<Client> (*make)(std::shared_ptr<StoryStage> stage, StoryClientOptions options);
};
inline constexpr const char* kLockstepSymbol = "watchlab_lockstep";

}  // namespace watchlab::sim
