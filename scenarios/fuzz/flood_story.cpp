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

constexpr std::array<const char*, 4> kFloodNames{"apple", "birch", "cedar", "dahlia"};
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
      add_object(kFloodNames.at(i - 1));
    }
    draw_client("one");
    if (one_in(5)) {
      draw_client("two");
    }
    for (std::uint32_t i = 3 + numbers_.below(8); i > 0; --i) {
      draw_wave();
    }
    end_well();
    return finished();
  }

 private:
  void draw_client(const std::string& name) {
    sim::StoryClientOptions client;
    client.name = name;
    constexpr std::array<sim::ClientKind, 8> kinds{
        sim::ClientKind::Informer, sim::ClientKind::Informer,  sim::ClientKind::Informer,
        sim::ClientKind::Fifo,     sim::ClientKind::Fifo,      sim::ClientKind::Shared,
        sim::ClientKind::Shared,   sim::ClientKind::Controller};
    client.kind = pick(kinds);
    const runtime::Duration slow = kSlowAtLeast + up_to(kSlowerBy);
    const sim::ClientTraits& traits = traits_of(client.kind);
    if (traits.handlers == sim::HandlerCount::AnyNumber) {
      draw_handlers(client);
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
        client.resync = pick(kSlowResyncs);
      }
      client.failures = one_in(8) ? 1 : 0;
    }
    add_client(std::move(client));
  }

  /// One that is there from the start, and several that join when much happens.
  void draw_handlers(sim::StoryClientOptions& client) {
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
      add_handler(client, std::move(handler));
    }
  }

  /// Changes, and perhaps a watch that breaks off while more of them come.
  void draw_wave() {
    Step step;
    constexpr std::array<std::uint32_t, 4> spans{20, 300, 1'500, 9'000};
    step.after = up_to(pick(spans));
    write_some(step, 1 + numbers_.below(5));
    if (one_in(3)) {
      break_off(step);
      write_some(step, numbers_.below(5));
    }
    if (!outside_.empty() && one_in(2)) {
      join(step);
      write_some(step, numbers_.below(2));
    } else if (!inside_.empty() && one_in(5)) {
      leave(step);
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
      step.actions.push_back(expire_streams());
    }
  }

  void write_some(Step& step, std::uint32_t times) {
    for (; times > 0; --times) {
      step.actions.push_back(write(pick(kFloodNames)));
    }
  }

  /// Some are ended while much is still queued.
  void end_well() {
    if (one_in(3)) {
      Step step;
      step.after = up_to(one_in(2) ? 5 : 3'000);
      write_some(step, numbers_.below(4));
      step.actions.emplace_back(StopAction{"one"});
      add(std::move(step));
    }
  }
};

}  // namespace

Scenario flood_story(std::uint64_t seed) { return Flood(seed).generate(); }

}  // namespace watchlab::scenarios
