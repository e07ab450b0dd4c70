#include "scenarios/fuzz/story_generator.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string>
#include <utility>

#include "scenarios/fuzz/story_draft.hpp"
#include "sim/story/client_kinds.hpp"

namespace watchlab::scenarios {
namespace {

using std::chrono::milliseconds;

constexpr std::array<const char*, 4> kObjectNames{"apple", "birch", "cedar", "dahlia"};
/// Failures that a correct server may answer requests with.
constexpr std::array<const char*, 9> kAnswers{"refused",     "reset",    "eof",
                                              "too_many",    "internal", "expired",
                                              "unavailable", "timeout",  "too_large_rv"};
/// Failures that a correct server may send on a stream.
constexpr std::array<const char*, 4> kStreamEnds{"expired", "too_many", "internal", "unavailable"};

/// So many that their odd microseconds add up to less than a millisecond.
constexpr int kHandlerStepsMax = 7;

class Generator : private StoryDraft {
 public:
  explicit Generator(std::uint64_t seed)
      : StoryDraft(fmt::format("story_{}", seed), sim::RandomNumbers(seed)) {}

  Scenario generate() {
    for (std::uint32_t i = numbers_.below(4); i > 0; --i) {
      add_object(kObjectNames.at(i));
    }
    for (std::uint32_t i = 0, count = 1 + numbers_.below(2); i < count; ++i) {
      draw_client(i);
    }
    for (std::uint32_t steps = 3 + numbers_.below(15); steps > 0; --steps) {
      draw_step();
      if (one_in(3)) {
        draw_handler_step();
      }
    }
    if (out_) {
      lasting_.emplace_back("refuse_connections");
    }
    add_last({.after = up_to(100'000)});
    return std::move(scenario_);
  }

 private:
  void draw_client(std::uint32_t number) {
    sim::StoryClientOptions client;
    client.name = number == 0 ? "one" : "two";
    constexpr std::array<sim::ClientKind, 3> kinds{
        sim::ClientKind::Program, sim::ClientKind::Informer, sim::ClientKind::Shared};
    client.kind = pick(kinds);
    if (one_in(4)) {
      client.resync = milliseconds(2'000 + 7 * numbers_.below(1'000));
    } else if (traits_of(client.kind).pauses && one_in(2)) {
      // Not with a resync, which could fill the queue faster than it is popped. Short enough to
      // empty the queue before a relist, which comes after a random delay of at least 800 ms.
      client.pause = odd_time(21);
    }
    if (traits_of(client.kind).handlers == sim::HandlerCount::AnyNumber) {
      draw_handlers(client);
    }
    client.starts_later = one_in(4);
    add_client(std::move(client));
  }

  void draw_handlers(sim::StoryClientOptions& client) {
    for (std::uint32_t i = 0, count = 1 + numbers_.below(3); i < count; ++i) {
      sim::StoryHandlerOptions handler;
      handler.name = fmt::format("{}_{}", client.name, i);
      // Not with a resync: a handler that is busy whenever the story looks would keep it from its
      // end, and how far behind it is would depend on when the resync falls due.
      if (client.resync == runtime::Duration::zero() && one_in(2)) {
        handler.takes = odd_time(12);
      }
      // Only if its informer has one: a check that never comes is not played in virtual time.
      if (client.resync > runtime::Duration::zero() && !one_in(3)) {
        const std::uint32_t times = numbers_.below(2);
        handler.resync = milliseconds(times * (500 + 7 * numbers_.below(1'500)));
      }
      handler.starts_later = one_in(3);
      if (!handler.starts_later) {
        inside_.push_back(handler.name);
      }
      add_handler(client, std::move(handler));
    }
  }

  /// No whole milliseconds, as all else is: what takes so long ends when nothing else happens.
  runtime::Duration odd_time(std::uint32_t count) {
    return std::chrono::microseconds(1'013 + 7'000 * numbers_.below(count));
  }

  /// A handler comes or goes, at an instant of its own. The one that came last goes last.
  void draw_handler_step() {
    const bool comes = !outside_.empty() && (inside_.empty() || one_in(2));
    if ((comes ? outside_ : inside_).empty() || ++handler_steps_ > kHandlerStepsMax) {
      return;
    }
    Step step;
    step.after = up_to(2'000) + std::chrono::microseconds(137);
    if (comes) {
      join(step);
      std::rotate(inside_.begin(), inside_.end() - 1, inside_.end());
    } else {
      leave(step);
    }
    add(std::move(step));
  }

  void draw_step() {
    Step step;
    // From nearly at once to longer than a watch lives before it counts as a long one.
    constexpr std::array<std::uint32_t, 4> spans{50, 900, 3'000, 40'000};
    step.after = up_to(pick(spans));
    for (std::uint32_t i = 1 + numbers_.below(4); i > 0; --i) {
      step.actions.push_back(one_in(3) ? fault() : write(pick(kObjectNames)));
    }
    maybe_start(step);
    add(std::move(step));
  }

  Action fault() {
    switch (numbers_.below(9)) {
      case 0:
        return FaultAction{{.name = "close_watch"}};
      case 1:
        return FaultAction{{.name = "cut_watch"}};
      case 2:
        return FaultAction{{.name = "evict_watch_window"}};
      case 3:
        return FaultAction{{.name = "restart_server"}};
      case 4:
        return failing("fail_stream", pick(kStreamEnds), 1);
      case 5:
        return failing_requests("fail_watch");
      case 6:
        return failing_requests("fail_list");
      case 7:
        return lasting({.name = "delay", .times = 3, .parameters = {{"by", up_to(2'500)}}});
      default:
        return outage();
    }
  }

  /// A fault that the end heals.
  Action lasting(sim::FaultSketch fault) {
    fault.as = lasting_.emplace_back(fmt::format("fault_{}", lasting_.size()));
    return FaultAction{std::move(fault)};
  }

  Action failing(const char* name, const char* how, std::int64_t times) {
    return lasting({.name = name, .times = times, .parameters = {{"answer", std::string(how)}}});
  }

  Action failing_requests(const char* name) {
    const std::int64_t times = 1 + numbers_.below(3);
    return failing(name, pick(kAnswers), times);
  }

  /// No server listens for a while, or again.
  Action outage() {
    out_ = !out_;
    return out_ ? Action(FaultAction{{.name = "refuse_connections"}})
                : Action(HealAction{"refuse_connections"});
  }

  int handler_steps_ = 0;
  bool out_ = false;
};

}  // namespace

Scenario generate_story(std::uint64_t seed) { return Generator(seed).generate(); }

}  // namespace watchlab::scenarios
