#include "core/features/feature_gates.hpp"

#include <boost/test/unit_test.hpp>
#include <map>

#include "core/runtime/ensure.hpp"

namespace watchlab::tests {

BOOST_AUTO_TEST_SUITE(feature_gates_test)

using features::FeatureGates;
using features::Gate;

namespace {

FeatureGates::Environment environment(std::map<std::string, std::string> variables) {
  return [variables](const std::string& name) -> std::optional<std::string> {
    const auto found = variables.find(name);
    return found != variables.end() ? std::optional(found->second) : std::nullopt;
  };
}

/// One letter a release, 0.32 to 0.37: `-` unknown, `0` off, `1` on, `L` on and locked.
std::string history_of(Gate gate) {
  std::string history;
  for (int minor = 32; minor <= 37; ++minor) {
    FeatureGates gates(minor);
    if (!gates.knows(gate)) {
      history += "-";
    } else if (!gates.enabled(gate)) {
      history += "0";
    } else {
      history += gates.set(to_string(gate), false).ok() ? "1" : "L";
    }
  }
  return history;
}

}  // namespace

BOOST_AUTO_TEST_CASE(each_release_has_the_gates_and_defaults_of_the_original) {
  BOOST_TEST(history_of(Gate::InformerResourceVersion) == "000111");
  BOOST_TEST(history_of(Gate::WatchListClient) == "000111");
  BOOST_TEST(history_of(Gate::InOrderInformers) == "-111LL");
  BOOST_TEST(history_of(Gate::InOrderInformersBatchProcess) == "---111");
  BOOST_TEST(history_of(Gate::AtomicFIFO) == "----11");
  BOOST_TEST(history_of(Gate::UnlockWhileProcessingFIFO) == "----11");
  BOOST_TEST(history_of(Gate::ClientsAllowCBOR) == "000000");
  BOOST_TEST(history_of(Gate::ClientsPreferCBOR) == "000000");
  BOOST_TEST(history_of(Gate::ClientsAllowCARotation) == "----11");
  BOOST_TEST(history_of(Gate::ClientsAllowTLSCacheGC) == "----11");
}

// Mirrors TestEnvVarFeatureGates.
BOOST_AUTO_TEST_CASE(what_was_set_wins_over_the_environment_and_that_over_the_default) {
  FeatureGates gates(35);
  BOOST_TEST(gates.enabled(Gate::WatchListClient));
  BOOST_TEST(
      gates.read_environment(environment({{"KUBE_FEATURE_WatchListClient", "false"}})).empty());
  BOOST_TEST(!gates.enabled(Gate::WatchListClient));
  BOOST_TEST(gates.set("WatchListClient", true).ok());
  BOOST_TEST(gates.enabled(Gate::WatchListClient));
  BOOST_TEST(gates.read_environment(environment({{"KUBE_FEATURE_WatchListClient", "0"}})).empty());
  BOOST_TEST(gates.enabled(Gate::WatchListClient));
  FeatureGates unread(32);
  BOOST_TEST(unread.set("WatchListClient", true).ok());
  BOOST_TEST(unread.enabled(Gate::WatchListClient));
  FeatureGates off(32);
  BOOST_TEST(off.set("WatchListClient", false).ok());
  BOOST_TEST(off.read_environment(environment({{"KUBE_FEATURE_WatchListClient", "True"}})).empty());
  BOOST_TEST(!off.enabled(Gate::WatchListClient));
}

// Mirrors TestEnvVarFeatureGates.
BOOST_AUTO_TEST_CASE(variables_hold_booleans_as_go_writes_them_and_nothing_else) {
  for (const char* text : {"1", "t", "T", "true", "TRUE", "True"}) {
    FeatureGates gates(32);
    BOOST_TEST(
        gates.read_environment(environment({{"KUBE_FEATURE_WatchListClient", text}})).empty());
    BOOST_TEST(gates.enabled(Gate::WatchListClient), text);
    BOOST_TEST(!gates.enabled(Gate::InformerResourceVersion), "another one keeps its default");
  }
  for (const char* text : {"0", "f", "F", "false", "FALSE", "False"}) {
    FeatureGates gates(37);
    BOOST_TEST(
        gates.read_environment(environment({{"KUBE_FEATURE_WatchListClient", text}})).empty());
    BOOST_TEST(!gates.enabled(Gate::WatchListClient), text);
    BOOST_TEST(gates.enabled(Gate::InformerResourceVersion), "another one keeps its default");
  }
  FeatureGates unread(32);
  BOOST_TEST(unread.read_environment(environment({{"WatchListClient", "true"}})).empty());
  BOOST_TEST(!unread.enabled(Gate::WatchListClient), "that is no name of a variable");
  for (const char* text : {"", "yes", "on", "tRUE", " true", "2", "TrueFalse"}) {
    for (const int minor : {32, 37}) {
      FeatureGates gates(minor);
      const auto ignored =
          gates.read_environment(environment({{"KUBE_FEATURE_WatchListClient", text}}));
      BOOST_REQUIRE(ignored.size() == 1);
      BOOST_TEST(ignored.front() ==
                 "KUBE_FEATURE_WatchListClient is no boolean: " + std::string(text));
      BOOST_TEST(gates.enabled(Gate::WatchListClient) == (minor == 37), "it keeps its default");
    }
  }
}

// Mirrors TestEnvVarFeatureGatesWithLock… of the original's table.
BOOST_AUTO_TEST_CASE(a_locked_gate_stays_as_it_is) {
  FeatureGates gates(36);
  BOOST_TEST(gates.set("InOrderInformers", false).error().message ==
             "feature gate InOrderInformers is locked to true");
  BOOST_TEST(gates.set("InOrderInformers", true).ok());
  FeatureGates other(36);
  const auto ignored =
      other.read_environment(environment({{"KUBE_FEATURE_InOrderInformers", "false"}}));
  BOOST_REQUIRE(ignored.size() == 1);
  BOOST_TEST(ignored.front() ==
             "KUBE_FEATURE_InOrderInformers is ignored, the gate is locked to true");
  BOOST_TEST(other.enabled(Gate::InOrderInformers));
  BOOST_TEST(other.read_environment(environment({{"KUBE_FEATURE_InOrderInformers", "1"}})).empty());
  BOOST_TEST(other.enabled(Gate::InOrderInformers));
}

BOOST_AUTO_TEST_CASE(a_gate_that_the_release_does_not_have_panics_or_is_an_error) {
  FeatureGates gates(32);
  BOOST_CHECK_EXCEPTION(
      (void)gates.enabled(Gate::AtomicFIFO), runtime::Panic, [](const runtime::Panic& panic) {
        return panic.what() == std::string("client-go 0.32 has no feature gate AtomicFIFO");
      });
  BOOST_TEST(gates.set("AtomicFIFO", true).error().message ==
             "client-go 0.32 has no feature gate AtomicFIFO");
  BOOST_TEST(gates.set("Nothing", true).error().message ==
             "client-go 0.32 has no feature gate Nothing");
  BOOST_TEST(gates.set("", true).error().message == "client-go 0.32 has no feature gate ");
  BOOST_TEST(gates.read_environment(environment({{"KUBE_FEATURE_AtomicFIFO", "junk"}})).empty());
  BOOST_CHECK_THROW(FeatureGates(31), runtime::Panic);
  BOOST_CHECK_THROW(FeatureGates(38), runtime::Panic);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace watchlab::tests
