#include "core/runtime/wait_group.hpp"

#include "core/runtime/recover.hpp"

namespace watchlab::runtime {

void WaitGroup::start(std::string_view name, std::function<void()> body, Location here) {
  add(1, here);
  spawn(
      runtime_, name,
      [this, body = std::move(body), here] { run_then(body, [this, here] { done(here); }); }, here);
}

}  // namespace watchlab::runtime
