// Plays the conformance suite on OS threads: each body several times, because each time the
// operating system interleaves it anew.
#include <fmt/format.h>

#include <boost/test/unit_test.hpp>
#include <chrono>
#include <cstdio>
#include <cstdlib>

#include "core/runtime/recover.hpp"
#include "core/runtime/thread_runtime.hpp"
#include "tests/core/runtime/conformance/conformance.hpp"

namespace {

using namespace watchlab;
using namespace std::chrono_literals;

constexpr int kRunsMin = 3;
constexpr int kRunsMax = 200;
constexpr std::chrono::milliseconds kTimeMax = 150ms;

/// A body that failed may leave tasks that wait indefinitely, so nothing can be tidied up after it.
[[noreturn]] void give_up(std::string_view name, std::string_view message) {
  fmt::print(stderr, "{}: {}\n", name, message);
  std::fflush(nullptr);
  std::_Exit(EXIT_FAILURE);
}

void play_once(std::string_view name, std::uint64_t seed,
               const std::function<void(runtime::Runtime&)>& body) {
  runtime::ThreadRuntime threads({.seed = seed, .checks = true, .on_crash = [name](auto& crash) {
                                    give_up(name, crash.message);
                                  }});
  threads.run([&](runtime::Runtime& runtime) {
    if (const auto failed = runtime::recover([&] { body(runtime); })) {
      give_up(name, failed->message);
    }
  });
}

void play(std::string_view name, const std::function<void(runtime::Runtime&)>& body) {
  const auto deadline = std::chrono::steady_clock::now() + kTimeMax;
  for (int run = 0; run < kRunsMin || std::chrono::steady_clock::now() < deadline; ++run) {
    if (run == kRunsMax) {
      break;
    }
    play_once(name, static_cast<std::uint64_t>(run) + 1, body);
  }
}

void play_choice(const conformance::Choice& choice) {
  std::set<std::string> seen;
  play(choice.name, [&](runtime::Runtime& runtime) { seen.insert(choice.body(runtime)); });
  for (const std::string& outcome : seen) {
    BOOST_TEST(choice.outcomes.contains(outcome), "unexpected outcome: " << outcome);
  }
  if (choice.random) {
    BOOST_TEST((seen == choice.outcomes), "not every outcome was drawn");
  }
}

void add_case(boost::unit_test::test_suite& suite, std::string_view name,
              std::function<void()> body) {
  suite.add(boost::unit_test::make_test_case(body, std::string(name), __FILE__, __LINE__));
}

bool add_all() {
  for (const conformance::Group& group : conformance::all_groups()) {
    auto* suite = BOOST_TEST_SUITE(std::string(group.name));
    for (const conformance::Claim& claim : group.claims) {
      add_case(*suite, claim.name, [claim] {
        play(claim.name, claim.body);
        BOOST_TEST(true);
      });
    }
    for (const conformance::Choice& choice : group.choices) {
      add_case(*suite, choice.name, [choice] { play_choice(choice); });
    }
    boost::unit_test::framework::master_test_suite().add(suite);
  }
  return true;
}

}  // namespace

int main(int argc, char* argv[]) { return boost::unit_test::unit_test_main(&add_all, argc, argv); }
