#include "core/features/machine_profile.hpp"

#include <boost/test/unit_test.hpp>

namespace watchlab::tests {

BOOST_AUTO_TEST_SUITE(machine_profile_test)

using features::FeatureGates;
using features::MachineProfile;

BOOST_AUTO_TEST_CASE(the_classic_machine_is_what_a_profile_is_by_itself) {
  BOOST_REQUIRE(features::find_machine("classic") != nullptr);
  BOOST_TEST((*features::find_machine("classic") == MachineProfile()));
  BOOST_TEST((*features::profile_of(FeatureGates(32)) == MachineProfile()));
}

BOOST_AUTO_TEST_CASE(the_machine_of_0_33_has_all_that_came_with_it) {
  const MachineProfile* machine = features::find_machine("0.33");
  BOOST_REQUIRE(machine != nullptr);
  BOOST_TEST(machine->in_order);
  BOOST_TEST(machine->joins_resync);
  BOOST_TEST(machine->rests_before_next);
}

BOOST_AUTO_TEST_CASE(a_gate_takes_the_queue_back_and_nothing_else) {
  FeatureGates gates(33);
  BOOST_TEST(gates.set("InOrderInformers", false).ok());
  const MachineProfile machine = *features::profile_of(gates);
  BOOST_TEST(!machine.in_order);
  BOOST_TEST(machine.joins_resync);
  BOOST_TEST(machine.rests_before_next);
}

BOOST_AUTO_TEST_CASE(machines_that_are_not_complete_are_not_offered) {
  BOOST_TEST(features::machine_names() == (std::vector<std::string>{"classic", "0.33"}),
             boost::test_tools::per_element());
  BOOST_TEST((features::find_machine("0.35") == nullptr));
  BOOST_TEST(features::profile_of(FeatureGates(35)).error().message ==
             "the machine of client-go 0.35 is not here yet");
  FeatureGates streamed(32);
  BOOST_TEST(streamed.set("WatchListClient", true).ok());
  BOOST_TEST(features::profile_of(streamed).error().message ==
             "streamed lists (WatchListClient) are not here yet");
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace watchlab::tests
