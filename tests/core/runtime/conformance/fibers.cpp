// Plays the conformance suite on fibers: with one worker, with as many as processors, with more.
#include <boost/test/unit_test.hpp>

#include "core/runtime/fibers/fiber_runtime.hpp"
#include "tests/core/runtime/conformance/real_time.hpp"

namespace {

using namespace watchlab;

bool add_all() {
  for (const std::size_t threads : {1, 2, 8}) {
    conformance::add_suites(
        {.prefix = "workers_" + std::to_string(threads) + "_",
         .time_max = std::chrono::milliseconds(20),
         .play_once = [threads](std::string_view name, std::uint64_t seed,
                                const conformance::Body& body) {
           conformance::play_on<runtime::FiberRuntime>(
               name, runtime::FiberRuntimeOptions{.threads = threads, .seed = seed}, body);
         }});
  }
  return true;
}

}  // namespace

int main(int argc, char* argv[]) { return boost::unit_test::unit_test_main(&add_all, argc, argv); }
