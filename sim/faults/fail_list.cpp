#include "sim/faults/fail_list.hpp"

#include <utility>

#include "sim/faults/fail_request.hpp"

namespace watchlab::sim {

namespace {

class FailList : public Fault {
 public:
  explicit FailList(const FaultParameters& parameters)
      : error_(failure_from(parameters)), next_pages_(parameters.boolean("next_pages")) {}

  Verdict judge(const Passage& passage) override {
    const bool is_list = passage.stage == Stage::Request && passage.request.verb == Verb::List;
    const bool is_next_page = !passage.request.options.continue_token.empty();
    return is_list && is_next_page >= next_pages_ ? Verdict(Fail{error_}) : Verdict(Pass{});
  }

 private:
  api::Error error_;
  bool next_pages_;
};

}  // namespace

FaultEntry fail_list() {
  std::vector<FaultParameter> parameters = fail_request_parameters();
  parameters.push_back({"next_pages", ParameterKind::Boolean, false,
                        "Whether it hits only requests for the second and later pages."});
  return {.name = "fail_list",
          .numbers = {18, 19, 29},
          .doc = "Lists are answered with a failure.",
          .parameters = std::move(parameters),
          .make = [](const FaultParameters& given) -> std::unique_ptr<Fault> {
            return std::make_unique<FailList>(given);
          }};
}

}  // namespace watchlab::sim
