#include "core/features/feature_gates.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "core/runtime/ensure.hpp"

namespace watchlab::features {
namespace {

constexpr int kNever = 1000;  ///< a minor release that does not come

/// A gate, and the minor releases in which it came, was on by default, and was locked on.
struct GateRow {
  std::string_view name;
  int known_since = 32;
  int on_since = kNever;
  int locked_since = kNever;
};

/// Mirrors client-go 0.37 features/known_features.go, defaultVersionedKubernetesFeatureGates, in
/// the order of `Gate`.
constexpr std::array<GateRow, kGates> kRows{{
    {.name = "InformerResourceVersion", .on_since = 35},
    {.name = "WatchListClient", .on_since = 35},
    {.name = "InOrderInformers", .known_since = 33, .on_since = 33, .locked_since = 36},
    {.name = "InOrderInformersBatchProcess", .known_since = 35, .on_since = 35},
    {.name = "AtomicFIFO", .known_since = 36, .on_since = 36},
    {.name = "UnlockWhileProcessingFIFO", .known_since = 36, .on_since = 36},
    {.name = "ClientsAllowCBOR"},
    {.name = "ClientsPreferCBOR"},
    {.name = "ClientsAllowCARotation", .known_since = 36, .on_since = 36},
    {.name = "ClientsAllowTLSCacheGC", .known_since = 36, .on_since = 36},
}};

const GateRow& row_of(Gate gate) { return kRows.at(static_cast<std::size_t>(gate)); }

/// Mirrors Go strconv.ParseBool.
std::optional<bool> parse_bool(std::string_view text) {
  constexpr std::array<std::string_view, 6> kTrue{"1", "t", "T", "true", "TRUE", "True"};
  constexpr std::array<std::string_view, 6> kFalse{"0", "f", "F", "false", "FALSE", "False"};
  if (std::ranges::find(kTrue, text) != kTrue.end()) {
    return true;
  }
  if (std::ranges::find(kFalse, text) != kFalse.end()) {
    return false;
  }
  return std::nullopt;
}

}  // namespace

std::string_view to_string(Gate gate) { return row_of(gate).name; }

FeatureGates::FeatureGates(int minor) : minor_(minor) {
  if (minor < 32 || minor > 37) {
    throw runtime::Panic(fmt::format("no feature gates are known of client-go 0.{}", minor));
  }
}

bool FeatureGates::knows(Gate gate) const { return minor_ >= row_of(gate).known_since; }

bool FeatureGates::enabled(Gate gate) const {
  if (!knows(gate)) {
    throw runtime::Panic(
        fmt::format("client-go 0.{} has no feature gate {}", minor_, to_string(gate)));
  }
  const auto index = static_cast<std::size_t>(gate);
  const bool default_value = minor_ >= row_of(gate).on_since;
  return set_.at(index).value_or(environment_.at(index).value_or(default_value));
}

api::Result<void> FeatureGates::set(std::string_view name, bool value) {
  const auto* const row = std::ranges::find(kRows, name, &GateRow::name);
  if (row == kRows.end() || minor_ < row->known_since) {
    return api::Error{.message =
                          fmt::format("client-go 0.{} has no feature gate {}", minor_, name)};
  }
  if (minor_ >= row->locked_since && !value) {
    return api::Error{.message = fmt::format("feature gate {} is locked to true", name)};
  }
  set_.at(static_cast<std::size_t>(row - kRows.begin())) = value;
  return {};
}

std::vector<std::string> FeatureGates::read_environment(const Environment& environment) {
  std::vector<std::string> ignored;
  for (std::size_t i = 0; i < kGates; ++i) {
    const GateRow& row = kRows.at(i);
    const std::string variable = fmt::format("KUBE_FEATURE_{}", row.name);
    const std::optional<std::string> text =
        minor_ >= row.known_since ? environment(variable) : std::nullopt;
    if (!text) {
      continue;
    }
    const std::optional<bool> value = parse_bool(*text);
    if (!value) {
      ignored.push_back(fmt::format("{} is no boolean: {}", variable, *text));
    } else if (minor_ >= row.locked_since && !*value) {
      ignored.push_back(fmt::format("{} is ignored, the gate is locked to true", variable));
    } else {
      environment_.at(i) = value;
    }
  }
  return ignored;
}

}  // namespace watchlab::features
