#pragma once

#include <stdexcept>

namespace watchlab::sim {

/// An invariant of the code under study was found false. Thrown by a task, it ends the run with a
/// failure of kind violation; its text is the sentence.
class Violation : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

}  // namespace watchlab::sim
