#pragma once

#include <cstdint>
#include <set>
#include <span>
#include <vector>

#include "sim/explore/dfs_strategy.hpp"
#include "sim/explore/event_log.hpp"
#include "sim/explore/happens_before.hpp"
#include "sim/kernel/mix.hpp"

namespace watchlab::sim {

/// Names the class of a run: its events and what each of them knows of those before it, in whatever
/// order they came. The same for all strategies.
[[nodiscard]] inline std::uint64_t class_digest(const EventLog& log, const HappensBefore& order) {
  std::uint64_t digest = 0;
  for (std::uint32_t i = 0; i < log.events().size(); ++i) {
    const Event& event = log.events()[i];
    std::uint64_t own = mix(log.actors().digest(event.actor), event.index);
    own = mix(own, static_cast<std::uint64_t>(event.kind));
    for (const std::uint32_t value : log.labels()[event.label]) {
      own = mix(own, value + 1);
    }
    std::uint64_t known = 0;
    const std::span<const std::uint32_t> counts = order.clock(i);
    for (std::uint32_t actor = 0; actor < counts.size(); ++actor) {
      known += counts[actor] == 0 ? 0 : mix(log.actors().digest(actor), counts[actor]);
    }
    digest += mix(own, known);
  }
  return digest;
}

/// Brute force that counts how many of its runs differ in more than the order of independent steps.
class ClassCount final : public Strategy {
 public:
  [[nodiscard]] bool prepare(std::size_t run) override { return all_.prepare(run); }
  void begin(const Scheduler& scheduler) override {
    order_.truncate(log_, 0);
    log_.truncate(0);
    log_.begin(scheduler, 0);
    all_.begin(scheduler);
  }
  [[nodiscard]] bool asks_for_single_actor() const override { return true; }
  [[nodiscard]] bool observes() const override { return true; }
  [[nodiscard]] std::uint32_t choose(const Choice& choice) override {
    if (choice.options == 1 && choice.kind == ChoiceKind::Advance) {
      return 0;
    }
    if (choice.kind == ChoiceKind::Actor) {
      log_.settle();
      return all_.choose(choice);
    }
    const std::uint32_t index = all_.choose(choice);
    std::uint32_t value = 0;
    while (canonical_index(choice, value) != index) {
      ++value;
    }
    log_.chosen(value, choice.options);
    return index;
  }
  void executed(const Actor& actor) override { log_.executed(actor); }
  void retired(const Actor& timer) override { log_.retired(timer); }
  void idle() override { log_.idle(); }
  void end(const RunResult& /*result*/) override {
    log_.close();
    std::vector<Race> races;
    order_.extend(log_, races);
    classes_.insert(class_digest(log_, order_));
  }

  [[nodiscard]] std::size_t count() const { return classes_.size(); }

 private:
  DfsStrategy all_{{.iterative = false}};
  EventLog log_;
  HappensBefore order_;
  std::set<std::uint64_t> classes_;
};

}  // namespace watchlab::sim
