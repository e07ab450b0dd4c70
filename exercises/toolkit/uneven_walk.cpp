#include "exercises/toolkit/uneven_walk.hpp"

#include "sim/explore/random_strategy.hpp"
#include "sim/kernel/mix.hpp"
#include "sim/kernel/sim_object.hpp"

namespace watchlab::course {

bool UnevenWalk::prepare(std::size_t run) {
  numbers_ = sim::RandomNumbers(sim::mix(seed_, run));
  running_ = nullptr;
  calls_.clear();
  return true;
}

std::uint32_t UnevenWalk::choose(const sim::Choice& choice) {
  if (choice.kind != sim::ChoiceKind::Actor || choice.at == nullptr) {
    return sim::random_alternative(choice, numbers_);
  }
  constexpr double lowest = 0.1;
  const double going_on =
      lowest + (1 - 2 * lowest) * sim::RandomNumbers(place_of(*choice.at)).fraction();
  return numbers_.fraction() < going_on ? 0 : 1 + numbers_.below(choice.options - 1);
}

std::uint64_t UnevenWalk::place_of(const sim::Actor& actor) const {
  if (const auto call = calls_.find(actor.digest()); call != calls_.end()) {
    return sim::mix(sim::mix(lot_, call->second.method), actor.operations() - call->second.began);
  }
  const sim::Operation& next = actor.pending();
  return sim::mix(sim::mix(lot_, static_cast<std::uint64_t>(next.kind)),
                  next.object == nullptr ? 0 : next.object->digest());
}

void UnevenWalk::begins(std::uint32_t method) {
  if (running_ != nullptr) {
    calls_.insert_or_assign(running_->digest(), Call{method, running_->operations()});
  }
}

void UnevenWalk::ends() {
  if (running_ != nullptr) {
    calls_.erase(running_->digest());
  }
}

}  // namespace watchlab::course
