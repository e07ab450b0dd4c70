#include "tests/core/runtime/conformance/real_time.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include "core/runtime/task.hpp"

namespace watchlab::conformance {
namespace {

using namespace std::chrono_literals;

/// So many turns has every fiber of a worker between those of the task that settles.
constexpr int kTurns = 10;

/// Whether the system says of this thread, by the letter behind its name, that it neither runs nor
/// reads a page. One that has ended cannot be opened, or is a zombie.
bool waits(const std::filesystem::path& thread) {
  std::ifstream file(thread / "stat");
  const std::string text((std::istreambuf_iterator<char>(file)), {});
  const std::size_t name_end = text.rfind(") ");
  return name_end == std::string::npos || std::strchr("RD", text[name_end + 2]) == nullptr;
}

/// Whether no thread of this process could run but the calling one.
bool others_wait() {
  const std::string self = std::to_string(gettid());
  const std::filesystem::directory_iterator threads("/proc/self/task");
  return std::all_of(begin(threads), end(threads), [&](const std::filesystem::path& thread) {
    return thread.filename() == self || waits(thread);
  });
}

}  // namespace

void settle(runtime::Runtime& runtime) {
  for (int turn = 0; turn < kTurns || !others_wait(); ++turn) {
    runtime::sleep_for(runtime, 2ms);
  }
}

void give_up(std::string_view name, std::string_view message) {
  fmt::print(stderr, "{}: {}\n", name, message);
  std::fflush(nullptr);
  std::_Exit(EXIT_FAILURE);
}

namespace {

constexpr int kRunsMax = 200;
/// In so many runs no alternative of a few stays undrawn by chance.
constexpr int kRunsOfDraws = 100;

void play(const RealTime& real, std::string_view name, int runs_min, const Body& body) {
  const auto deadline = std::chrono::steady_clock::now() + real.time_max;
  for (int run = 0; run < runs_min || std::chrono::steady_clock::now() < deadline; ++run) {
    if (run == kRunsMax) {
      break;
    }
    real.play_once(name, static_cast<std::uint64_t>(run) + 1, body);
  }
}

void play_choice(const RealTime& real, const Choice& choice) {
  std::set<std::string> seen;
  const int runs_min = choice.random ? kRunsOfDraws : real.runs_min;
  play(real, choice.name, runs_min,
       [&](runtime::Runtime& runtime) { seen.insert(choice.body(runtime)); });
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

}  // namespace

void add_suites(const RealTime& real) {
  for (const Group& group : all_groups()) {
    auto* suite = BOOST_TEST_SUITE(real.prefix + std::string(group.name));
    for (const Claim& claim : group.claims) {
      add_case(*suite, claim.name, [real, claim] {
        play(real, claim.name, real.runs_min, claim.body);
        BOOST_TEST(true);
      });
    }
    for (const Choice& choice : group.choices) {
      add_case(*suite, choice.name, [real, choice] { play_choice(real, choice); });
    }
    boost::unit_test::framework::master_test_suite().add(suite);
  }
}

}  // namespace watchlab::conformance
