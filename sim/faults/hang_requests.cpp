#include "sim/faults/hang_requests.hpp"

#include "sim/faults/failure_words.hpp"

namespace watchlab::sim {

namespace {

class HangRequests : public Fault {
 public:
  explicit HangRequests(const FaultParameters& parameters) : after_(parameters.duration("after")) {}

  Verdict judge(const Passage& passage) override {
    if (passage.stage != Stage::Request) {
      return Pass{};
    }
    return after_ > runtime::Duration::zero()
               ? Verdict(Fail{*failure_for("gateway_timeout"), after_})
               : Verdict(Lose{});
  }

 private:
  runtime::Duration after_;
};

}  // namespace

FaultEntry hang_requests() {
  return {.name = "hang_requests",
          .numbers = {31},
          .doc = "Requests get no answer, or a 504 after a while.",
          .parameters = {{"after", ParameterKind::Duration, runtime::Duration{},
                          "When the 504 comes, 60s on a real server; never if left out."}},
          .make = [](const FaultParameters& given) -> std::unique_ptr<Fault> {
            return std::make_unique<HangRequests>(given);
          }};
}

}  // namespace watchlab::sim
