#include "sim/faults/delay.hpp"

#include <stdexcept>

namespace watchlab::sim {

namespace {

Stage stage_named(const std::string& where) {
  if (where == "requests") {
    return Stage::Request;
  }
  if (where == "answers") {
    return Stage::Answer;
  }
  if (where == "events") {
    return Stage::Frame;
  }
  throw std::invalid_argument("what comes late must be \"requests\", \"answers\" or \"events\"");
}

class DelayMessages : public Fault {
 public:
  explicit DelayMessages(const FaultParameters& parameters)
      : stage_(stage_named(parameters.text("what"))), by_(parameters.duration("by")) {}

  Verdict judge(const Passage& passage) override {
    return passage.stage == stage_ ? Verdict(Delay{by_}) : Verdict(Pass{});
  }

 private:
  Stage stage_;
  runtime::Duration by_;
};

}  // namespace

FaultEntry delay() {
  return {.name = "delay",
          .numbers = {3, 13, 17},
          .doc = "Messages come late. Events of one watch stay in order.",
          .parameters = {{"by", ParameterKind::Duration, std::nullopt, "How late."},
                         {"what", ParameterKind::Text, "answers",
                          "\"requests\", \"answers\" or \"events\"."}},
          .make = [](const FaultParameters& given) -> std::unique_ptr<Fault> {
            return std::make_unique<DelayMessages>(given);
          }};
}

}  // namespace watchlab::sim
