// What each sketch shows on core as it is: most hold, and the rest meet what docs/known_live.md
// tells.
#include <boost/test/unit_test.hpp>
#include <map>
#include <string>

#include "sim/explore/explore.hpp"
#include "sim/sketches/sketch.hpp"

namespace watchlab::sim {

BOOST_AUTO_TEST_SUITE(sketches_test)

/// How a run of that sketch ends on core; "" where none of 2,000 random schedules fails.
const std::map<std::string_view, std::string> kEndings{
    {"broadcaster_shut_down_under_a_writer", ""},
    {"fan_out_before_the_start", "deadlock"},
    {"reader_leaves_a_broadcaster", ""},
    {"reader_leaves_a_filter", "leak"},
    {"stop_meets_a_torn_stream", ""},
    {"two_runs_of_one_informer", "violation"},
};

BOOST_AUTO_TEST_CASE(a_sketch_ends_as_core_is_known_to) {
  for (const Sketch& sketch : sketch_catalogue()) {
    const ExploreResult result =
        explore({.strategy = "random", .schedules_max = 2000}, sketch.play);
    const std::string ending = result.failure ? result.failure->kind : "";
    BOOST_TEST(ending == kEndings.at(sketch.name), sketch.name << " ends with " << ending);
  }
  BOOST_TEST(sketch_catalogue().size() == kEndings.size());
}

BOOST_AUTO_TEST_CASE(the_catalogue_is_sorted_and_says_what_each_is) {
  std::string_view last;
  for (const Sketch& sketch : sketch_catalogue()) {
    const bool in_order = last < sketch.name;
    BOOST_TEST(in_order, last << " stands before " << sketch.name);
    BOOST_TEST(sketch.doc.ends_with('.'), sketch.name);
    last = sketch.name;
  }
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace watchlab::sim
