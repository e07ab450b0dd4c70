#pragma once

#include "sim/kernel/fiber.hpp"

#if defined(WATCHLAB_TSAN)
extern "C" {
void AnnotateIgnoreReadsBegin(const char* file, int line);
void AnnotateIgnoreReadsEnd(const char* file, int line);
void AnnotateIgnoreWritesBegin(const char* file, int line);
void AnnotateIgnoreWritesEnd(const char* file, int line);
}
#endif

namespace watchlab::sim {

/// While it lives, ThreadSanitizer takes no note of what the running task touches. To
/// ThreadSanitizer tasks are threads that nothing orders but what `SyncPoint` tells it, and the
/// kernel's own memory, which all of them use one at a time, would be one great race. First line
/// of everything that code under test can call. Without ThreadSanitizer it is nothing.
class Quiet {
 public:
#if defined(WATCHLAB_TSAN)
  Quiet() {
    AnnotateIgnoreReadsBegin(__FILE__, __LINE__);
    AnnotateIgnoreWritesBegin(__FILE__, __LINE__);
  }
  ~Quiet() {
    AnnotateIgnoreWritesEnd(__FILE__, __LINE__);
    AnnotateIgnoreReadsEnd(__FILE__, __LINE__);
  }
#else
  Quiet() {}  // NOLINT: not trivial, so that no compiler calls it unused
#endif
  Quiet(const Quiet&) = delete;
  Quiet& operator=(const Quiet&) = delete;
};

}  // namespace watchlab::sim
