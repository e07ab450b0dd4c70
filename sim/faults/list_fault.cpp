#include "sim/faults/list_fault.hpp"

#include <utility>

namespace watchlab::sim {
namespace {

class ListFault : public Fault {
 public:
  explicit ListFault(std::function<void(api::ObjectList&)> change) : change_(std::move(change)) {}

  Verdict judge(const Passage& passage) override {
    const auto* list = passage.stage == Stage::Answer
                           ? std::get_if<api::ObjectList>(&passage.answer->answer)
                           : nullptr;
    if (list == nullptr) {
      return Pass{};
    }
    api::ObjectList changed = *list;
    change_(changed);
    return RewriteAnswer{{passage.answer->code, std::move(changed)}};
  }

 private:
  std::function<void(api::ObjectList&)> change_;
};

}  // namespace

std::unique_ptr<Fault> list_fault(std::function<void(api::ObjectList&)> change) {
  return std::make_unique<ListFault>(std::move(change));
}

}  // namespace watchlab::sim
