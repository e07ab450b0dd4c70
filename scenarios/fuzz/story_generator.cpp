#include "scenarios/fuzz/story_generator.hpp"

#include <fmt/format.h>

#include <array>
#include <set>
#include <string>
#include <utility>

#include "sim/explore/random_numbers.hpp"
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

class Generator {
 public:
  explicit Generator(std::uint64_t seed) : numbers_(seed) { scenario_.name = name_for(seed); }

  Scenario generate() {
    scenario_.explore.seed = static_cast<std::int64_t>(numbers_.below(1'000'000));
    for (std::uint32_t i = numbers_.below(4); i > 0; --i) {
      scenario_.server.objects.push_back(sketch(kObjectNames.at(i)));
      alive_.insert(kObjectNames.at(i));
    }
    for (std::uint32_t i = 0, count = 1 + numbers_.below(2); i < count; ++i) {
      add_client(i);
    }
    for (std::uint32_t steps = 3 + numbers_.below(15); steps > 0; --steps) {
      add_step();
      if (numbers_.below(3) == 0) {
        add_handler_step();
      }
    }
    heal_everything();
    return std::move(scenario_);
  }

 private:
  static std::string name_for(std::uint64_t seed) { return fmt::format("story_{}", seed); }

  template <std::size_t count>
  const char* one_of(const std::array<const char*, count>& names) {
    return names.at(numbers_.below(count));
  }

  sim::ObjectSketch sketch(const std::string& name) {
    sim::ObjectSketch object;
    object.name = name;
    object.data["turn"] = std::to_string(++turn_);
    return object;
  }

