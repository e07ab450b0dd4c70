#pragma once

#include <cstddef>
#include <cstdint>

#include "core/runtime/time.hpp"
#include "sim/kernel/mix.hpp"
#include "sim/kernel/sim_object.hpp"
#include "sim/kernel/strategy.hpp"

namespace watchlab::sim {

/// What has happened in a run so far, as one number and two counts. Every decision, step, time and
/// note is folded in, so two runs with the same digest went the same way. Only what is the same on
/// every platform goes in: identities, kinds, indices, virtual time; never an address or a source
/// line. Nothing in the kernel depends on it.
class RunDigest {
 public:
  void feed(std::uint64_t word) { value_ = mix(value_, word); }
  /// Somebody was chosen to go next. The answer itself is not folded in, because the following step
  /// contains it.
  void decided(std::uint32_t options) {
    ++decisions_;
    feed(options);
  }
  /// Another choice was made.
  void chose(ChoiceKind kind, std::uint32_t options, std::uint32_t index) {
    feed(options);
    feed(static_cast<std::uint64_t>(kind) << 32U | index);
  }
  /// The actor is about to perform its pending operation.
  void stepped(const Actor& actor) {
    ++steps_;
    const SimObject* const object = actor.pending().object;
    feed(actor.digest() + static_cast<std::uint64_t>(actor.pending().kind));
    feed(object != nullptr ? object->identity().digest : 0);
  }
  void reached(runtime::TimePoint now) {
    feed(static_cast<std::uint64_t>(now.time_since_epoch().count()));
  }

  [[nodiscard]] std::uint64_t value() const { return value_; }
  [[nodiscard]] std::size_t steps() const { return steps_; }
  /// Decisions about who goes next among two or more.
  [[nodiscard]] std::size_t decisions() const { return decisions_; }

 private:
  std::uint64_t value_ = 0;
  std::size_t steps_ = 0;
  std::size_t decisions_ = 0;
};

}  // namespace watchlab::sim
