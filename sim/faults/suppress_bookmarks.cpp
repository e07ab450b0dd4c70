#include "sim/faults/suppress_bookmarks.hpp"

#include "sim/faults/event_fault.hpp"

namespace watchlab::sim {

namespace {

class SuppressBookmarks : public EventFault {
 private:
  Verdict on_event(const Passage& /*passage*/, const watch::Event& event) override {
    return event.type == watch::EventType::Bookmark ? Verdict(Rewrite{}) : Verdict(Pass{});
  }
};

}  // namespace

FaultEntry suppress_bookmarks() {
  return {.name = "suppress_bookmarks",
          .numbers = {45},
          .doc = "Bookmarks are never sent, and neither are the marks that end streamed lists.",
          .legality = Legality::Illegal,
          .parameters = {},
          .make = [](const FaultParameters&) -> std::unique_ptr<Fault> {
            return std::make_unique<SuppressBookmarks>();
          }};
}

}  // namespace watchlab::sim
