#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string>
#include <utility>
#include <vector>

#include "scenarios/fuzz/story_draft.hpp"
#include "scenarios/fuzz/story_generator.hpp"
#include "scenarios/fuzz/swarm_faults.hpp"
#include "sim/story/client_kinds.hpp"

namespace watchlab::scenarios {
namespace {

using std::chrono::milliseconds;

constexpr std::array<const char*, 5> kSwarmNames{"apple", "birch", "cedar", "dahlia", "elm"};
constexpr std::array<const char*, 3> kClientNames{"one", "two", "three"};
constexpr std::array<const char*, 2> kColours{"red", "blue"};

/// A handler's or worker's pace that resyncs cannot outrun.
constexpr std::uint32_t kBrisk = 40;
/// Seeds that these divide are storms, and of those again floods.
constexpr std::uint64_t kOneStormIn = 2;
constexpr std::uint64_t kOneFloodIn = 4;
/// How many stories, storms among them but no floods, there are for each that is played in bytes.
constexpr std::uint64_t kOneWireIn = 11;
/// The first seeds are about ConfigMaps.
constexpr std::uint64_t kPlainSeeds = 2'000;
constexpr std::uint64_t kOneVariedIn = 3;

class SwarmGenerator : private StoryDraft {
 public:
  explicit SwarmGenerator(std::uint64_t seed) : StoryDraft("story", seed) {}

