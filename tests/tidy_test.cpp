// The tree as it is holds against every check of tests/tidy; each check has a test of its own
// there.
#include <boost/test/unit_test.hpp>
#include <filesystem>
#include <string>
#include <vector>

#include "tests/tidy/checks.hpp"
#include "tests/tidy/tree.hpp"

namespace watchlab::tidy {

BOOST_AUTO_TEST_SUITE(tidy_test)

namespace {

const Tree& tree() {
  static const Tree tree = read_tree(std::filesystem::current_path());
  return tree;
}

std::string report(const Problems& problems) {
  std::string text;
  for (const Problem& problem : problems) {
    text += "\n" + problem.path + ":" + std::to_string(problem.line) + ": " + problem.message;
  }
  return text;
}

void hold(const Problems& problems) { BOOST_TEST(problems.empty(), report(problems)); }

}  // namespace

BOOST_AUTO_TEST_CASE(the_test_runs_at_the_root_of_a_checkout) {
  const auto has = [](std::string_view path) {
    return std::ranges::find(tree(), path, &Source::path) != tree().end();
  };
  BOOST_TEST(has("meson.build"));
  BOOST_TEST(has("core/runtime/runtime.hpp"));
  BOOST_TEST(has("watchlab"));
}

BOOST_AUTO_TEST_CASE(includes_point_down_the_house) { hold(check_includes(tree())); }

BOOST_AUTO_TEST_CASE(the_map_of_folders_is_true) { hold(check_modules(tree())); }

BOOST_AUTO_TEST_CASE(libraries_include_what_they_stand_on) { hold(check_products(tree())); }

BOOST_AUTO_TEST_CASE(no_banned_token_stands_in_the_code) { hold(check_banned_tokens(tree())); }

BOOST_AUTO_TEST_CASE(no_loop_visits_an_unordered_container) { hold(check_unordered_loops(tree())); }

BOOST_AUTO_TEST_CASE(no_text_is_tied_to_a_machine) { hold(check_places(tree())); }

BOOST_AUTO_TEST_CASE(runtime_operations_are_sequenced) { hold(check_sequencing(tree())); }

BOOST_AUTO_TEST_CASE(destructors_of_core_do_not_wait) { hold(check_destructors(tree())); }

BOOST_AUTO_TEST_CASE(every_file_is_built) { hold(check_build_lists(tree())); }

BOOST_AUTO_TEST_CASE(every_patch_still_applies) { hold(check_patches(tree())); }

BOOST_AUTO_TEST_CASE(the_map_answers_with_what_is_there) { hold(check_map(tree())); }

BOOST_AUTO_TEST_CASE(what_pages_name_is_in_the_tree) { hold(check_pages(tree())); }

BOOST_AUTO_TEST_SUITE_END()

}  // namespace watchlab::tidy
