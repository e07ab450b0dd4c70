#pragma once

#include <cstdint>
#include <set>
#include <vector>

#include "sim/explore/dfs_strategy.hpp"
#include "sim/explore/event_log.hpp"
#include "sim/explore/happens_before.hpp"

namespace watchlab::sim {

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
    classes_.insert(order_.class_digest(log_));
  }

  [[nodiscard]] std::size_t count() const { return classes_.size(); }

 private:
  DfsStrategy all_{{.iterative = false}};
  EventLog log_;
  HappensBefore order_;
  std::set<std::uint64_t> classes_;
};

}  // namespace watchlab::sim
