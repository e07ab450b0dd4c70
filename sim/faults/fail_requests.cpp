#include "sim/faults/fail_requests.hpp"

#include "sim/faults/fail_request.hpp"

namespace watchlab::sim {

namespace {

class FailRequests : public Fault {
 public:
  explicit FailRequests(const FaultParameters& parameters) : error_(failure_from(parameters)) {}

  Verdict judge(const Passage& passage) override {
    return passage.stage == Stage::Request ? Verdict(Fail{error_}) : Verdict(Pass{});
  }

 private:
  api::Error error_;
};

}  // namespace

FaultEntry fail_requests() {
  return {
      .name = "fail_requests",
      .numbers = {27, 32},
      .doc =
          "Requests of any kind are answered with a failure: an expired token, a draining server.",
      .parameters = fail_request_parameters(),
      .make = [](const FaultParameters& given) -> std::unique_ptr<Fault> {
        return std::make_unique<FailRequests>(given);
      }};
}

}  // namespace watchlab::sim
