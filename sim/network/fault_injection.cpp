#include "sim/network/fault_injection.hpp"

#include <fmt/format.h>

#include <utility>

#include "sim/faults/fault_effects.hpp"

namespace watchlab::sim {
namespace {

std::string verdict_text(const Verdict& verdict) {
  struct Texts {
    std::string operator()(const Pass&) const { return "passed"; }
    std::string operator()(const Delay& delay) const {
      const auto late = std::chrono::duration_cast<std::chrono::milliseconds>(delay.by);
      return fmt::format("delayed by {} ms", late.count());
    }
    std::string operator()(const Fail& fail) const {
      return fmt::format("failed: {}", to_string(answer_kind_of(fail.error)));
    }
    std::string operator()(const Drop&) const { return "lost"; }
    std::string operator()(const EndStream& end) const { return end.clean ? "closed" : "cut"; }
    std::string operator()(const Rewrite&) const { return "rewrote an event"; }
    std::string operator()(const RewriteAnswer&) const { return "rewrote an answer"; }
    std::string operator()(const Distort&) const { return "changed the bytes"; }
  };
  return std::visit(Texts{}, verdict);
}

}  // namespace

FaultId FaultInjection::add(FaultRule rule, runtime::TimePoint now) {
  servers_.change(now, [&] { rule.fault->activate(servers_, now); });
  log_.note("fault", rule.name, "in place");
  return rules_.add(std::move(rule), log_.next_number());
}

bool FaultInjection::remove(FaultId fault, runtime::TimePoint now) {
  const std::optional<FaultRule> rule = rules_.remove(fault);
  if (!rule) {
    return false;
  }
  servers_.change(now, [&] { rule->fault->heal(servers_, now); });
  log_.note("fault", rule->name, "healed");
  return true;
}

FaultDecision FaultInjection::evaluate(const MessageContext& context) {
  FaultDecision decision = rules_.evaluate(context, servers_.store().revision());
  if (!passes(decision.verdict)) {
    log_.note("fault", decision.fault,
              fmt::format("{} {}", context.request.client, verdict_text(decision.verdict)));
  }
  return decision;
}

}  // namespace watchlab::sim
