#include "sim/faults/fault_rules.hpp"

#include <algorithm>
#include <utility>

#include "sim/apiserver/stamps.hpp"

namespace watchlab::sim {

bool Trigger::holds_for(const MessageContext& context, Revision store_revision) const {
  const Request& request = context.request;
  if (!client.empty() && client != request.client) {
    return false;
  }
  if (!verbs.empty() && std::find(verbs.begin(), verbs.end(), request.verb) == verbs.end()) {
    return false;
  }
  if (!resource.empty() && resource != request.resource.resource) {
    return false;
  }
  if (!key.empty()) {
    const bool same = context.event != nullptr && context.event->object != nullptr &&
                      api::key_of(context.event->object->metadata) == key;
    if (!same) {
      return false;
    }
  }
  if ((from && context.now < *from) || (until && context.now >= *until)) {
    return false;
  }
  return store_revision >= from_revision;
}

FaultId FaultRules::add(FaultRule rule, std::uint64_t next_exchange) {
  const FaultId id = next_id_++;
  rules_.push_back({id, std::move(rule), next_exchange});
  return id;
}

std::optional<FaultRule> FaultRules::remove(FaultId fault) {
  const auto found = std::find_if(rules_.begin(), rules_.end(),
                                  [fault](const Placed& each) { return each.id == fault; });
  if (found == rules_.end()) {
    return std::nullopt;
  }
  FaultRule rule = std::move(found->rule);
  rules_.erase(found);
  return rule;
}

FaultDecision FaultRules::evaluate(const MessageContext& context, Revision store_revision) {
  for (Placed& placed : rules_) {
    Verdict verdict = ask(placed, context, store_revision);
    if (!passes(verdict)) {
      return {std::move(verdict), placed.rule.name};
    }
  }
  return {};
}

Verdict FaultRules::ask(Placed& placed, const MessageContext& context, Revision store_revision) {
  const Trigger& trigger = placed.rule.trigger;
  const bool over = trigger.times > 0 && placed.acted >= trigger.times;
  if (over || !trigger.holds_for(context, store_revision)) {
    return Pass{};
  }
  if (placed.rule.fault->only_open_streams() && context.exchange >= placed.next_exchange) {
    return Pass{};
  }
  Verdict verdict = placed.rule.fault->evaluate(context);
  if (passes(verdict)) {
    return verdict;
  }
  ++placed.matched;
  if (placed.matched <= trigger.skip) {
    return Pass{};
  }
  if (trigger.decide && !trigger.decide()) {
    return Pass{};
  }
  ++placed.acted;
  return verdict;
}

std::optional<runtime::TimePoint> FaultRules::next_wake(const MessageContext& stream) const {
  std::optional<runtime::TimePoint> next;
  for (const Placed& placed : rules_) {
    const std::optional<runtime::TimePoint>& from = placed.rule.trigger.from;
    for (const auto& wake : {from, placed.rule.fault->next_wake(stream)}) {
      if (wake && *wake > stream.now && (!next || *wake < *next)) {
        next = wake;
      }
    }
  }
  return next;
}

std::int64_t FaultRules::acted(FaultId fault) const {
  const auto found = std::find_if(rules_.begin(), rules_.end(),
                                  [fault](const Placed& each) { return each.id == fault; });
  return found == rules_.end() ? 0 : found->acted;
}

}  // namespace watchlab::sim
