#include "exercises/grader/build_traits.hpp"

#include <boost/test/unit_test.hpp>
#include <string>
#include <vector>

#include "exercises/grader/builder.hpp"
#include "exercises/grader/plain_process.hpp"
#include "exercises/grader/reading.hpp"
#include "exercises/grader/variant_builder.hpp"
#include "tests/exercises/grader/grading_fixture.hpp"

namespace watchlab::course {
BOOST_FIXTURE_TEST_SUITE(build_traits_test, GradingFixture)

BOOST_AUTO_TEST_CASE(a_name_has_the_same_traits_each_time_and_students_have_none) {
  const auto words = trait_words(toolchain, BuiltFor::Grading, "one");
  BOOST_TEST(!words.empty());
  BOOST_TEST(words == trait_words(toolchain, BuiltFor::Grading, "one"),
             boost::test_tools::per_element());
  BOOST_TEST((words != trait_words(toolchain, BuiltFor::Grading, "another")));
  BOOST_TEST(trait_words(toolchain, BuiltFor::Students, "one").empty());
}

BOOST_AUTO_TEST_CASE(what_is_handed_out_has_other_code_than_what_is_graded_with) {
  std::vector<std::string> codes;
  for (const BuiltFor purpose : {BuiltFor::Students, BuiltFor::Grading}) {
    std::vector<Variant> variants = read_variants(exercise, "");
    VariantBuilder(
        toolchain, exercise, [](std::string_view) {}, purpose)
        .build(variants);
    const std::string out = (scratch.path() / "code").string();
    const ProcessEnd end = run_plainly({"/usr/bin/objcopy", "-O", "binary", "--only-section=.text",
                                        (variants.front().built / subject_library).string(), out},
                                       scratch.path());
    BOOST_TEST_REQUIRE(end.status == 0, end.output);
    codes.push_back(read_whole(out));
  }
  BOOST_TEST(!codes[0].empty());
  BOOST_TEST((codes[0] != codes[1]));
}

BOOST_AUTO_TEST_SUITE_END()
}  // namespace watchlab::course
