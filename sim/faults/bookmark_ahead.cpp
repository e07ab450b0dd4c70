#include "sim/faults/bookmark_ahead.hpp"

#include <utility>

#include "sim/faults/event_fault.hpp"

namespace watchlab::sim {

namespace {

class BookmarkAhead : public EventFault {
 public:
  explicit BookmarkAhead(const FaultParameters& parameters) : by_(parameters.integer("by")) {}

 private:
  Verdict on_event(const Passage& /*passage*/, const watch::Event& event) override {
    if (event.object == nullptr) {
      return Pass{};
    }
    const Revision revision =
        parse_revision(event.object->metadata.resource_version).value_or(0) + by_;
    api::Object bookmark{.api_version = event.object->api_version, .kind = event.object->kind};
    bookmark.metadata.resource_version = revision_text(revision);
    const watch::Event ahead{watch::EventType::Bookmark,
                             std::make_shared<const api::Object>(std::move(bookmark)), nullptr};
    return event.type == watch::EventType::Bookmark ? Rewrite{{ahead}} : Rewrite{{event, ahead}};
  }

  Revision by_;
};

}  // namespace

FaultEntry bookmark_ahead() {
  return {
      .name = "bookmark_ahead",
      .numbers = {38},
      .doc =
          "A bookmark names a revision that the server has not reached: what happens until then is "
          "missed.",
      .legality = Legality::Illegal,
      .parameters = {{"by", ParameterKind::Integer, std::int64_t{100}, "By how many revisions."}},
      .make = [](const FaultParameters& given) -> std::unique_ptr<Fault> {
        return std::make_unique<BookmarkAhead>(given);
      }};
}

}  // namespace watchlab::sim
