#include "core/api/options.hpp"
#include "core/watch/json_frame_decoder.hpp"
#include "sim/faults/fault_catalogue.hpp"
#include "sim/faults/fault_effects.hpp"

namespace watchlab::sim {

namespace {

/// What a client's decoder makes of bytes that are no event: an ERROR event with the code 500 and
/// the cause ClientWatchDecoding.
watch::Event undecodable_event(const std::string& why) {
  const std::string message = "unable to decode an event from the watch stream: " + why;
  api::Status status = api::failure(api::StatusReason::InternalError,
                                    "an error on the server has prevented the request from "
                                    "succeeding: " +
                                        message);
  status.details.causes.push_back({"UnexpectedServerResponse", message, ""});
  status.details.causes.push_back({"ClientWatchDecoding", message, ""});
  return error_event(std::move(status));
}

class EmptyEvent : public EventFault {
 private:
  Verdict on_event(const MessageContext& /*context*/, const watch::Event& event) override {
    return is_change(event) ? Verdict(Rewrite{{{event.type, nullptr, nullptr}}}) : Verdict(Pass{});
  }
};

class NamelessError : public EventFault {
 private:
  Verdict on_event(const MessageContext& /*context*/, const watch::Event& event) override {
    if (event.type != watch::EventType::Error) {
      return Pass{};
    }
    constexpr std::string_view kKind = R"("kind":"Status",)";
    std::string text = watch::to_json(event);
    if (const std::size_t place = text.find(kKind); place != std::string::npos) {
      text.erase(place, kKind.size());
    }
    return Rewrite{{undecodable_event("Object 'Kind' is missing")}, text};
  }
};

class UnknownEventType : public EventFault {
 private:
  Verdict on_event(const MessageContext& /*context*/, const watch::Event& event) override {
    const std::string text = watch::to_json(event);
    return Rewrite{{undecodable_event("got invalid watch event type: WHAT")},
                   R"({"type":"WHAT")" + text.substr(text.find(','))};
  }
};

class WrongKind : public EventFault {
 public:
  explicit WrongKind(const FaultParameters& parameters) : kind_(parameters.text("kind")) {}

 private:
  Verdict on_event(const MessageContext& /*context*/, const watch::Event& event) override {
    if (!is_change(event)) {
      return Pass{};
    }
    api::Object object = *event.object;
    object.kind = kind_;
    return Rewrite{{{event.type, std::make_shared<const api::Object>(std::move(object)), nullptr}}};
  }

  std::string kind_;
};

std::unique_ptr<Fault> garble_event(const FaultParameters& /*given*/) {
  return fault_at(Stage::Frame,
                  Rewrite{{undecodable_event("the bytes are no JSON")}, "no JSON at all"});
}

/// Changes the lists that the server answers; the code of the answer stays.
std::unique_ptr<Fault> list_fault(void (*change)(api::ObjectList&)) {
  return fault_at(Stage::Answer, [change](const MessageContext& context) -> Verdict {
    const auto* list = std::get_if<api::ObjectList>(&context.answer->answer);
    if (list == nullptr) {
      return Pass{};
    }
    api::ObjectList changed = *list;
    change(changed);
    return RewriteAnswer{{context.answer->code, std::move(changed)}};
  });
}

std::unique_ptr<Fault> empty_list(const FaultParameters& /*given*/) {
  return list_fault([](api::ObjectList& list) {
    list.items.clear();
    list.continue_token.clear();
    list.remaining_item_count.reset();
  });
}

std::unique_ptr<Fault> empty_list_revision(const FaultParameters& /*given*/) {
  return list_fault([](api::ObjectList& list) { list.resource_version.clear(); });
}

}  // namespace

std::vector<FaultEntry> content_faults() {
  return {
      {.name = "empty_event",
       .numbers = {37},
       .doc = "An event carries no object.",
       .legality = Legality::Illegal,
       .make = make_effect<EmptyEvent>},
      {.name = "empty_list",
       .numbers = {49},
       .doc = "Lists come without their items, so the client believes that every object is gone.",
       .legality = Legality::Illegal,
       .make = empty_list},
      {.name = "empty_list_revision",
       .numbers = {48},
       .doc = "Lists carry no revision.",
       .legality = Legality::Illegal,
       .make = empty_list_revision},
      {.name = "garble_event",
       .numbers = {33},
       .doc =
           "Bytes that are not JSON come instead of an event, so the client gets a decoding error.",
       .legality = Legality::Illegal,
       .make = garble_event},
      {.name = "nameless_error",
       .numbers = {35},
       .doc = "An ERROR event carries a Status without a kind, so clients cannot decode it, not "
              "even a 410.",
       .legality = Legality::Illegal,
       .make = make_effect<NamelessError>},
      {.name = "unknown_event_type",
       .numbers = {34},
       .doc = "An event has a type that clients do not know, so they get a decoding error.",
       .legality = Legality::Illegal,
       .make = make_effect<UnknownEventType>},
      {.name = "wrong_kind",
       .numbers = {36},
       .doc = "Events carry objects of a different kind than the watched one.",
       .legality = Legality::Illegal,
       .parameters = {{"kind", ParameterKind::Text, "Pod", "Which kind the objects claim to be."}},
       .make = make_effect<WrongKind>},
  };
}

}  // namespace watchlab::sim
