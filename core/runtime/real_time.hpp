#pragma once

#include "core/runtime/thread_random.hpp"
#include "core/runtime/thread_runtime.hpp"
#include "core/runtime/thread_timer.hpp"

namespace watchlab::runtime {

/// TSan sees accesses to memory, so there is nothing to do for them. One cell serves all.
class RealTimeCell final : public CellBackend {
 public:
  void atomic_access(AccessKind, Location) override {}
  void plain_access(AccessKind, Location) override {}
  void retire() noexcept override {}
};

struct RealTimeRuntime::Common {
  explicit Common(const ThreadRuntimeOptions& options)
      : clock(options.starts_at), random(options.seed), streams(options.seed) {}

  ThreadClock clock;
  ThreadRandom random;
  SeedStreams streams;
  RealTimeCell cell;
};

}  // namespace watchlab::runtime
