#include "sim/faults/fail_watch.hpp"

#include "sim/faults/fail_request.hpp"

namespace watchlab::sim {

namespace {

class FailWatch : public Fault {
 public:
  explicit FailWatch(const FaultParameters& parameters) : error_(failure_from(parameters)) {}

  Verdict judge(const Passage& passage) override {
    const bool is_watch = passage.stage == Stage::Request && passage.request.verb == Verb::Watch;
    return is_watch ? Verdict(Fail{error_}) : Verdict(Pass{});
  }

 private:
  api::Error error_;
};

}  // namespace

FaultEntry fail_watch() {
  return {.name = "fail_watch",
          .numbers = {2, 20, 23, 24, 25},
          .doc = "Watches are answered with a failure instead of a stream.",
          .parameters = fail_request_parameters(),
          .make = [](const FaultParameters& given) -> std::unique_ptr<Fault> {
            return std::make_unique<FailWatch>(given);
          }};
}

}  // namespace watchlab::sim
