#include "sim/faults/nameless_error.hpp"

#include "core/watch/event_json.hpp"
#include "sim/faults/event_fault.hpp"

namespace watchlab::sim {

namespace {

std::string without_kind(std::string text) {
  constexpr std::string_view kKind = R"("kind":"Status",)";
  if (const std::size_t place = text.find(kKind); place != std::string::npos) {
    text.erase(place, kKind.size());
  }
  return text;
}

class NamelessError : public EventFault {
 private:
  Verdict on_event(const Passage& /*passage*/, const watch::Event& event) override {
    return event.type == watch::EventType::Error
               ? Verdict(Rewrite{{undecodable_event("Object 'Kind' is missing")},
                                 without_kind(watch::to_json(event))})
               : Verdict(Pass{});
  }
};

}  // namespace

FaultEntry nameless_error() {
  return {.name = "nameless_error",
          .numbers = {35},
          .doc =
              "An ERROR event carries a Status without a kind: clients cannot see what it says, "
              "not even a 410.",
          .legality = Legality::Illegal,
          .parameters = {},
          .make = [](const FaultParameters&) -> std::unique_ptr<Fault> {
            return std::make_unique<NamelessError>();
          }};
}

}  // namespace watchlab::sim
