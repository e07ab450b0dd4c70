#include <boost/test/unit_test.hpp>

#include "tests/tidy/checks.hpp"
#include "tests/tidy/tree.hpp"

namespace watchlab::tidy {
BOOST_AUTO_TEST_SUITE(patches_test)

namespace {

const Source kFile{"core/a.cpp", "one\ntwo\n\nthree\n"};

/// A patch that turns two into zwei, with this line before the change.
Source patch(std::string path, const std::string& context) {
  return {std::move(path), "--- a/core/a.cpp\n+++ b/core/a.cpp\n@@ -1,2 +1,2 @@\n " + context +
                               "\n-two\n+zwei\n \n"};
}

}  // namespace

BOOST_AUTO_TEST_CASE(a_patch_whose_context_is_there_passes) {
  BOOST_TEST(check_patches({kFile, patch("tests/mutants/core/a.patch", "one")}).empty());
}

BOOST_AUTO_TEST_CASE(a_patch_of_lines_that_are_gone_is_found) {
  BOOST_TEST(said(check_patches({kFile, patch("tests/mutants/core/a.patch", "none")})) ==
             "tests/mutants/core/a.patch:3: no longer applies: core/a.cpp has changed where this "
             "stood\n");
}

BOOST_AUTO_TEST_CASE(a_patch_that_fits_in_two_places_is_found) {
  const Source twice{"core/a.cpp", "one\ntwo\n\none\ntwo\n\n"};
  BOOST_TEST(said(check_patches({twice, patch("tests/mutants/core/a.patch", "one")})) ==
             "tests/mutants/core/a.patch:3: could apply in two places of core/a.cpp: add lines "
             "around it\n");
}

BOOST_AUTO_TEST_CASE(a_patch_of_a_file_that_is_gone_is_found) {
  BOOST_TEST(said(check_patches({patch("tests/mutants/core/a.patch", "one")})) ==
             "tests/mutants/core/a.patch:3: changes core/a.cpp, which is no file\n");
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace watchlab::tidy
