#include "core/features/machine_profile.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace watchlab::features {
namespace {

constexpr int kClassicMinor = 32;
constexpr int kNewestMinor = 33;  ///< the newest release whose machine is complete

}  // namespace

api::Result<MachineProfile> profile_of(const FeatureGates& gates) {
  const int minor = gates.minor();
  if (minor > kNewestMinor) {
    return api::Error{.message =
                          fmt::format("the machine of client-go 0.{} is not here yet", minor)};
  }
  if (gates.enabled(Gate::WatchListClient)) {
    return api::Error{.message = "streamed lists (WatchListClient) are not here yet"};
  }
  MachineProfile profile;
  if (minor > kClassicMinor) {
    profile.name = fmt::format("0.{}", minor);
    profile.in_order = gates.enabled(Gate::InOrderInformers);
    profile.joins_resync = true;
    profile.rests_before_next = true;
  }
  return profile;
}

const std::vector<MachineProfile>& machine_profiles() {
  static const std::vector<MachineProfile> kProfiles{*profile_of(FeatureGates(kClassicMinor)),
                                                     *profile_of(FeatureGates(kNewestMinor))};
  return kProfiles;
}

std::vector<std::string> machine_names() {
  std::vector<std::string> names;
  for (const MachineProfile& profile : machine_profiles()) {
    names.push_back(profile.name);
  }
  return names;
}

const MachineProfile* find_machine(std::string_view name) {
  const auto found = std::ranges::find(machine_profiles(), name, &MachineProfile::name);
  return found != machine_profiles().end() ? &*found : nullptr;
}

}  // namespace watchlab::features
