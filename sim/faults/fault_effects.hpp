#pragma once

#include <functional>
#include <memory>
#include <type_traits>
#include <utility>

#include "sim/faults/fault.hpp"

/// What the families of faults make their effects of.
namespace watchlab::sim {

/// For `FaultEntry::make`: an effect of that class, made from the parameters if it takes any.
template <typename Effect>
[[nodiscard]] std::unique_ptr<Fault> make_effect(const FaultParameters& given) {
  if constexpr (std::is_constructible_v<Effect, const FaultParameters&>) {
    return std::make_unique<Effect>(given);
  } else {
    return std::make_unique<Effect>();
  }
}

/// Asks `judge` about the messages at that stage; everything else passes.
[[nodiscard]] std::unique_ptr<Fault> fault_at(Stage stage,
                                              std::function<Verdict(const Passage&)> judge);
/// Says the same to each message at that stage; everything else passes.
[[nodiscard]] std::unique_ptr<Fault> fault_at(Stage stage, Verdict verdict);
/// Changes the bytes of each message at that stage. `how` is kept beyond the fault's own life.
[[nodiscard]] std::unique_ptr<Fault> distort_at(Stage stage, std::function<void(WireMessage&)> how);

/// Judges events only; everything else passes.
class EventFault : public Fault {
 public:
  Verdict judge(const Passage& passage) final {
    return passage.stage == Stage::Frame ? on_event(passage, *passage.event) : Verdict(Pass{});
  }

 private:
  virtual Verdict on_event(const Passage& passage, const watch::Event& event) = 0;
};

/// Whether the event tells of an object, not of a bookmark or an error.
[[nodiscard]] bool is_change(const watch::Event& event);
/// An ERROR event with that status.
[[nodiscard]] watch::Event error_event(api::Status status);

}  // namespace watchlab::sim
