#include "sim/faults/empty_list_revision.hpp"

#include <utility>

namespace watchlab::sim {

namespace {

class EmptyListRevision : public Fault {
 public:
  Verdict judge(const Passage& passage) override {
    const auto* list = passage.stage == Stage::Answer
                           ? std::get_if<api::ObjectList>(&passage.answer->answer)
                           : nullptr;
    if (list == nullptr) {
      return Pass{};
    }
    api::ObjectList changed = *list;
    changed.resource_version.clear();
    return RewriteAnswer{{passage.answer->code, std::move(changed)}};
  }
};

}  // namespace

FaultEntry empty_list_revision() {
  return {.name = "empty_list_revision",
          .numbers = {48},
          .doc = "Lists come without a revision.",
          .legality = Legality::Illegal,
          .parameters = {},
          .make = [](const FaultParameters&) -> std::unique_ptr<Fault> {
            return std::make_unique<EmptyListRevision>();
          }};
}

}  // namespace watchlab::sim
