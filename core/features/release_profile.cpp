#include "core/features/release_profile.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace watchlab::features {
api::Result<ReleaseProfile> profile_of(const FeatureGates& gates) {
  const int minor = gates.minor();
  const auto is_on = [&gates](Gate gate) { return gates.knows(gate) && gates.enabled(gate); };
  if (is_on(Gate::WatchListClient) && minor < 34) {
    return api::Error{
        .message = fmt::format("streamed lists of client-go 0.{} (WatchListClient) are not here; "
                               "those of 0.34 and later are",
                               minor)};
  }
  return ReleaseProfile{.name = minor == 32 ? "classic" : fmt::format("0.{}", minor),
                        .in_order = is_on(Gate::InOrderInformers),
                        .counts_before = minor < 36,
                        .joins_resync = minor >= 33,
                        .rests_before_next = minor >= 33,
                        .leaves_at_stop = minor >= 34,
                        .batches = is_on(Gate::InOrderInformersBatchProcess),
                        .atomic = is_on(Gate::AtomicFIFO),
                        .unlocks = is_on(Gate::UnlockWhileProcessingFIFO),
                        .streams_lists = is_on(Gate::WatchListClient),
                        .resets_delay = minor >= 36,
                        .ordered_versions = minor >= 36,
                        .refuses_tables = minor >= 36,
                        .waits_for_listeners = minor >= 36};
}

namespace {

std::vector<ReleaseProfile> all_profiles() {
  std::vector<ReleaseProfile> profiles;
  for (const int minor : {32, 33, 35, 36, 37}) {
    profiles.push_back(*profile_of(FeatureGates(minor)));
  }
  // 0.36 and 0.37 are one machine by default.
  profiles[3].unlocks = false;
  profiles[4].name = "modern";
  return profiles;
}

}  // namespace

const std::vector<ReleaseProfile>& release_profiles() {
  static const std::vector<ReleaseProfile> kProfiles = all_profiles();
  return kProfiles;
}

std::vector<std::string> machine_names() {
  std::vector<std::string> names;
  for (const ReleaseProfile& profile : release_profiles()) {
    names.push_back(profile.name);
  }
  return names;
}

const ReleaseProfile* find_machine(std::string_view name) {
  const auto found = std::ranges::find(release_profiles(), name, &ReleaseProfile::name);
  return found != release_profiles().end() ? &*found : nullptr;
}

}  // namespace watchlab::features
