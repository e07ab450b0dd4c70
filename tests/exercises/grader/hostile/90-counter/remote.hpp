#pragma once

// How the counter is called from the process of the tests.
#include "exercises/toolkit/remote_peer.hpp"
#include "tests/exercises/grader/hostile/90-counter/subject.hpp"

namespace watchlab::exercise {

class RemoteCounter final : public course::Remote<Counter, &Counter::add, &Counter::value> {
 public:
  using Remote::Remote;

  void add() override { call<&Counter::add>(); }
  [[nodiscard]] int value() const override { return call<&Counter::value>(); }
};

/// What the library defines.
using LibraryFunctions = course::Methods<&make_counter>;

}  // namespace watchlab::exercise

template <>
struct watchlab::course::RemoteTraits<watchlab::exercise::Counter> {
  using Proxy = exercise::RemoteCounter;
};
