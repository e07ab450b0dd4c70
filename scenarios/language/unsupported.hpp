#pragma once

#include <stdexcept>

namespace watchlab::scenarios {

/// A call asks for what this build of the program does not have, or the system below it. It ends as
/// one with a wrong argument does.
class Unsupported : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

}  // namespace watchlab::scenarios
