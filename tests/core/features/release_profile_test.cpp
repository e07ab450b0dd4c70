#include "core/features/release_profile.hpp"

#include <boost/test/unit_test.hpp>

namespace watchlab::tests {

BOOST_AUTO_TEST_SUITE(release_profile_test)

using features::FeatureGates;
using features::ReleaseProfile;

BOOST_AUTO_TEST_CASE(the_classic_machine_is_what_a_profile_is_by_itself) {
  BOOST_REQUIRE(features::find_machine("classic") != nullptr);
  BOOST_TEST((*features::find_machine("classic") == ReleaseProfile()));
  BOOST_TEST((*features::profile_of(FeatureGates(32)) == ReleaseProfile()));
}

BOOST_AUTO_TEST_CASE(the_machine_of_0_33_has_all_that_came_with_it) {
  const ReleaseProfile* machine = features::find_machine("0.33");
  BOOST_REQUIRE(machine != nullptr);
  BOOST_TEST(machine->in_order);
  BOOST_TEST(machine->joins_resync);
  BOOST_TEST(machine->rests_before_next);
}

BOOST_AUTO_TEST_CASE(a_gate_takes_the_queue_back_and_nothing_else) {
  FeatureGates gates(33);
  BOOST_TEST(gates.set("InOrderInformers", false).ok());
  const ReleaseProfile machine = *features::profile_of(gates);
  BOOST_TEST(!machine.in_order);
  BOOST_TEST(machine.joins_resync);
  BOOST_TEST(machine.rests_before_next);
}

BOOST_AUTO_TEST_CASE(five_machines_cover_all_releases) {
  BOOST_TEST(features::machine_names() ==
                 (std::vector<std::string>{"classic", "0.33", "0.35", "0.36", "modern"}),
             boost::test_tools::per_element());
  ReleaseProfile machine = *features::find_machine("0.35");
  BOOST_TEST(machine.leaves_at_stop);
  BOOST_TEST(machine.batches);
  BOOST_TEST(machine.streams_lists);
  BOOST_TEST(!machine.atomic);
  BOOST_TEST(machine.counts_before);
  BOOST_TEST(!machine.resets_delay);
  BOOST_TEST(!machine.ordered_versions);
  BOOST_TEST(!machine.waits_for_listeners);
  machine = *features::find_machine("0.36");
  BOOST_TEST(machine.atomic);
  BOOST_TEST(!machine.unlocks);
  BOOST_TEST(!machine.counts_before);
  BOOST_TEST(machine.resets_delay);
  BOOST_TEST(machine.ordered_versions);
  BOOST_TEST(machine.waits_for_listeners);
  machine.unlocks = true;
  machine.name = "modern";
  BOOST_TEST((machine == *features::find_machine("modern")));
  BOOST_TEST((features::find_machine("0.37") == nullptr));
}

BOOST_AUTO_TEST_CASE(each_release_is_a_machine_with_its_gates) {
  const ReleaseProfile machine = *features::profile_of(FeatureGates(34));
  BOOST_TEST(machine.name == "0.34");
  BOOST_TEST(machine.leaves_at_stop);
  BOOST_TEST(!machine.batches);
  BOOST_TEST(!machine.streams_lists);
  FeatureGates gates(37);
  for (const char* gate : {"AtomicFIFO", "WatchListClient", "InOrderInformersBatchProcess"}) {
    BOOST_TEST(gates.set(gate, false).ok());
  }
  const ReleaseProfile reduced = *features::profile_of(gates);
  BOOST_TEST(!reduced.atomic);
  BOOST_TEST(!reduced.streams_lists);
  BOOST_TEST(!reduced.batches);
  BOOST_TEST(reduced.resets_delay);
  FeatureGates streamed(33);
  BOOST_TEST(streamed.set("WatchListClient", true).ok());
  BOOST_TEST(features::profile_of(streamed).error().message ==
             "streamed lists of client-go 0.33 (WatchListClient) are not here; those of 0.34 and "
             "later are");
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace watchlab::tests
