#pragma once

#include <cstddef>
#include <optional>
#include <string>

namespace watchlab::sim::linearizability {

/// What a call asks for, as words that a `Model` understands.
struct Request {
  std::string method;    ///< "add"
  std::string key;       ///< what it is about; "" for all there is
  std::string argument;  ///< a value; "" for none

  /// "add a 1".
  [[nodiscard]] std::string to_text() const;
};

/// One call of a history: who asked for what, what came back, and when. Moments count all
/// invocations and returns of a history; steps are those of the run, for people.
struct Call {
  std::string task;
  Request asked;
  std::optional<std::string> result;  ///< nothing while it is pending
  std::size_t invoked = 0;            ///< a moment
  std::size_t returned = 0;           ///< a moment after `invoked`, once there is a result
  std::size_t invoked_step = 0;
  std::size_t returned_step = 0;

  /// "add a 1 -> ok", "pop -> …" while it is pending.
  [[nodiscard]] std::string to_text() const;
};

}  // namespace watchlab::sim::linearizability
