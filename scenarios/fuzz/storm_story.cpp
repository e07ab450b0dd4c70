#include <fmt/format.h>

#include <array>
#include <string>
#include <utility>

#include "scenarios/fuzz/story_draft.hpp"
#include "scenarios/fuzz/story_generator.hpp"
#include "sim/story/client_kinds.hpp"

namespace watchlab::scenarios {
namespace {

using std::chrono::milliseconds;

constexpr std::array<const char*, 3> kStormNames{"apple", "birch", "cedar"};
constexpr std::array<const char*, 2> kStormNamespaces{"default", "garden"};
/// Long enough for pauses to grow beyond what a reflector may rest.
constexpr runtime::Duration kLongOutage = std::chrono::minutes(11);
/// A reflector asks for pages of 500.
constexpr std::int64_t kMoreThanAPage = 501;

class Storm : private StoryDraft {
 public:
  explicit Storm(std::uint64_t seed) : StoryDraft("storm", seed) {}

  Scenario generate() {
    scenario_.server.namespaces.emplace_back(kStormNamespaces.at(1));
    if (one_in(40)) {
      list_in_pages();
    }
    for (std::uint32_t i = numbers_.below(4); i > 0; --i) {
      add_object(fmt::format("default/{}", kStormNames.at(i - 1)));
    }
    draw_client("one");
    if (one_in(3)) {
      draw_client("two");
    }
    for (std::uint32_t i = 3 + numbers_.below(12); i > 0; --i) {
      draw_step();
    }
    end_well();
    return finished();
  }

 private:
  /// The first list is refused as too old, so the next one asks for the newest state, in pages.
  void list_in_pages() {
    scenario_.server.bulk_objects = kMoreThanAPage + numbers_.below(50);
    Step step;
    step.actions.push_back(expire_lists(1));
    if (one_in(2)) {
      step.actions.push_back(expire_lists(1 + numbers_.below(2), true));
    }
    add(std::move(step));
  }

  void add_labels(sim::ObjectSketch& object) override {
    object.labels["colour"] = one_in(2) ? "red" : "blue";
    object.labels["size"] = one_in(2) ? "small" : "large";
  }

  bool deletes() override { return !one_in(2); }

  void draw_client(const std::string& name) {
    sim::StoryClientOptions client;
    client.name = name;
    constexpr std::array<sim::ClientKind, 8> kinds{
        sim::ClientKind::Informer,   sim::ClientKind::Shared, sim::ClientKind::Program,
        sim::ClientKind::Shared,     sim::ClientKind::Fifo,   sim::ClientKind::Store,
        sim::ClientKind::Controller, sim::ClientKind::Fifo};
    client.kind = pick(kinds);
    if (one_in(8)) {
      client.namespace_ = one_in(2) ? kStormNamespaces.at(1) : "meadow";  // where no task writes
    }
    // Half an hour of resyncs of bulk objects are millions of steps.
    if (one_in(4) && scenario_.server.bulk_objects == 0) {
      client.resync = milliseconds(1'000 + 7 * numbers_.below(1'000));
    }
    if (traits_of(client.kind).handlers == sim::HandlerCount::AnyNumber) {
      draw_handlers(client);
    } else {
      draw_pace(client);
    }
    add_client(std::move(client));
  }

