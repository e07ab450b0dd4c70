#pragma once

#include <string>

#include "sim/kernel/failure.hpp"

namespace watchlab::sim {

/// What makes two failures the same mistake: the kind and the sentence, without the numbers of
/// steps and tasks, and for stuck tasks without their order. "deadlock|main/reader waits for mutex
/// 'queue'|…".
[[nodiscard]] std::string signature_of(const Failure& failure);

}  // namespace watchlab::sim
