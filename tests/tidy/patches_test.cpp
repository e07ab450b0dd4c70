#include <boost/test/unit_test.hpp>

#include "tests/tidy/checks.hpp"
#include "tests/tidy/tree.hpp"

namespace watchlab::tidy {
BOOST_AUTO_TEST_SUITE(patches_test)

namespace {

const Source kFile{"core/a.cpp", "one\ntwo\n\nthree\n"};

/// A patch that turns two into zwei, with these lines before the change.
Source patch(std::string path, const std::string& context, const std::string& head = "") {
  return {std::move(path), head + "--- a/core/a.cpp\n+++ b/core/a.cpp\n@@ -1,2 +1,2 @@\n " +
                               context + "\n-two\n+zwei\n \n"};
}

/// What is said of the one mutant of core when the lists of those that fuzz looks for say this.
Problems account(const std::string& hunted, const std::string& unhunted) {
  return check_patches({kFile,
                        patch("tests/mutants/core/a.patch", "one"),
                        {"tests/mutants/hunted.txt", hunted},
                        {"tests/mutants/unhunted.txt", unhunted}});
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

BOOST_AUTO_TEST_CASE(a_patch_of_a_file_that_is_gone_is_found) {
  BOOST_TEST(said(check_patches({patch("tests/mutants/core/a.patch", "one")})) ==
             "tests/mutants/core/a.patch:3: changes core/a.cpp, which is no file\n");
}

BOOST_AUTO_TEST_CASE(the_list_of_hunted_mutants_names_mutants_and_clauses) {
  BOOST_TEST(said(account("# all\ncore/a C1\n", "")).empty());
  BOOST_TEST(said(account("core/b C1\ncore/a C1\n", "")) ==
             "tests/mutants/hunted.txt:1: names core/b, which is no mutant\n");
  BOOST_TEST(said(account("core/a\n", "core/a lawful it is slow\n")) ==
             "tests/mutants/hunted.txt:1: does not say which clause core/a breaks\n");
}

BOOST_AUTO_TEST_CASE(of_each_other_mutant_a_list_says_why_it_is_not_hunted) {
  BOOST_TEST(said(account("", "core/a undriven no story has one\n")).empty());
  BOOST_TEST(said(account("core/a C1\n", "core/a lawful\n")) ==
             "tests/mutants/unhunted.txt:1: gives no reason for core/a\n");
  BOOST_TEST(said(account("core/a C1\n", "core/a slow it is slow\n")) ==
             "tests/mutants/unhunted.txt:1: says neither lawful, undriven, equal nor unseen of "
             "core/a\n");
}

BOOST_AUTO_TEST_CASE(a_mutant_of_core_is_in_one_of_the_lists) {
  BOOST_TEST(said(account("", "")) ==
             "tests/mutants/core/a.patch:1: is in neither of hunted.txt and unhunted.txt\n");
  BOOST_TEST(said(account("core/a C1\n", "core/a lawful it is slow\n")) ==
             "tests/mutants/core/a.patch:1: is in both of hunted.txt and unhunted.txt\n");
  BOOST_TEST(said(account("core/a C1\ncore/a C2\n", "")) ==
             "tests/mutants/hunted.txt:2: names core/a twice\n");
}

BOOST_AUTO_TEST_CASE(a_fix_says_what_it_fixes_and_is_on_the_page) {
  const std::string head = "Fixes: a\nShown-by: a_test/one\nKilled-by: core\n\n";
  const Source fix = patch("tests/fixes/less.patch", "one", head);
  BOOST_TEST(check_patches({kFile, fix, {"docs/known_live.md", "| `less` |\n"}}).empty());
  BOOST_TEST(said(check_patches({kFile, fix, {"docs/known_live.md", "lesson\n"}})) ==
             "tests/fixes/less.patch:1: is not named by docs/known_live.md\n");
  BOOST_TEST(
      check_patches(
          {kFile, patch("tests/fixes/less.patch", "one"), {"docs/known_live.md", "| `less` |\n"}})
          .size() == 3U);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace watchlab::tidy
