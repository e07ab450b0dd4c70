#include "core/wait/loop.hpp"

#include <fmt/format.h>

#include <boost/test/unit_test.hpp>
#include <chrono>
#include <functional>
#include <vector>

#include "core/runtime/channel.hpp"
#include "core/runtime/task.hpp"
#include "tests/support/campaign.hpp"

namespace watchlab::tests {

BOOST_AUTO_TEST_SUITE(loop_test)

namespace {

using namespace std::chrono_literals;

/// Says at which seconds since its making something happened.
class Stopwatch {
 public:
  explicit Stopwatch(runtime::Runtime& runtime) : runtime_(runtime), start_(runtime.now()) {}
  void mark() { text_ += fmt::format("{}{}", text_.empty() ? "" : " ", elapsed()); }
  [[nodiscard]] std::int64_t elapsed() const {
    return std::chrono::duration_cast<std::chrono::seconds>(runtime_.now() - start_).count();
  }
  [[nodiscard]] const std::string& marks() const { return text_; }

 private:
  runtime::Runtime& runtime_;
  runtime::TimePoint start_;
  std::string text_;
};

/// Says stop after so long.
runtime::Task stop_after(runtime::Runtime& runtime, runtime::StopSource& stop,
                         runtime::Duration delay) {
  return runtime::spawn(runtime, "stopper", [&runtime, &stop, delay] {
    runtime::sleep_for(runtime, delay);
    stop.stop();
  });
}

}  // namespace

// Mirrors TestUntil.
BOOST_AUTO_TEST_CASE(a_token_stopped_beforehand_means_no_run) {
  holds_everywhere([](runtime::Runtime& runtime) {
    runtime::StopSource stop(runtime);
    stop.stop();
    wait::until(runtime, 0s, stop.token(), [] { expect(false, "the body must not run"); });
    wait::non_sliding_until(runtime, 0s, stop.token(),
                            [] { expect(false, "the body must not run"); });
    wait::jitter_until(runtime, {.period = 0s, .factor = 1.0}, stop.token(),
                       [] { expect(false, "the body must not run"); });
  });
}

// Mirrors TestUntil, TestNonSlidingUntil and TestJitterUntil: the body runs until the stop.
BOOST_AUTO_TEST_CASE(without_a_pause_the_body_runs_again_and_again_until_the_stop) {
  holds_everywhere([](runtime::Runtime& runtime) {
    runtime::StopSource stops[3] = {runtime::StopSource(runtime), runtime::StopSource(runtime),
                                    runtime::StopSource(runtime)};
    int runs[3] = {};
    const auto body = [&](int loop) {
      return [&stops, &runs, loop] {
        if (++runs[loop] == 3) {
          stops[loop].stop();
        }
      };
    };
    wait::until(runtime, 0s, stops[0].token(), body(0));
    wait::non_sliding_until(runtime, 0s, stops[1].token(), body(1));
    wait::jitter_until(runtime, {.period = 0s, .factor = 1.0}, stops[2].token(), body(2));
    for (const int count : runs) {
      expect_equal(count, 3);
    }
  });
}

// Mirrors TestUntil, TestNonSlidingUntil and TestJitterUntil: at most one run is on its way when
// the stop comes, and it is the last.
BOOST_AUTO_TEST_CASE(a_stop_from_outside_lets_no_second_run_begin) {
  using Loop = std::function<void(runtime::Runtime&, const runtime::StopToken&,
                                  const std::function<void()>& body)>;
  const std::vector<Loop> loops{[](auto& runtime, const auto& stop, const auto& body) {
                                  wait::until(runtime, 0s, stop, body);
                                },
                                [](auto& runtime, const auto& stop, const auto& body) {
                                  wait::non_sliding_until(runtime, 0s, stop, body);
                                },
                                [](auto& runtime, const auto& stop, const auto& body) {
                                  wait::jitter_until(runtime, {.period = 0s, .factor = 1.0}, stop,
                                                     body);
                                }};
  for (const Loop& loop : loops) {
    holds_everywhere([&loop](runtime::Runtime& runtime) {
      runtime::StopSource stop(runtime);
      runtime::Channel<runtime::Unit> called(runtime, 0, "called");
      const runtime::Task running = runtime::spawn(runtime, "loop", [&] {
        loop(runtime, stop.token(), [&called] { called.send({}); });
        called.close();
      });
      expect(called.receive().has_value(), "the body runs");
      stop.stop();
      // Of the run that had begun already, or of the end; a further run would wait indefinitely.
      called.receive();
      running.join();
    });
  }
}

// Mirrors TestUntil.
BOOST_AUTO_TEST_CASE(a_sliding_pause_counts_from_the_end_of_the_body) {
  holds_in_every_world([](runtime::Runtime& runtime) {
    runtime::StopSource stop(runtime);
    const runtime::Task stopper = stop_after(runtime, stop, 20s);
    Stopwatch watch(runtime);
    wait::until(runtime, 5s, stop.token(), [&] {
      watch.mark();
      runtime::sleep_for(runtime, 2s);
    });
    expect_equal(watch.marks(), "0 7 14");
    expect_equal(watch.elapsed(), 20);
    stopper.join();
  });
}

// Mirrors TestNonSlidingUntil.
BOOST_AUTO_TEST_CASE(a_non_sliding_pause_counts_from_the_start_of_the_body) {
  holds_in_every_world([](runtime::Runtime& runtime) {
    runtime::StopSource stop(runtime);
    const runtime::Task stopper = stop_after(runtime, stop, 18s);
    Stopwatch watch(runtime);
    wait::non_sliding_until(runtime, 5s, stop.token(), [&] {
      watch.mark();
      runtime::sleep_for(runtime, watch.elapsed() == 5 ? 9s : 2s);
    });
    expect_equal(watch.marks(), "0 5 14");
    stopper.join();
  });
}

// Mirrors TestJitterUntil.
BOOST_AUTO_TEST_CASE(a_jittered_pause_is_stretched_by_up_to_its_factor) {
  holds_in_every_world([](runtime::Runtime& runtime) {
    runtime::StopSource stop(runtime);
    std::vector<runtime::TimePoint> runs;
    wait::jitter_until(runtime, {.period = 1s, .factor = 0.5}, stop.token(), [&] {
      runs.push_back(runtime.now());
      if (runs.size() == 20) {
        stop.stop();
      }
    });
    for (std::size_t i = 1; i < runs.size(); ++i) {
      const runtime::Duration gap = runs[i] - runs[i - 1];
      expect(gap >= 1s && gap < 1500ms, "a pause lies in [1 s, 1.5 s)");
    }
  });
}

// Mirrors TestJitterUntilNegativeFactor.
BOOST_AUTO_TEST_CASE(a_pause_with_a_negative_factor_is_not_stretched) {
  holds_in_every_world([](runtime::Runtime& runtime) {
    runtime::StopSource stop(runtime);
    const runtime::Task stopper = stop_after(runtime, stop, 10s);
    Stopwatch watch(runtime);
    wait::jitter_until(runtime, {.period = 3s, .factor = -30.0}, stop.token(),
                       [&] { watch.mark(); });
    expect_equal(watch.marks(), "0 3 6 9");
    stopper.join();
  });
}

// Mirrors TestUntilReturnsImmediately and TestJitterUntilReturnsImmediately.
BOOST_AUTO_TEST_CASE(a_stop_in_the_body_ends_the_loop_without_a_pause) {
  holds_in_every_world([](runtime::Runtime& runtime) {
    Stopwatch watch(runtime);
    int runs = 0;
    runtime::StopSource first(runtime);
    wait::until(runtime, 30s, first.token(), [&] {
      ++runs;
      first.stop();
    });
    runtime::StopSource second(runtime);
    wait::jitter_until(runtime, {.period = 30s, .factor = 1.0}, second.token(), [&] {
      ++runs;
      second.stop();
    });
    expect_equal(watch.elapsed(), 0);
    expect_equal(runs, 2);
  });
}

// The stop and the end of a pause come at the same moment, in any order.
BOOST_AUTO_TEST_CASE(a_stop_wins_over_a_pause_that_ends_with_it) {
  holds_in_every_world([](runtime::Runtime& runtime) {
    runtime::StopSource stop(runtime);
    bool stopped = false;
    const runtime::Task stopper = runtime::spawn(runtime, "stopper", [&] {
      runtime::sleep_for(runtime, 5s);
      stop.stop();
      stopped = true;
    });
    wait::until(runtime, 5s, stop.token(),
                [&] { expect(!stopped, "no run begins after the stop was said"); });
    stopper.join();
  });
}

// Mirrors TestBackoffUntil… and a historical bug: a value left in the timer's channel.
BOOST_AUTO_TEST_CASE(a_pause_that_was_cut_short_does_not_shorten_the_next_one) {
  holds_in_every_world([](runtime::Runtime& runtime) {
    wait::JitteredBackoffManager manager(runtime, 5s, 0.0);
    runtime::StopSource first(runtime);
    const runtime::Task stopper = stop_after(runtime, first, 5s);
    wait::backoff_until(runtime, manager, wait::Pause::Sliding, first.token(), [] {});
    stopper.join();
    Stopwatch watch(runtime);
    runtime::StopSource second(runtime);
    wait::backoff_until(runtime, manager, wait::Pause::Sliding, second.token(), [&] {
      watch.mark();
      if (watch.elapsed() > 0) {
        second.stop();
      }
    });
    expect_equal(watch.marks(), "0 5");
  });
}

BOOST_AUTO_TEST_CASE(a_panic_of_the_body_leaves_the_loop) {
  holds_in_every_world([](runtime::Runtime& runtime) {
    const runtime::StopSource stop(runtime);
    expect_panic(
        [&] {
          wait::until(runtime, 1s, stop.token(), [] { throw runtime::Panic("from the body"); });
        },
        "from the body");
  });
}

// Mirrors TestPollUntil.
BOOST_AUTO_TEST_CASE(a_poll_asks_at_once_and_then_at_each_interval) {
  holds_in_every_world([](runtime::Runtime& runtime) {
    const runtime::StopSource stop(runtime);
    Stopwatch watch(runtime);
    const bool held = wait::poll_immediate_until(runtime, 2s, stop.token(), [&] {
      watch.mark();
      return watch.elapsed() >= 6;
    });
    expect(held, "the condition held");
    expect_equal(watch.marks(), "0 2 4 6");
    Stopwatch again(runtime);
    const bool held_at_once = wait::poll_immediate_until(runtime, 2s, stop.token(), [&] {
      again.mark();
      return true;
    });
    expect(held_at_once, "the first answer counts");
    expect_equal(again.marks(), "0");
    expect_equal(again.elapsed(), 0);
  });
}

BOOST_AUTO_TEST_CASE(a_poll_ends_with_no_when_the_stop_comes) {
  holds_in_every_world([](runtime::Runtime& runtime) {
    runtime::StopSource stop(runtime);
    const runtime::Task stopper = stop_after(runtime, stop, 5s);
    Stopwatch watch(runtime);
    const bool held = wait::poll_immediate_until(runtime, 2s, stop.token(), [] { return false; });
    expect(!held, "the condition never held");
    expect_equal(watch.elapsed(), 5);
    stopper.join();
  });
}

BOOST_AUTO_TEST_CASE(a_poll_does_not_ask_again_when_the_stop_comes_with_a_tick) {
  holds_in_every_world([](runtime::Runtime& runtime) {
    runtime::StopSource stop(runtime);
    bool stopped = false;
    const runtime::Task stopper = runtime::spawn(runtime, "stopper", [&] {
      runtime::sleep_for(runtime, 2s);
      stop.stop();
      stopped = true;
    });
    (void)wait::poll_immediate_until(runtime, 2s, stop.token(), [&] {
      expect(!stopped, "nothing is asked after the stop was said");
      return false;
    });
    stopper.join();
  });
}

BOOST_AUTO_TEST_CASE(a_poll_asks_once_even_after_the_stop) {
  holds_everywhere([](runtime::Runtime& runtime) {
    runtime::StopSource stop(runtime);
    stop.stop();
    int asked = 0;
    expect(wait::poll_immediate_until(runtime, 1s, stop.token(), [&] { return ++asked == 1; }),
           "the first answer counts");
    expect(!wait::poll_immediate_until(runtime, 1s, stop.token(), [&] { return ++asked == 3; }),
           "a second one is not asked for");
    expect_equal(asked, 2);
  });
}

// Mirrors TestPollImmediateUntilWithContext, the stop after so many questions.
BOOST_AUTO_TEST_CASE(a_stop_in_the_condition_ends_the_poll_without_a_further_question) {
  holds_in_every_world([](runtime::Runtime& runtime) {
    runtime::StopSource stop(runtime);
    Stopwatch watch(runtime);
    const bool held = wait::poll_immediate_until(runtime, 2s, stop.token(), [&] {
      watch.mark();
      if (watch.elapsed() == 6) {
        stop.stop();
      }
      return false;
    });
    expect(!held, "the condition never held");
    expect_equal(watch.marks(), "0 2 4 6");
    expect_equal(watch.elapsed(), 6);
  });
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace watchlab::tests
