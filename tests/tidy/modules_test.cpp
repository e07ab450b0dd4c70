#include <boost/test/unit_test.hpp>

#include "tests/tidy/checks.hpp"
#include "tests/tidy/tree.hpp"

namespace watchlab::tidy {

BOOST_AUTO_TEST_SUITE(modules_test)

namespace {

const Source map{"docs/architecture.dot", "\"sim/b\" -> \"core/a\"\n\"sim/c\" -> \"sim/b\"\n"};
const Source b{"sim/b/b.cpp", "#include \"core/a/a.hpp\"\n"};
const Source c{"sim/c/c.cpp", "#include \"sim/b/b.hpp\"\n#include \"core/a/a.hpp\"\n"};

}  // namespace

BOOST_AUTO_TEST_CASE(an_include_may_go_through_several_arrows) {
  BOOST_TEST(said(check_modules({map, b, c})).empty());
}

BOOST_AUTO_TEST_CASE(an_include_without_an_arrow_is_reported) {
  const Source wrong{"sim/b/wrong.cpp", "\n#include \"sim/c/c.hpp\"\n"};
  BOOST_TEST(said(check_modules({map, b, c, wrong})) ==
             "sim/b/wrong.cpp:2: includes sim/c, to which no arrow of docs/architecture.dot "
             "leads from sim/b\n");
}

BOOST_AUTO_TEST_CASE(an_arrow_without_an_include_is_reported) {
  BOOST_TEST(said(check_modules({map, c})) ==
             "docs/architecture.dot:1: sim/b includes nothing of core/a\n");
}

BOOST_AUTO_TEST_CASE(an_arrow_that_others_make_needless_is_reported) {
  const Source more{"docs/architecture.dot", map.text() + "\"sim/c\" -> \"core/a\"\n"};
  BOOST_TEST(said(check_modules({more, b, c})) ==
             "docs/architecture.dot:3: other arrows lead from sim/c to core/a: take it out\n");
}

BOOST_AUTO_TEST_CASE(a_circle_of_arrows_is_reported) {
  const Source round{"docs/architecture.dot", map.text() + "\"core/a\" -> \"sim/c\"\n"};
  BOOST_TEST(said(check_modules({round, b, c})).find("lead to each other") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(exercises_are_one_place_on_the_map) {
  const Source exercises{"docs/architecture.dot",
                         "\"exercises/NN-slug\" -> \"exercises/toolkit\"\n"};
  const Source one{"exercises/01-store/a.cpp", "#include \"exercises/toolkit/a.hpp\"\n"};
  BOOST_TEST(said(check_modules({exercises, one})).empty());
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace watchlab::tidy
