#include "scenarios/programs/catalogue.hpp"

#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <string>

#include "sim/explore/explore.hpp"

using namespace watchlab;
using namespace watchlab::scenarios;

BOOST_AUTO_TEST_SUITE(catalogue_test)

BOOST_AUTO_TEST_CASE(programs_stand_in_alphabetical_order_and_say_what_they_do) {
  const auto programs = program_catalogue();
  BOOST_TEST(std::is_sorted(programs.begin(), programs.end(),
                            [](const auto& a, const auto& b) { return a.name < b.name; }));
  for (const Program& program : programs) {
    BOOST_TEST(program.doc.ends_with("."), std::string(program.name));
  }
}

BOOST_AUTO_TEST_CASE(a_program_is_found_by_its_name) {
  for (const Program& program : program_catalogue()) {
    BOOST_TEST(find_program(program.name) == &program);
  }
  BOOST_TEST(find_program("fly") == nullptr);
  BOOST_TEST(find_program("") == nullptr);
}

BOOST_AUTO_TEST_CASE(every_program_holds_whatever_the_order_or_is_known_not_to) {
  for (const Program& program : program_catalogue()) {
    const sim::ExploreResult result =
        sim::explore({.strategy = "random", .schedules_max = 500}, program.play);
    BOOST_TEST(result.failure.has_value() != program.holds, std::string(program.name));
  }
}

BOOST_AUTO_TEST_SUITE_END()