  Scenario generate() {
    add_servers();
    selective_ = one_in(4);
    for (std::uint32_t i = numbers_.below(5); i > 0; --i) {
      add_object(kSwarmNames.at(i));
    }
    std::vector<std::string> names;
    for (std::uint32_t i = 0, count = 1 + numbers_.below(3); i < count; ++i) {
      names.emplace_back(kClientNames.at(i));
      draw_client(names.back());
    }
    SwarmFaults faults(numbers_, servers_, names);
    for (std::uint32_t steps = 2 + numbers_.below(20); steps > 0; --steps) {
      draw_step(faults);
    }
    add_last({.after = up_to(60'000)});
    return finished();
  }

 private:
  void add_servers() {
    servers_ = one_in(3) ? 2 + numbers_.below(2) : 1;
    if (servers_ > 1) {
      scenario_.server.replicas.resize(servers_);
      for (sim::StoryReplicaOptions& replica : scenario_.server.replicas) {
        replica.lag = one_in(2) ? runtime::Duration::zero() : up_to(3'000);
      }
    }
    if (one_in(3)) {
      scenario_.server.watch_window = 1 + numbers_.below(8);
    }
  }

  void add_labels(sim::ObjectSketch& object) override {
    if (selective_) {
      object.labels["colour"] = pick(kColours);
    }
  }

  void draw_client(const std::string& name) {
    sim::StoryClientOptions client;
    client.name = name;
    constexpr std::array<sim::ClientKind, 6> kinds{
        sim::ClientKind::Informer, sim::ClientKind::Informer,   sim::ClientKind::Program,
        sim::ClientKind::Shared,   sim::ClientKind::Controller, sim::ClientKind::Shared};
    client.kind = pick(kinds);
    client.replica = numbers_.below(servers_);
    if (one_in(4)) {
      client.resync = one_in(2) ? milliseconds(30'000 + 7 * numbers_.below(10'000))
                                : milliseconds(2'000 + 7 * numbers_.below(1'000));
    }
    if (selective_ && one_in(2)) {
      client.label_selector = fmt::format("colour={}", pick(kColours));
    }
    draw_pace(client);
    client.starts_later = one_in(4);
    draw_twin(client);
    add_client(std::move(client));
  }

  /// How long those take who work on what the client receives.
  void draw_pace(sim::StoryClientOptions& client) {
    const bool resyncs = client.resync > runtime::Duration::zero();
    const std::uint32_t slowest = resyncs ? kBrisk : one_in(3) ? 4'000 : 300;
    const auto pace = [&] { return one_in(2) ? runtime::Duration::zero() : up_to(slowest); };
    const sim::ClientTraits& traits = traits_of(client.kind);
    if (traits.pauses) {
      client.pause = std::min<runtime::Duration>(pace(), milliseconds(150));
    } else if (traits.has_work_queue) {
      client.takes = pace();
      client.workers = 1 + numbers_.below(3);
      client.failures = one_in(3) ? 1 + numbers_.below(3) : 0;
    } else if (traits.handlers == sim::HandlerCount::One) {
      client.handlers.push_back({.name = client.name + "_handler", .takes = pace()});
    } else {
      for (std::uint32_t i = 0, count = 1 + numbers_.below(3); i < count; ++i) {
        sim::StoryHandlerOptions handler;
        handler.name = fmt::format("{}_handler{}", client.name, i);
        handler.takes = pace();
        handler.starts_later = one_in(3);
        if (!handler.starts_later) {
          inside_.push_back(handler.name);
        }
        add_handler(client, std::move(handler));
      }
    }
  }

  /// The same program, started again: another client with the same options, at any of the servers.
  void draw_twin(const sim::StoryClientOptions& client) {
    if (!one_in(4) || client.starts_later) {
      return;
    }
    sim::StoryClientOptions twin = client;
    twin.name = client.name + "_again";
    twin.starts_later = true;
    twin.replica = numbers_.below(servers_);
    for (sim::StoryHandlerOptions& handler : twin.handlers) {
      handler.name += "_again";
      handler.starts_later = false;
    }
    twins_.push_back(client.name);
    scenario_.clients.push_back(std::move(twin));
  }

  void draw_step(SwarmFaults& faults) {
    Step step;
    // From nearly at once to longer than a watch lives before it counts as a long one.
    constexpr std::array<std::uint32_t, 4> spans{50, 900, 3'000, 40'000};
    step.after = up_to(pick(spans));
    for (std::uint32_t i = 1 + numbers_.below(4); i > 0; --i) {
      if (one_in(3)) {
        step.actions.push_back(fault(faults));
      } else {
        serve_again(step);
        step.actions.push_back(write(pick(kSwarmNames)));
      }
    }
    draw_comings(step);
    if (!lasting_.empty() && one_in(3)) {
      const std::size_t which = numbers_.below(static_cast<std::uint32_t>(lasting_.size()));
      step.actions.emplace_back(HealAction{lasting_[which]});
      lasting_.erase(lasting_.begin() + static_cast<std::ptrdiff_t>(which));
    }
    add(std::move(step));
  }

  /// Clients and handlers that come, go, or are restarted.
  void draw_comings(Step& step) {
    maybe_start(step);
    if (!twins_.empty() && one_in(6)) {
      step.actions.emplace_back(StopAction{twins_.back()});
      step.actions.emplace_back(StartAction{twins_.back() + "_again"});
      forget_handlers_of(twins_.back());
      twins_.pop_back();
    }
    if (!outside_.empty() && one_in(3)) {
      join(step);
    }
    if (inside_.size() > 1 && one_in(6)) {
      leave(step);
    }
  }

  void forget_handlers_of(const std::string& client) {
    const auto is_its = [&](const std::string& handler) {
      return handler.starts_with(client + "_handler");
    };
    std::erase_if(outside_, is_its);
    std::erase_if(inside_, is_its);
  }

  /// No task can write to a collection that is not served.
  void serve_again(Step& step) {
    for (const std::string& name : withdrawals_) {
      if (std::erase(lasting_, name) > 0) {
        step.actions.emplace_back(HealAction{name});
      }
    }
    withdrawals_.clear();
  }

  Action fault(SwarmFaults& faults) {
    DrawnFault drawn = faults.draw(fmt::format("fault_{}", faults_));
    ++faults_;
    if (drawn.sketch.name == "withdraw_resource") {
      withdrawals_.push_back(drawn.sketch.as);
    }
    if (drawn.lasts) {
      lasting_.push_back(drawn.sketch.as);
    }
    return FaultAction{std::move(drawn.sketch)};
  }

  std::uint32_t servers_ = 1;
  bool selective_ = false;                // objects have labels, and some clients a selector
  std::vector<std::string> twins_;        // clients that can be restarted
  std::vector<std::string> withdrawals_;  // lasting faults that keep the script from writing
  int faults_ = 0;
};

}  // namespace

Scenario swarm_story(std::uint64_t seed) {
  const bool floods = seed % kOneFloodIn == 0;
  Scenario story = floods                    ? flood_story(seed)
                   : seed % kOneStormIn == 0 ? storm_story(seed)
                                             : SwarmGenerator(seed).generate();
  if (!floods) {
    story = labelled_story(std::move(story), seed);
    story = with_stores(std::move(story), seed);
    story = has_long_outage(seed) ? with_long_outage(std::move(story), seed) : story;
  }
  if (seed > kPlainSeeds && seed % kOneVariedIn == 0) {
    story = varied_story(std::move(story), seed);
  }
  return seed % kOneWireIn == 0 && !floods ? over_the_wire(std::move(story), seed) : story;
}

}  // namespace watchlab::scenarios
