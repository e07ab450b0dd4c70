#include <array>
#include <boost/test/unit_test.hpp>

#include "tests/tidy/checks.hpp"
#include "tests/tidy/tree.hpp"

namespace watchlab::tidy {

BOOST_AUTO_TEST_SUITE(listing_test)

namespace {

constexpr std::array kRows{Catalogue{"sim/faults/", ".hpp", "Entry *()", "docs/faults.md"}};

}  // namespace

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

BOOST_AUTO_TEST_CASE(a_member_without_a_row_is_found) {
  const Tree tree{{"docs/faults.md", "| `delay` | … |\n"},
                  {"sim/faults/close_watch.hpp", "Entry close_watch();\n"},
                  {"sim/faults/delay.hpp", "Entry delay();\n"},
                  {"sim/faults/rule.hpp", "class Rule;\n"}};
  BOOST_TEST(said(check_catalogues(tree, kRows)) ==
             "sim/faults/close_watch.hpp:1: is not in its catalogue; add a row to "
             "docs/faults.md\n");
}

BOOST_AUTO_TEST_CASE(a_row_that_a_command_writes_is_asked_for_with_it) {
  constexpr std::array kWritten{
      Catalogue{"scenarios/", ".yaml", "apiVersion:", "docs/scenarios.md", "./watchlab refresh"}};
  const Tree tree{{"docs/scenarios.md", ""}, {"scenarios/a/late.yaml", "apiVersion: v1\n"}};
  BOOST_TEST(said(check_catalogues(tree, kWritten)) ==
             "scenarios/a/late.yaml:1: is not in its catalogue; write its row of docs/scenarios.md "
             "with: ./watchlab refresh\n");
}

BOOST_AUTO_TEST_CASE(a_catalogue_without_a_page_is_found) {
  BOOST_TEST(!check_catalogues({{"sim/faults/delay.hpp", "Entry delay();\n"}}, kRows).empty());
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace watchlab::tidy
