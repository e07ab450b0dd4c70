#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "core/api/error.hpp"
#include "sim/faults/fault.hpp"
#include "sim/record/vocabulary.hpp"

namespace watchlab::sim {

// The ways in which a request can fail.

/// "refused", "reset", "expired", "too_many" and so on, in a fixed order.
[[nodiscard]] std::vector<std::string_view> failure_words();
/// The failure for an answer or its word, with the Status that a real server would send.
[[nodiscard]] std::optional<api::Error> failure_for(AnswerKind answer);
[[nodiscard]] std::optional<api::Error> failure_for(std::string_view word);
/// How a failure is recorded.
[[nodiscard]] AnswerKind answer_kind_of(const api::Error& error);

// What the families of faults make their effects of.

/// For `FaultEntry::make`: an effect of this class, made from the parameters if it takes any.
template <typename Effect>
[[nodiscard]] std::unique_ptr<Fault> make_effect(const FaultParameters& given) {
  if constexpr (std::is_constructible_v<Effect, const FaultParameters&>) {
    return std::make_unique<Effect>(given);
  } else {
    return std::make_unique<Effect>();
  }
}

/// "requests", "answers", "events" and "ends": the messages at a stage.
[[nodiscard]] std::optional<Stage> stage_named(std::string_view messages);
/// Calls `evaluate` for the messages at this stage; everything else passes.
[[nodiscard]] std::unique_ptr<Fault> fault_at(
    Stage stage, std::function<Verdict(const MessageContext&)> evaluate);
/// Gives each message at this stage the same verdict; everything else passes.
[[nodiscard]] std::unique_ptr<Fault> fault_at(Stage stage, Verdict verdict);
/// Changes the bytes of each message at this stage. `how` outlives the fault.
[[nodiscard]] std::unique_ptr<Fault> distort_at(Stage stage, std::function<void(WireMessage&)> how);

/// Evaluates events only; everything else passes.
class EventFault : public Fault {
 public:
  Verdict evaluate(const MessageContext& context) final {
    return context.stage == Stage::Frame ? on_event(context, *context.event) : Verdict(Pass{});
  }

 private:
  virtual Verdict on_event(const MessageContext& context, const watch::Event& event) = 0;
};

/// Whether the event is about an object, and not a bookmark or an error.
[[nodiscard]] bool is_change(const watch::Event& event);
/// An ERROR event with this status.
[[nodiscard]] watch::Event error_event(api::Status status);

}  // namespace watchlab::sim
