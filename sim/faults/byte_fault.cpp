#include "sim/faults/byte_fault.hpp"

#include <stdexcept>
#include <utility>

namespace watchlab::sim {

namespace {

class ByteFault : public Fault {
 public:
  ByteFault(Stage stage, std::function<void(WireMessage&)> how)
      : stage_(stage), how_(std::move(how)) {}

  Verdict judge(const Passage& passage) override {
    return passage.stage == stage_ ? Verdict(Distort{how_}) : Verdict(Pass{});
  }

 private:
  Stage stage_;
  std::function<void(WireMessage&)> how_;
};

}  // namespace

std::unique_ptr<Fault> make_byte_fault(Stage stage, std::function<void(WireMessage&)> how) {
  return std::make_unique<ByteFault>(stage, std::move(how));
}

FaultParameter what_parameter(std::string_view standard) {
  return {"what", ParameterKind::Text, std::string(standard),
          "Which messages: \"requests\", \"answers\", \"events\" or the \"ends\" of watches."};
}

Stage stage_in(const FaultParameters& parameters) {
  const std::string& what = parameters.text("what");
  if (what == "requests") {
    return Stage::Request;
  }
  if (what == "answers") {
    return Stage::Answer;
  }
  if (what == "events") {
    return Stage::Frame;
  }
  if (what == "ends") {
    return Stage::End;
  }
  throw std::invalid_argument(
      "what bytes are changed must be \"requests\", \"answers\", \"events\" or \"ends\"");
}

}  // namespace watchlab::sim
