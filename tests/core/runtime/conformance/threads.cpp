// Plays the conformance suite on OS threads.
#include <boost/test/unit_test.hpp>

#include "core/runtime/thread_runtime.hpp"
#include "tests/core/runtime/conformance/real_time.hpp"

namespace {

using namespace watchlab;

bool add_all() {
  conformance::add_suites(
      {.prefix = "",
       .runs_min = 3,
       .time_max = std::chrono::milliseconds(150),
       .play_once = [](std::string_view name, std::uint64_t seed, const conformance::Body& body) {
         conformance::play_on<runtime::ThreadRuntime>(
             name, runtime::ThreadRuntimeOptions{.seed = seed}, body);
       }});
  return true;
}

}  // namespace

int main(int argc, char* argv[]) { return boost::unit_test::unit_test_main(&add_all, argc, argv); }
