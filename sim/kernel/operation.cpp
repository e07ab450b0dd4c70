#include "sim/kernel/operation.hpp"

#include <array>

#include "sim/kernel/sim_object.hpp"

namespace watchlab::sim {

std::string_view verb_for(OperationKind kind) {
  static constexpr std::array<std::string_view, 39> kVerbs{"start",
                                                           "end",
                                                           "lock",
                                                           "try to lock",
                                                           "unlock",
                                                           "read-lock",
                                                           "continue with the read lock on",
                                                           "read-unlock",
                                                           "write-lock",
                                                           "continue with the write lock on",
                                                           "write-unlock",
                                                           "wait on",
                                                           "give up waiting on",
                                                           "relock after",
                                                           "notify one of",
                                                           "notify all of",
                                                           "send on",
                                                           "receive from",
                                                           "select among",
                                                           "poll",
                                                           "continue after meeting at",
                                                           "close",
                                                           "look at the size of",
                                                           "sleep",
                                                           "yield",
                                                           "fire",
                                                           "stop",
                                                           "reset",
                                                           "join",
                                                           "ask whether it has ended:",
                                                           "count",
                                                           "wait for",
                                                           "read",
                                                           "write",
                                                           "update",
                                                           "change",
                                                           "pass",
                                                           "give up waiting for",
                                                           "look again at"};
  return kVerbs.at(static_cast<std::size_t>(kind));
}

std::string describe(const Operation& operation) {
  if (operation.object != nullptr) {
    return std::string(verb_for(operation.kind)) + " " + operation.object->describe();
  }
  return operation.kind == OperationKind::Continue ? "continue after meeting another task"
                                                   : std::string(verb_for(operation.kind));
}

}  // namespace watchlab::sim
