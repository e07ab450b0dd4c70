#include <boost/test/unit_test.hpp>

#include "tests/tidy/checks.hpp"
#include "tests/tidy/tree.hpp"

namespace watchlab::tidy {

BOOST_AUTO_TEST_SUITE(listing_test)

BOOST_AUTO_TEST_CASE(a_file_in_no_list_is_found) {
  const Tree tree{{"core/cache/a.cpp", ""},
                  {"core/cache/b.hpp", ""},
                  {"core/cache/meson.build", "core_sources += files('a.cpp')\n"}};
  BOOST_TEST(said(check_build_lists(tree)) ==
             "core/cache/b.hpp:1: stands in no list; add it to core/cache/meson.build\n");
}

BOOST_AUTO_TEST_CASE(a_list_further_up_counts) {
  const Tree tree{{"core/cache/a.cpp", ""}, {"core/meson.build", "files('cache/a.cpp')\n"}};
  BOOST_TEST(check_build_lists(tree).empty());
}

BOOST_AUTO_TEST_CASE(files_of_an_exercise_stand_in_no_list) {
  const Tree tree{{"exercises/01-store/exercise.yaml", "id: E01\n"},
                  {"exercises/01-store/starter/store.cpp", ""},
                  {"exercises/grader/main.cpp", ""}};
  BOOST_TEST(said(check_build_lists(tree)) ==
             "exercises/grader/main.cpp:1: stands in no list; add it to "
             "exercises/grader/meson.build\n");
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace watchlab::tidy
