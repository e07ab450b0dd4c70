#pragma once

#include <chrono>
#include <functional>
#include <string>
#include <vector>

#include "core/cache/key.hpp"
#include "core/runtime/mutex.hpp"
#include "core/runtime/shared.hpp"
#include "core/runtime/stop_token.hpp"

namespace watchlab::cache {

/// A cached object that was changed although it is shared.
struct Mutation {
  std::string detector;
  std::string key;  ///< as it was when the object was added
  api::Object before;
  api::Object after;

  /// One message with key, before and after.
  [[nodiscard]] std::string text() const;
};

/// Options of a `MutationDetector`; the durations are the original's.
struct MutationDetectorOptions {
  std::string name = "mutation_detector";
  /// The pause between two comparisons.
  runtime::Duration period = std::chrono::seconds(1);
  /// After this time the objects added so far are retired, and those retired before are dropped.
  runtime::Duration retain = std::chrono::minutes(2);
  /// Called for each mutation found. If empty, the first one is a panic in the task that runs the
  /// detector.
  std::function<void(const Mutation& mutation)> on_mutation;
};

/// Finds handlers that change cached objects in place, which everybody else then sees. It keeps a
/// deep copy of each object and compares the two in every period. That costs memory and time, so
/// use it in tests. Mirrors client-go tools/cache/mutation_detector.go, MutationDetector.
///
/// Our objects are `const` once they are shared, so only a cast or a defect can change one. The
/// detector finds that.
class MutationDetector {
 public:
  explicit MutationDetector(runtime::Runtime& runtime, MutationDetectorOptions options = {});

  /// Watches the object from now on. Ignores a tombstone. Any task may call it.
  void add_object(const Item& item);
  /// Compares once in every period until stopped. Called by one task.
  void run(const runtime::StopToken& stop);
  /// Compares all objects with their copies, once. Any task may call it.
  void compare_objects();

 private:
  struct Watched {
    api::ObjectPtr cached;
    api::Object copy;
  };

  void rotate();
  void check(const Watched& watched);

  runtime::Runtime& runtime_;
  MutationDetectorOptions options_;
  runtime::Mutex adding_;     ///< guards `added_`; held only briefly
  runtime::Mutex comparing_;  ///< guards the rest; held during a comparison
  runtime::Shared<std::vector<Watched>> added_;
  std::vector<Watched> watched_;
  std::vector<Watched> put_aside_;
  runtime::TimePoint rotated_at_;
};

}  // namespace watchlab::cache
