#include "core/runtime/running.hpp"

#include <utility>

#include "core/runtime/ensure.hpp"

namespace watchlab::runtime {
namespace {

thread_local Runtime* of_this_thread = nullptr;

}  // namespace

Running::Running(Runtime& runtime) : before_(std::exchange(of_this_thread, &runtime)) {}

Running::~Running() { of_this_thread = before_; }

Runtime& Running::here() {
  ensure(of_this_thread != nullptr, "a nil channel is used where no task of a runtime runs");
  return *of_this_thread;
}

}  // namespace watchlab::runtime
