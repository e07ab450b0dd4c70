#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "sim/explore/random_numbers.hpp"
#include "sim/explore/strategy_decorator.hpp"

namespace watchlab::sim {

/// A stretch of a run in which one actor takes all steps. It says nothing about the others, so that
/// segments can be reordered and left out and the rest of them still means something.
struct Segment {
  std::uint64_t actor = 0;  ///< the digest of the actor's identity
  /// The actor stops before its operation of this ordinal (see `Actor::operations`), or earlier,
  /// where it has to wait.
  std::uint32_t until = 0;
  bool interrupted = false;  ///< whether the actor could have continued there
};

using Segments = std::vector<Segment>;

/// The segments with one random change: some that follow each other stand elsewhere, one is left
/// out, or one is joined with the next one of its actor. In half of the results an actor that was
/// not interrupted continues for as long as it can, wherever it had to wait before.
[[nodiscard]] Segments changed(Segments segments, RandomNumbers& numbers);

/// Passes everything on to another strategy and notes in which segments the run goes.
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

/// Plays segments in their order. One whose actor is blocked is left; after the last one every
/// actor continues while it can, as under `fifo`. Other decisions are made by another strategy.
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
