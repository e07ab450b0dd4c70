#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "sim/explore/random_numbers.hpp"
#include "sim/explore/strategy_decorator.hpp"

namespace watchlab::sim {

/// A part of a run in which one actor takes all steps. It does not mention other actors, so that
/// segments can be reordered and removed and the rest still makes sense.
struct Segment {
  std::uint64_t actor = 0;  ///< the digest of the actor's identity
  /// The actor stops before its operation with this ordinal (see `Actor::operations`), or earlier
  /// if it has to wait.
  std::uint32_t until = 0;
  bool interrupted = false;  ///< whether the actor could have continued there
};

using Segments = std::vector<Segment>;

/// The segments with one random change: some consecutive ones are moved, one is removed, or one is
/// joined with the next one of its actor. In half of the results an actor that was not interrupted
/// continues for as long as it can, wherever it had to wait before.
[[nodiscard]] Segments changed(Segments segments, RandomNumbers& numbers);

/// Passes everything on to another strategy and records the segments of the run.
class SegmentRecorder final : public StrategyDecorator {
 public:
  using StrategyDecorator::StrategyDecorator;

  void begin(const Scheduler& scheduler) override;
  void executed(const Actor& actor) override;

  /// Those of the last run.
  [[nodiscard]] const Segments& segments() const { return segments_; }

 private:
  const Actor* last_ = nullptr;  ///< the task of the last segment, while it lives
  Segments segments_;
};

/// Plays segments in order. Leaves one whose actor is blocked; after the last one every actor
/// continues while it can, as under `fifo`. Another strategy makes the other decisions.
class SegmentStrategy final : public Strategy {
 public:
  /// `others` must outlive it.
  SegmentStrategy(Segments segments, Strategy& others)
      : segments_(std::move(segments)), others_(others) {}

  void begin(const Scheduler& scheduler) override;
  [[nodiscard]] std::uint32_t choose(const Choice& choice) override;

 private:
  Segments segments_;
  Strategy& others_;
  std::size_t cursor_ = 0;
};

}  // namespace watchlab::sim
