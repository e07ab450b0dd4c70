#include "sim/kernel/clock_partner.hpp"

#include "core/runtime/ensure.hpp"
#include "sim/kernel/primitives/sim_timer.hpp"

namespace watchlab::sim {
namespace {

/// For how long a world in which nothing is due waits for its partner before it is stuck.
constexpr auto kPartnerWait = std::chrono::hours(24);

}  // namespace

bool Scheduler::has_partner_to_ask() {
  if (partner_ != nullptr) {
    partner_->advance(now() + kPartnerWait);
  }
  return !ready_.empty() || clock_.has_deadline();
}

bool Scheduler::partner_has_come() {
  const std::size_t ready = ready_.count();
  if (partner_ != nullptr) {
    partner_->advance(clock_.earliest());
  }
  return ready_.count() > ready || !clock_.has_deadline();
}

PartnerRegistration::PartnerRegistration(World& world, ClockPartner& partner)
    : scheduler_(world.scheduler()) {
  runtime::ensure(scheduler_.partner() == nullptr, "a world shares its clock with one partner");
  scheduler_.seat(&partner);
}

PartnerRegistration::~PartnerRegistration() { scheduler_.seat(nullptr); }

PartnerAlarm::PartnerAlarm(World& world)
    : scheduler_(world.scheduler()),
      channel_(world, 1, "partner_alarm"),
      timer_(world.make_timer(channel_.backend(), std::nullopt, std::nullopt,
                              runtime::Location::current())) {}

void PartnerAlarm::set(std::optional<runtime::TimePoint> moment) {
  if (scheduler_.stopping()) {
    return;
  }
  auto& timer = static_cast<SimTimer&>(*timer_);
  (void)timer.disarm();
  if (moment) {
    timer.arm_at(*moment);
  }
}

}  // namespace watchlab::sim
