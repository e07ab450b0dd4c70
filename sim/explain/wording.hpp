#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "sim/explain/witness.hpp"

namespace watchlab::sim {

/// "locks", "notifies all of", "takes back": what a task does, before an object's name.
[[nodiscard]] std::string does(OperationKind kind);

/// "locks mutex 'queue' (queue.cpp:12)".
[[nodiscard]] std::string deed(const WitnessedOperation& operation);
/// "main/one locks mutex 'queue' (queue.cpp:12)".
[[nodiscard]] std::string sentence_of(const Witness& witness, const WitnessedOperation& operation);
/// "lock 'queue' (queue.cpp:12)": short, for a column.
[[nodiscard]] std::string short_deed(const WitnessedOperation& operation);

/// A text whose source files are named without their folders.
[[nodiscard]] std::string with_short_places(std::string_view text);
/// "a", "a and b", "a, b and c".
[[nodiscard]] std::string listed(const std::vector<std::string>& names);
/// `count` and the noun, with an s unless it is one.
[[nodiscard]] std::string counted(std::size_t count, std::string_view noun);

}  // namespace watchlab::sim
