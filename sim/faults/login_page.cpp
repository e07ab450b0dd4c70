#include "sim/faults/login_page.hpp"

namespace watchlab::sim {

namespace {

class LoginPage : public Fault {
 public:
  Verdict judge(const Passage& passage) override {
    return passage.stage == Stage::Request
               ? Verdict(Fail{
                     {api::ErrorKind::Decode, "no serializers are registered for text/html", {}}})
               : Verdict(Pass{});
  }
};

}  // namespace

FaultEntry login_page() {
  return {.name = "login_page",
          .numbers = {28},
          .doc = "A proxy answers requests with a page of HTML and the code 200.",
          .parameters = {},
          .make = [](const FaultParameters&) -> std::unique_ptr<Fault> {
            return std::make_unique<LoginPage>();
          }};
}

}  // namespace watchlab::sim
