#include "sim/faults/refuse_connections.hpp"

#include "sim/faults/failure_words.hpp"

namespace watchlab::sim {

namespace {

class RefuseConnections : public Fault {
 public:
  Verdict judge(const Passage& passage) override {
    return passage.stage == Stage::Request ? Verdict(Fail{*failure_for("refused")})
                                           : Verdict(Pass{});
  }
};

}  // namespace

FaultEntry refuse_connections() {
  return {.name = "refuse_connections",
          .numbers = {1},
          .doc = "Nobody listens: each new request is refused. Open streams go on.",
          .parameters = {},
          .make = [](const FaultParameters&) -> std::unique_ptr<Fault> {
            return std::make_unique<RefuseConnections>();
          }};
}

}  // namespace watchlab::sim
