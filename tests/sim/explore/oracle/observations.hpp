#pragma once

#include <string>
#include <string_view>
#include <vector>

/// What tasks write down of their operations; the same for the state machine and for the program.
namespace watchlab::sim::oracle {

constexpr int kClosed = -1;   ///< received from a closed channel
constexpr int kPanic = -2;    ///< a panic
constexpr int kEnd = -3;      ///< the task has ended
constexpr int kDefault = -4;  ///< no arm of a poll was ready

/// Follows what a task has seen that could have gone on, had others not been stuck.
constexpr std::string_view kCut = "... ";

/// "1 closed end ".
[[nodiscard]] inline std::string describe(const std::vector<int>& seen) {
  std::string text;
  for (const int value : seen) {
    switch (value) {
      case kClosed:
        text += "closed ";
        break;
      case kPanic:
        text += "panic ";
        break;
      case kEnd:
        text += "end ";
        break;
      case kDefault:
        text += "default ";
        break;
      default:
        text += std::to_string(value) + " ";
    }
  }
  return text;
}

}  // namespace watchlab::sim::oracle
