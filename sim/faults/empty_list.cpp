#include "sim/faults/empty_list.hpp"

#include <utility>

namespace watchlab::sim {

namespace {

class EmptyList : public Fault {
 public:
  Verdict judge(const Passage& passage) override {
    const auto* list = passage.stage == Stage::Answer
                           ? std::get_if<api::ObjectList>(&passage.answer->answer)
                           : nullptr;
    if (list == nullptr) {
      return Pass{};
    }
    api::ObjectList changed = *list;
    changed.items.clear();
    changed.continue_token.clear();
    changed.remaining_item_count.reset();
    return RewriteAnswer{{passage.answer->code, std::move(changed)}};
  }
};

}  // namespace

FaultEntry empty_list() {
  return {.name = "empty_list",
          .numbers = {49},
          .doc = "Lists come without their items: the client believes that nothing is left.",
          .legality = Legality::Illegal,
          .parameters = {},
          .make = [](const FaultParameters&) -> std::unique_ptr<Fault> {
            return std::make_unique<EmptyList>();
          }};
}

}  // namespace watchlab::sim