  void add_client(std::uint32_t number) {
    sim::StoryClientOptions client;
    client.name = number == 0 ? "one" : "two";
    const std::array<sim::ClientKind, 3> kinds{sim::ClientKind::Program, sim::ClientKind::Informer,
                                               sim::ClientKind::Shared};
    client.kind = kinds.at(numbers_.below(3));
    if (numbers_.below(4) == 0) {
      client.resync = milliseconds(2'000 + 7 * numbers_.below(1'000));
    } else if (traits_of(client.kind).pauses && numbers_.below(2) == 0) {
      // Not with a resync, which could fill the queue faster than it is popped. Short enough to
      // empty the queue before a relist, which comes after a random delay of at least 800 ms.
      client.pause = odd_time(21);
    }
    if (traits_of(client.kind).handlers == sim::HandlerCount::AnyNumber) {
      add_handlers(client);
    }
    client.starts_later = numbers_.below(4) == 0;
    if (client.starts_later) {
      waiting_.insert(client.name);
    }
    scenario_.clients.push_back(std::move(client));
  }

  void add_handlers(sim::StoryClientOptions& client) {
    for (std::uint32_t i = 0, count = 1 + numbers_.below(3); i < count; ++i) {
      sim::StoryHandlerOptions handler;
      handler.name = fmt::format("{}_{}", client.name, i);
      // Not with a resync: a handler that is busy whenever the story looks would keep it from its
      // end, and how far behind it is would depend on when the resync falls due.
      if (client.resync == runtime::Duration::zero() && numbers_.below(2) == 0) {
        handler.takes = odd_time(12);
      }
      // Only if its informer has one: a check that never comes is not played in virtual time.
      if (client.resync > runtime::Duration::zero() && numbers_.below(3) != 0) {
        handler.resync = milliseconds(numbers_.below(2) * (500 + 7 * numbers_.below(1'500)));
      }
      handler.starts_later = numbers_.below(3) == 0;
      (handler.starts_later ? absent_ : present_).push_back(handler.name);
      client.handlers.push_back(std::move(handler));
    }
  }

  /// No whole milliseconds, as all else is: what takes so long ends when nothing else happens.
  runtime::Duration odd_time(std::uint32_t count) {
    return std::chrono::microseconds(1'013 + 7'000 * numbers_.below(count));
  }

  /// A handler comes or goes, at an instant of its own.
  void add_handler_step() {
    const bool comes = !absent_.empty() && (present_.empty() || numbers_.below(2) == 0);
    std::vector<std::string>& from = comes ? absent_ : present_;
    if (from.empty() || ++handler_steps_ > kHandlerStepsMax) {
      return;
    }
    const std::string name = from.back();
    from.pop_back();
    Step step;
    step.after = milliseconds(1 + numbers_.below(2'000)) + std::chrono::microseconds(137);
    if (comes) {
      step.actions.emplace_back(AddHandlerAction{name});
      present_.insert(present_.begin(), name);
    } else {
      step.actions.emplace_back(RemoveHandlerAction{name});
    }
    scenario_.script.push_back(std::move(step));
  }

  void add_step() {
    Step step;
    // From nearly at once to longer than a watch lives before it counts as a long one.
    const std::array<std::uint32_t, 4> spans{50, 900, 3'000, 40'000};
    step.after = milliseconds(1 + numbers_.below(spans.at(numbers_.below(4))));
    for (std::uint32_t i = 1 + numbers_.below(4); i > 0; --i) {
      step.actions.push_back(numbers_.below(3) == 0 ? fault() : write());
    }
    if (!waiting_.empty() && numbers_.below(3) == 0) {
      step.actions.emplace_back(StartAction{*waiting_.begin()});
      waiting_.erase(waiting_.begin());
    }
    scenario_.script.push_back(std::move(step));
  }

  Action write() {
    const std::string name = one_of(kObjectNames);
    if (alive_.insert(name).second) {
      return CreateAction{sketch(name)};
    }
    if (numbers_.below(3) != 0) {
      return UpdateAction{sketch(name)};
    }
    alive_.erase(name);
    return DeleteAction{{.name = name}};
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
        return failing("fail_stream", one_of(kStreamEnds), 1);
      case 5:
        return failing("fail_watch", one_of(kAnswers), 1 + numbers_.below(3));
      case 6:
        return failing("fail_list", one_of(kAnswers), 1 + numbers_.below(3));
      case 7:
        return late();
      default:
        return outage();
    }
  }

  Action failing(const char* name, const char* how, std::int64_t times) {
    sim::FaultSketch fault{.name = name, .as = fault_name(), .times = times};
    fault.parameters["answer"] = std::string(how);
    return FaultAction{std::move(fault)};
  }

  Action late() {
    sim::FaultSketch fault{.name = "delay", .as = fault_name(), .times = 3};
    fault.parameters["by"] = runtime::Duration(milliseconds(1 + numbers_.below(2'500)));
    return FaultAction{std::move(fault)};
  }

  /// No server listens for a while, or again.
  Action outage() {
    out_ = !out_;
    return out_ ? Action(FaultAction{{.name = "refuse_connections"}})
                : Action(HealAction{"refuse_connections"});
  }

  std::string fault_name() {
    lasting_.push_back(fmt::format("fault_{}", lasting_.size()));
    return lasting_.back();
  }

  void heal_everything() {
    Step step;
    step.after = milliseconds(1 + numbers_.below(100'000));
    for (const std::string& fault : lasting_) {
      step.actions.emplace_back(HealAction{fault});
    }
    if (out_) {
      step.actions.emplace_back(HealAction{"refuse_connections"});
    }
    for (const std::string& client : waiting_) {
      step.actions.emplace_back(StartAction{client});
    }
    if (!step.actions.empty()) {
      scenario_.script.push_back(std::move(step));
    }
  }

  sim::RandomNumbers numbers_;
  Scenario scenario_;
  std::set<std::string> alive_;       // objects that the server has
  std::set<std::string> waiting_;     // clients that have not started
  std::vector<std::string> absent_;   // handlers of shared informers that have not come
  std::vector<std::string> present_;  // and those that have not gone
  int handler_steps_ = 0;
  std::vector<std::string> lasting_;  // faults that the end heals
  int turn_ = 0;
  bool out_ = false;
};

}  // namespace

Scenario generate_story(std::uint64_t seed) { return Generator(seed).generate(); }

}  // namespace watchlab::scenarios
