// Partial-order reduction loses nothing of waits under a readers-writer lock and of deadlines: the
// outcomes of small programs, against brute force.
#include <array>
#include <boost/random/mersenne_twister.hpp>
#include <boost/random/uniform_int_distribution.hpp>
#include <boost/test/unit_test.hpp>
#include <chrono>
#include <memory>
#include <string>
#include <vector>

#include "core/runtime/cond_var.hpp"
#include "core/runtime/select.hpp"
#include "core/runtime/shared_mutex.hpp"
#include "core/runtime/stop_token.hpp"
#include "core/runtime/task.hpp"
#include "tests/sim/explore/against_brute_force.hpp"

namespace watchlab::sim {
BOOST_AUTO_TEST_SUITE(new_waits_test)

namespace {

using namespace std::chrono_literals;
using runtime::Runtime;

/// What a task of a generated program does next.
enum class Deed { Write, Read, WaitAsWriter, WaitAsReader, TimedWait, NotifyOne, NotifyAll };

constexpr std::array<std::string_view, 7> kDeeds{
    "write", "read", "wait as writer", "wait as reader", "timed wait", "notify one", "notify all"};

using Listing = std::vector<std::vector<Deed>>;

struct Table {
  explicit Table(Runtime& made_by)
      : runtime(made_by), mutex(made_by, "mutex"), changed(made_by, "changed") {}

  /// What the task sees of the number is its line of the outcome.
  std::string play(Deed deed) {
    switch (deed) {
      case Deed::Write: {
        const runtime::WriteLock lock(mutex);
        return std::to_string(++number);
      }
      case Deed::Read: {
        const runtime::ReadLock lock(mutex);
        return std::to_string(number);
      }
      case Deed::WaitAsWriter: {
        runtime::WriteLock lock(mutex);
        changed.wait(lock);
        return "w" + std::to_string(++number);
      }
      case Deed::WaitAsReader: {
        runtime::ReadLock lock(mutex);
        changed.wait(lock);
        return "r" + std::to_string(number);
      }
      case Deed::TimedWait: {
        runtime::ReadLock lock(mutex);
        const bool notified = changed.wait_until(lock, runtime.now() + 1ms);
        return (notified ? "n" : "t") + std::to_string(number);
      }
      case Deed::NotifyOne:
        changed.notify_one();
        return "";
      default:
        changed.notify_all();
        return "";
    }
  }

  Runtime& runtime;
  runtime::SharedMutex mutex;
  runtime::CondVar changed;
  int number = 0;
};

Program program_of(const Listing& listing, Outcome& outcome) {
  std::string name;
  for (const std::vector<Deed>& task : listing) {
    for (const Deed deed : task) {
      name += std::string(kDeeds.at(static_cast<std::size_t>(deed))) + "; ";
    }
    name += "| ";
  }
  return {name,
          [&outcome, listing](Runtime& runtime) {
            outcome.clear();
            const auto table = std::make_shared<Table>(runtime);
            for (std::size_t i = 0; i < listing.size(); ++i) {
              const std::string task = "task" + std::to_string(i);
              runtime::spawn(runtime, task, [&outcome, &runtime, table, task, deeds = listing[i]] {
                for (const Deed deed : deeds) {
                  outcome.add(runtime, task, table->play(deed));
                }
              });
            }
          },
          &outcome};
}

constexpr std::size_t kRunsMax = 30'000;

}  // namespace

BOOST_AUTO_TEST_CASE(nothing_is_lost_of_waits_under_a_shared_mutex) {
  Outcome outcome;
  const std::vector<Listing> listings{
      {{Deed::WaitAsWriter}, {Deed::Write, Deed::NotifyOne}},
      {{Deed::WaitAsReader}, {Deed::Write, Deed::NotifyOne}},
      {{Deed::WaitAsReader}, {Deed::Read, Deed::NotifyAll}},
      {{Deed::WaitAsReader}, {Deed::WaitAsWriter}, {Deed::NotifyAll}},
      {{Deed::WaitAsReader}, {Deed::WaitAsReader}, {Deed::NotifyOne}},
      {{Deed::TimedWait}, {Deed::Write, Deed::NotifyOne}},
      {{Deed::TimedWait}, {Deed::WaitAsWriter}, {Deed::NotifyOne}},
      {{Deed::WaitAsWriter}, {Deed::Write, Deed::NotifyAll}, {Deed::Read}},
  };
  for (const Listing& listing : listings) {
    const Program program = program_of(listing, outcome);
    BOOST_TEST(is_judged_by_brute_force(program, kRunsMax), program.name);
  }
}

BOOST_AUTO_TEST_CASE(nothing_is_lost_of_generated_waits) {
  boost::random::mt19937_64 engine(45);
  const auto draw = [&](int most) {
    return boost::random::uniform_int_distribution<int>(0, most)(engine);
  };
  Outcome outcome;
  int compared = 0;
  for (int i = 0; i < 120; ++i) {
    Listing listing(static_cast<std::size_t>(2 + draw(1)));
    for (std::vector<Deed>& task : listing) {
      for (int deeds = 1 + draw(listing.size() == 2 ? 1 : 0); deeds > 0; --deeds) {
        task.push_back(static_cast<Deed>(draw(6)));
      }
    }
    compared += is_judged_by_brute_force(program_of(listing, outcome), kRunsMax) ? 1 : 0;
  }
  BOOST_TEST(compared > 90);
}

BOOST_AUTO_TEST_CASE(nothing_is_lost_of_a_stop_at_a_deadline) {
  Outcome outcome;
  const Program program{
      "a stop at a deadline",
      [&outcome](Runtime& runtime) {
        outcome.clear();
        const auto source = std::make_shared<runtime::StopSource>(
            runtime::StopSource::with_timeout(runtime, runtime::StopToken(), 1ms));
        runtime::spawn(runtime, "stopper", [&runtime, source] {
          runtime::sleep_for(runtime, 1ms);
          source->stop();
        });
        outcome.add(runtime, "main", std::to_string(static_cast<int>(source->token().reason())));
        source->token().done(runtime).receive();
        outcome.add(runtime, "main", std::to_string(static_cast<int>(source->token().reason())));
      },
      &outcome};
  BOOST_TEST(is_judged_by_brute_force(program, 200'000));
  BOOST_TEST(outcome.to_string() != "");
}

BOOST_AUTO_TEST_SUITE_END()
}  // namespace watchlab::sim
