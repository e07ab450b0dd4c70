#pragma once

#include <chrono>
#include <functional>
#include <string_view>

#include "exercises/grader/exercise.hpp"
#include "exercises/grader/sandbox.hpp"
#include "exercises/grader/toolchain.hpp"

namespace watchlab::course {

/// What all that has to do with one exercise works with. All of it outlives the work.
struct Workplace {
  const Toolchain& toolchain;
  Sandbox& sandbox;
  const Exercise& exercise;
  std::function<void(std::string_view)> tell;  ///< hears what is going on, for people
  /// When it has to be done with running what students wrote.
  std::chrono::steady_clock::time_point until = std::chrono::steady_clock::time_point::max();
};

}  // namespace watchlab::course
