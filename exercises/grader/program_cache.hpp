#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "exercises/grader/builder.hpp"
#include "exercises/grader/stage.hpp"
#include "exercises/grader/toolchain.hpp"
#include "sim/kernel/mix.hpp"

namespace watchlab::course {

/// Keeps what was compiled, by everything that it was compiled from, so that the same files are
/// compiled once.
class ProgramCache {
 public:
  /// An empty folder keeps nothing.
  ProgramCache(std::filesystem::path folder, const Toolchain& toolchain)
      : folder_(std::move(folder)), toolchain_(toolchain) {}

  /// Puts `name` into the stage's `work`: the kept one, or what `compile` leaves there.
  [[nodiscard]] Built get(const Stage& stage, const std::string& name,
                          const std::vector<std::filesystem::path>& files,
                          const std::function<Built()>& compile) const;

 private:
  [[nodiscard]] std::string fingerprint(const std::vector<std::filesystem::path>& files) const;

  std::filesystem::path folder_;
  const Toolchain& toolchain_;
};

using sim::digest_of;
/// Names and contents, one after the other.
[[nodiscard]] std::string text_of(const std::vector<std::filesystem::path>& files);
/// A line that changes when the file does: path, size, time.
[[nodiscard]] std::string state_of(const std::filesystem::path& file);

}  // namespace watchlab::course