  /// How long the client's work on a delivery may take. A resync must not outrun that work.
  runtime::Duration pace(const sim::StoryClientOptions& client) {
    const bool crowded = scenario_.server.bulk_objects > 0;
    constexpr std::array<std::uint32_t, 4> paces{20, 150, 900, 3'000};
    const std::uint32_t slowest =
        client.resync > runtime::Duration::zero() ? paces.front() : pick(paces);
    return crowded || one_in(3) ? runtime::Duration::zero() : up_to(slowest);
  }

  void draw_pace(sim::StoryClientOptions& client) {
    const sim::ClientTraits& traits = traits_of(client.kind);
    if (traits.has_work_queue) {
      client.takes = pace(client);
      client.workers = 1 + numbers_.below(3);
      client.drains = one_in(3);
    } else if (traits.handlers == sim::HandlerCount::One) {
      client.handlers.push_back({.name = client.name + "_handler", .takes = pace(client)});
    } else {
      client.pause = pace(client);
    }
    if (traits.has_workers && traits.pauses) {
      // Slow enough, mostly, for several keys to wait.
      client.pause = one_in(2) && scenario_.server.bulk_objects == 0
                         ? milliseconds(800) + up_to(2'500)
                         : client.pause;
      client.workers = 1 + numbers_.below(2);
    }
    client.failures = traits.can_fail && one_in(3) ? 1 + numbers_.below(3) : 0;
  }

  void draw_handlers(sim::StoryClientOptions& client) {
    client.runs_twice = one_in(6);
    for (std::uint32_t i = 0, count = 1 + numbers_.below(3); i < count; ++i) {
      sim::StoryHandlerOptions handler;
      handler.name = fmt::format("{}_handler{}", client.name, i);
      handler.takes = pace(client);
      handler.starts_later = i > 0 && one_in(2);
      if (one_in(6)) {
        handler.panics = 1 + numbers_.below(4);
      }
      // Only if its informer has one, else no task ever looks whether it is due.
      if (client.resync > runtime::Duration::zero() && one_in(2)) {
        handler.resync = one_in(2) ? runtime::Duration::zero() : up_to(15'000);
      }
      add_handler(client, std::move(handler));
    }
  }

  void draw_step() {
    Step step;
    constexpr std::array<std::uint32_t, 4> spans{3, 60, 900, 3'000};
    step.after = up_to(pick(spans));
    for (std::uint32_t i = 1 + numbers_.below(5); i > 0; --i) {
      step.actions.push_back(write_to_any());
    }
    if (one_in(2)) {
      break_off(step);
      for (std::uint32_t i = numbers_.below(3); i > 0; --i) {
        step.actions.push_back(write_to_any());
      }
    }
    if (!outside_.empty() && one_in(3)) {
      join(step);
    } else if (!inside_.empty() && one_in(4)) {
      leave(step);
    }
    add(std::move(step));
  }

  /// Ends watches now; mostly so that a list must follow.
  void break_off(Step& step) {
    switch (numbers_.below(6)) {
      case 0:
      case 1:
        step.actions.push_back(expire_streams());
        break;
      case 2:
        step.actions.emplace_back(FaultAction{{.name = "cut_watch"}});
        step.actions.emplace_back(FaultAction{{.name = "evict_watch_window"}});
        break;
      case 3:
        step.actions.emplace_back(FaultAction{{.name = "restart_server"}});
        break;
      case 4:
        step.actions.push_back(expire_lists(1 + numbers_.below(2)));
        step.actions.push_back(expire_streams());
        break;
      default:
        step.actions.emplace_back(FaultAction{{.name = one_in(2) ? "close_watch" : "cut_watch"}});
        break;
    }
  }

  /// A fault that the end heals.
  Action lasting(sim::FaultSketch sketch) {
    sketch.as = fmt::format("fault_{}", lasting_.size());
    lasting_.push_back(sketch.as);
    return FaultAction{std::move(sketch)};
  }

  /// So many lists are refused as too old; always, or where the schedule chooses so.
  Action expire_lists(std::int64_t times, bool choice = false) {
    return lasting({.name = "fail_list",
                    .times = times,
                    .parameters = {{"answer", std::string("expired")}},
                    .choice = choice});
  }

  Action write_to_any() {
    const char* const name = pick(kStormNames);
    return write(fmt::format("{}/{}", kStormNamespaces.at(one_in(4) ? 1 : 0), name));
  }

  /// No client reaches the server any more.
  void be_away() {
    Step step;
    step.after = up_to(1'000);
    step.actions.push_back(lasting({.name = "refuse_connections"}));
    step.actions.emplace_back(FaultAction{{.name = "cut_watch"}});
    add(std::move(step));
  }

  /// Heals, and in some stories ends a client while much is still queued.
  void end_well() {
    const bool lasts = one_in(8);
    if (lasts) {
      be_away();
    }
    Step step;
    step.after = lasts ? kLongOutage : up_to(one_in(2) ? 5 : 5'000);
    if (one_in(4)) {
      for (std::uint32_t i = 1 + numbers_.below(4); i > 0; --i) {
        Step burst;
        burst.after = milliseconds(2);
        burst.actions.push_back(write_to_any());
        add(std::move(burst));
      }
      step.actions.emplace_back(StopAction{"one"});
    }
    add_last(std::move(step));
  }
};

}  // namespace

Scenario storm_story(std::uint64_t seed) { return Storm(seed).generate(); }

}  // namespace watchlab::scenarios
