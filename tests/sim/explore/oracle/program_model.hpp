#pragma once

#include <array>
#include <string>
#include <vector>

#include "tests/sim/explore/oracle/program.hpp"

namespace watchlab::sim::oracle {

constexpr std::size_t kObjectsMax = 4;

/// Everything of a program that can make a difference, or has been observed.
struct ModelState {
  struct Of {
    std::size_t place = 0;
    std::vector<int> seen = {};
    /// How often it holds each object, as a reader in the second half.
    std::array<std::int8_t, 2 * kKinds* kObjectsMax> held = {};
  };
  std::array<int, kKinds* kObjectsMax> objects = {};
  std::vector<Of> tasks;

  [[nodiscard]] std::string key() const;
};

/// One task of the state machine, for the `model` of words.
class ModelTask {
 public:
  ModelTask(ModelState& state, std::size_t task) : state_(state), task_(task) {}

  /// What the object is: a value, a count, a number of readers; of a lock -1 for a writer.
  [[nodiscard]] int& at(const Op& op) { return state_.objects.at(index(op)); }
  [[nodiscard]] std::int8_t& held(const Op& op, bool shared = false) {
    return me().held.at(index(op) + (shared ? kKinds * kObjectsMax : 0));
  }
  [[nodiscard]] int value() { return program_value(task_, me().place); }
  bool saw(int value) {
    me().seen.push_back(value);
    return true;
  }

 private:
  static std::size_t index(const Op& op) {
    return static_cast<std::size_t>(op.word->kind) * kObjectsMax +
           static_cast<std::size_t>(op.object);
  }
  ModelState::Of& me() { return state_.tasks[task_]; }

  ModelState& state_;
  std::size_t task_;
};

}  // namespace watchlab::sim::oracle
