#include "sim/network/carrier.hpp"

#include "sim/faults/failure_words.hpp"

namespace watchlab::sim {

bool travel(runtime::Runtime& runtime, const runtime::StopToken& stop, runtime::Duration way) {
  if (way <= runtime::Duration::zero()) {
    return true;
  }
  const runtime::TimePoint arrival = runtime.now() + way;
  return WakeUp(runtime).sleep_through(stop, arrival);
}

runtime::Duration lateness(const Verdict& verdict) {
  const auto* delay = std::get_if<Delay>(&verdict);
  return delay != nullptr ? delay->by : runtime::Duration{};
}

api::Error cancelled() { return *failure_for("cancelled"); }

}  // namespace watchlab::sim
