#include "sim/faults/wrong_kind.hpp"

#include <utility>

#include "sim/faults/event_fault.hpp"

namespace watchlab::sim {

namespace {

class WrongKind : public EventFault {
 public:
  explicit WrongKind(const FaultParameters& parameters) : kind_(parameters.text("kind")) {}

 private:
  Verdict on_event(const Passage& /*passage*/, const watch::Event& event) override {
    if (!is_change(event)) {
      return Pass{};
    }
    api::Object object = *event.object;
    object.kind = kind_;
    return Rewrite{{{event.type, std::make_shared<const api::Object>(std::move(object)), nullptr}}};
  }

  std::string kind_;
};

}  // namespace

FaultEntry wrong_kind() {
  return {.name = "wrong_kind",
          .numbers = {36},
          .doc = "Events carry objects of another kind than the watched one.",
          .legality = Legality::Illegal,
          .parameters = {{"kind", ParameterKind::Text, "Pod", "Which kind they say they are."}},
          .make = [](const FaultParameters& given) -> std::unique_ptr<Fault> {
            return std::make_unique<WrongKind>(given);
          }};
}

}  // namespace watchlab::sim
