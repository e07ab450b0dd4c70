#include "sim/kernel/asio_context.hpp"

#include "sim/kernel/quiet.hpp"

namespace watchlab::sim {

void WorldContext::post_handler(std::function<void()> handler) {
  const Quiet quiet;
  work_.add();
  // A handler that the world drops when it is taken down leaves the count as it is; nobody waits
  // for it then.
  (void)world_.scheduler().spawn_for(
      maker_, "handler",
      [this, handler = std::move(handler)] {
        in_turn(handler);
        work_.done();
      },
      runtime::Location::current());
}

void WorldContext::in_turn(const std::function<void()>& handler) {
  {
    const Quiet quiet;
    world_.scheduler().acquire(strand_);
  }
  handler();
  const Quiet quiet;
  world_.scheduler().release(strand_);
}

void WorldContext::drain(runtime::Location here) { work_.wait(here); }

}  // namespace watchlab::sim
