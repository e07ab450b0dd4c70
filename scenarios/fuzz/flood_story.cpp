#include <fmt/format.h>

#include <array>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "scenarios/fuzz/story_draft.hpp"
#include "scenarios/fuzz/story_generator.hpp"
#include "sim/story/client_kinds.hpp"

namespace watchlab::scenarios {
namespace {

using std::chrono::milliseconds;

constexpr std::array<const char*, 4> kFloodNames{"apple", "birch", "cedar", "dahlia"};
constexpr runtime::Duration kDryWithin = std::chrono::minutes(30);
/// A list comes at least 800 ms after the watch that broke off; who takes longer still has a queue.
constexpr runtime::Duration kSlowAtLeast = milliseconds(700);
constexpr std::uint32_t kSlowerBy = 1'500;
/// Longer than all objects together keep a slow client busy, and in no step with a story that looks
/// every 65 s whether it is quiet.
constexpr std::array<milliseconds, 3> kSlowResyncs{milliseconds(13'537), milliseconds(15'277),
                                                   milliseconds(17'389)};

class Flood : private StoryDraft {
 public:
  explicit Flood(std::uint64_t seed) : StoryDraft("flood", seed) {}

  Scenario generate() {
    for (std::uint32_t i = numbers_.below(kFloodNames.size() + 1); i > 0; --i) {
      scenario_.server.objects.push_back(sketch(kFloodNames.at(i - 1)));
      alive_.insert(kFloodNames.at(i - 1));
    }
    add_client("one");
    if (one_in(5)) {
      add_client("two");
    }
    for (std::uint32_t i = 3 + numbers_.below(8); i > 0; --i) {
      add_wave();
    }
    end_well();
    scenario_.within = length_ + kDryWithin;
    return std::move(scenario_);
  }

 private:
  sim::ObjectSketch sketch(const std::string& name) {
    sim::ObjectSketch object;
    object.name = name;
    object.data["turn"] = std::to_string(++turn_);
    return object;
  }

  void add_client(const std::string& name) {
    sim::StoryClientOptions client;
    client.name = name;
    constexpr std::array<sim::ClientKind, 8> kinds{
        sim::ClientKind::Informer, sim::ClientKind::Informer,  sim::ClientKind::Informer,
        sim::ClientKind::Fifo,     sim::ClientKind::Fifo,      sim::ClientKind::Shared,
        sim::ClientKind::Shared,   sim::ClientKind::Controller};
    client.kind = kinds.at(numbers_.below(kinds.size()));
    const runtime::Duration slow = kSlowAtLeast + up_to(kSlowerBy);
    const sim::ClientTraits& traits = traits_of(client.kind);
    if (traits.handlers == sim::HandlerCount::AnyNumber) {
      add_handlers(client);
    } else if (traits.has_work_queue) {
      client.takes = one_in(4) ? up_to(20) : slow;
      client.workers = 1 + numbers_.below(3);
      client.drains = one_in(3);
      client.failures = one_in(3) ? 1 + numbers_.below(6) : 0;
    } else if (traits.pauses) {
      client.pause = slow;
      client.workers = 1 + numbers_.below(2);
      client.failures = one_in(6) ? 1 + numbers_.below(2) : 0;
    } else {
      client.handlers.push_back({.name = client.name + "_handler", .takes = slow});
      if (one_in(3)) {
        client.resync = kSlowResyncs.at(numbers_.below(kSlowResyncs.size()));
      }
      client.failures = one_in(8) ? 1 : 0;
    }
    scenario_.clients.push_back(std::move(client));
  }

  /// One that is there from the start, and several that join when much happens.
  void add_handlers(sim::StoryClientOptions& client) {
    const bool resyncs = one_in(3);
    client.resync = resyncs ? milliseconds(1'000) + up_to(2'000) : runtime::Duration::zero();
    for (std::uint32_t i = 0, count = 2 + numbers_.below(4); i < count; ++i) {
      sim::StoryHandlerOptions handler;
      handler.name = fmt::format("{}_handler{}", client.name, i);
      handler.takes = resyncs || one_in(2) ? runtime::Duration::zero() : up_to(900);
      if (resyncs && one_in(2)) {
        handler.resync = one_in(3) ? runtime::Duration::zero() : up_to(one_in(2) ? 900 : 6'000);
      }
      handler.starts_later = i > 0;
      if (handler.starts_later) {
        outside_.push_back(handler.name);
      }
      client.handlers.push_back(std::move(handler));
    }
  }

  /// Changes, and perhaps a watch that breaks off while more of them come.
  void add_wave() {
    Step step;
    constexpr std::array<std::uint32_t, 4> spans{20, 300, 1'500, 9'000};
    step.after = up_to(spans.at(numbers_.below(spans.size())));
    write(step, 1 + numbers_.below(5));
    if (one_in(3)) {
      break_off(step);
      write(step, numbers_.below(5));
    }
    if (!outside_.empty() && one_in(2)) {
      step.actions.emplace_back(AddHandlerAction{outside_.back()});
      inside_.push_back(outside_.back());
      outside_.pop_back();
      write(step, numbers_.below(2));
    } else if (!inside_.empty() && one_in(5)) {
      step.actions.emplace_back(RemoveHandlerAction{inside_.back()});
      inside_.pop_back();
    }
    add(std::move(step));
  }

  void break_off(Step& step) {
    if (one_in(4)) {
      step.actions.emplace_back(FaultAction{{.name = one_in(2) ? "close_watch" : "cut_watch"}});
    } else if (one_in(3)) {
      step.actions.emplace_back(FaultAction{{.name = "cut_watch"}});
      step.actions.emplace_back(FaultAction{{.name = "evict_watch_window"}});
    } else {
      step.actions.emplace_back(
          FaultAction{{.name = "fail_stream", .parameters = {{"answer", std::string("expired")}}}});
    }
  }

  void write(Step& step, std::uint32_t times) {
    for (; times > 0; --times) {
      step.actions.push_back(change());
    }
  }

  Action change() {
    const std::string name = kFloodNames.at(numbers_.below(kFloodNames.size()));
    if (alive_.insert(name).second) {
      return CreateAction{sketch(name)};
    }
    if (!one_in(3)) {
      return UpdateAction{sketch(name)};
    }
    alive_.erase(name);
    return DeleteAction{{.name = name}};
  }

  /// Some are ended while much is still queued.
  void end_well() {
    if (one_in(3)) {
      Step step;
      step.after = up_to(one_in(2) ? 5 : 3'000);
      write(step, numbers_.below(4));
      step.actions.emplace_back(StopAction{"one"});
      add(std::move(step));
    }
  }

  std::set<std::string> alive_;       // objects that the server has
  std::vector<std::string> outside_;  // handlers that can join
  std::vector<std::string> inside_;   // handlers that have joined, and can leave
  int turn_ = 0;
};

}  // namespace

Scenario flood_story(std::uint64_t seed) { return Flood(seed).generate(); }

}  // namespace watchlab::scenarios
