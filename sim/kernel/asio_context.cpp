#include "sim/kernel/asio_context.hpp"

namespace watchlab::sim {

void WorldContext::post_handler(std::function<void()> handler) {
  work_.add();
  // A handler that the world drops when it is taken down leaves the count as it is; nobody waits
  // for it then.
  (void)world_.scheduler().spawn_for(
      maker_, "handler",
      [this, handler = std::move(handler)] {
        handler();
        work_.done();
      },
      runtime::Location::current());
}

void WorldContext::drain(runtime::Location here) { work_.wait(here); }

}  // namespace watchlab::sim
