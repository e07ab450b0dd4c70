#include <boost/test/unit_test.hpp>

#include "tests/tidy/checks.hpp"
#include "tests/tidy/tree.hpp"

namespace watchlab::tidy {

BOOST_AUTO_TEST_SUITE(includes_test)

BOOST_AUTO_TEST_CASE(core_may_not_know_sim) {
  BOOST_TEST(said(check_includes({{"core/a.cpp", "\n#include \"sim/b.hpp\"\n"}})) ==
             "core/a.cpp:2: includes \"sim/b.hpp\": core/ must not know sim/; "
             "turn the dependency round\n");
}

BOOST_AUTO_TEST_CASE(sim_may_know_core) {
  BOOST_TEST(said(check_includes({{"sim/a.cpp", "#include \"core/b.hpp\"\n"}})).empty());
}

BOOST_AUTO_TEST_CASE(own_files_are_named_from_the_root) {
  BOOST_TEST(!check_includes({{"core/cache/a.cpp", "#include \"b.hpp\"\n"}}).empty());
  BOOST_TEST(!check_includes({{"core/cache/a.cpp", "#include <core/cache/b.hpp>\n"}}).empty());
}

BOOST_AUTO_TEST_CASE(hostile_submissions_include_what_they_want) {
  const std::string attack = "#include \"/proc/self/mem\"\n";
  BOOST_TEST(check_includes({{"tests/exercises/hostile/a.cpp", attack}}).empty());
  BOOST_TEST(!check_includes({{"tests/exercises/grader/a.cpp", attack}}).empty());
}

BOOST_AUTO_TEST_CASE(heavy_headers_stay_in_their_files) {
  BOOST_TEST(!check_includes({{"core/a.hpp", "#include <boost/json.hpp>\n"}}).empty());
  BOOST_TEST(check_includes({{"core/a.cpp", "#include <boost/json.hpp>\n"}}).empty());
  BOOST_TEST(!check_includes({{"sim/faults/a.cpp", "#include <boost/asio/post.hpp>\n"}}).empty());
  BOOST_TEST(
      check_includes({{"sim/kernel/asio_a.cpp", "#include <boost/asio/post.hpp>\n"}}).empty());
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace watchlab::tidy
