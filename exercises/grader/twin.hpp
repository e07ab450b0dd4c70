#pragma once

#include <sys/types.h>

#include <filesystem>
#include <optional>
#include <vector>

#include "exercises/grader/variant.hpp"
#include "exercises/grader/workplace.hpp"

namespace watchlab::course {

/// A correct library of an exercise, drawn by lot and built once more, with code that no suite can
/// have seen: what answers differently for the two has looked at the code and not at what it does.
/// A twin serves one grade, or the grades of one cohort, and is not kept.
///
/// It is built by a process of its own while the caller goes on, contained compilations among what
/// it may do; runs of what was compiled have to wait for `finished`. Not for several threads.
class TwinBuild {
 public:
  /// Begins, with the `variants` of the exercise. Where nothing can be built (in a bundle, with a
  /// sanitizer) nothing is begun.
  TwinBuild(const Workplace& place, const std::vector<Variant>& variants);
  TwinBuild(const TwinBuild&) = delete;
  TwinBuild& operator=(const TwinBuild&) = delete;
  /// Ends the process, and takes away what it has built.
  ~TwinBuild();

  /// Waits for its end. None where it could not be built.
  [[nodiscard]] std::optional<Variant> finished();
  /// Where it is built, for graders of the same cohort (`read_twin`).
  [[nodiscard]] const std::filesystem::path& folder() const { return folder_; }

 private:
  const Workplace& place_;
  std::filesystem::path folder_;
  Variant twin_;
  pid_t builder_ = 0;  ///< 0 when none is at work
  bool is_built_ = false;
};

/// The twin that another process has built in `folder`; none when there is none.
[[nodiscard]] std::optional<Variant> read_twin(const std::filesystem::path& folder);

}  // namespace watchlab::course
