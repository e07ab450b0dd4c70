#include "sim/faults/revision_back.hpp"

#include <algorithm>

#include "sim/faults/event_fault.hpp"

namespace watchlab::sim {

namespace {

class RevisionBack : public EventFault {
 public:
  explicit RevisionBack(const FaultParameters& parameters) : by_(parameters.integer("by")) {}

 private:
  Verdict on_event(const Passage& /*passage*/, const watch::Event& event) override {
    if (event.object == nullptr) {
      return Pass{};
    }
    const Revision revision =
        parse_revision(event.object->metadata.resource_version).value_or(0) - by_;
    return Rewrite{{with_revision(event, revision_text(std::max<Revision>(revision, 1)))}};
  }

  Revision by_;
};

}  // namespace

FaultEntry revision_back() {
  return {
      .name = "revision_back",
      .numbers = {39},
      .doc = "Events and bookmarks carry older revisions than they should.",
      .legality = Legality::Illegal,
      .parameters = {{"by", ParameterKind::Integer, std::int64_t{10}, "By how many revisions."}},
      .make = [](const FaultParameters& given) -> std::unique_ptr<Fault> {
        return std::make_unique<RevisionBack>(given);
      }};
}

}  // namespace watchlab::sim
