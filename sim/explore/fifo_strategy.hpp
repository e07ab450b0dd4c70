#pragma once

#include "sim/kernel/strategy.hpp"

namespace watchlab::sim {

/// No deviation: the running task goes on while it can, then the ready one in the lowest slot goes;
/// everything else takes its ordinary alternative. The schedule that all others are compared with.
class FifoStrategy final : public Strategy {
 public:
  [[nodiscard]] bool prepare(std::size_t run) override { return run == 0; }
  [[nodiscard]] std::uint32_t choose(const Choice& /*choice*/) override { return 0; }
  [[nodiscard]] bool reorders() const override { return false; }
};

}  // namespace watchlab::sim
