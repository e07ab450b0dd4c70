#include "exercises/programs/variant.hpp"

#include <boost/test/unit_test.hpp>
#include <filesystem>
#include <string>
#include <vector>

#include "exercises/programs/builder.hpp"
#include "tests/exercises/grader/scratch_folder.hpp"

namespace watchlab::course {

BOOST_AUTO_TEST_SUITE(variant_test)

namespace {

constexpr const char* kDefect = R"(Clause: C4
Symptom: What is gone is still there.
Weight: 2.5

--- a/core/cache/fifo.cpp
+++ b/core/cache/fifo.cpp
)";

}  // namespace

BOOST_AUTO_TEST_CASE(pools_are_folders_and_correct_ones_come_first) {
  const ScratchFolder folder;
  folder.write("variants/correct/second.cpp", "// Breaks: its order\n");
  folder.write("variants/correct/first.cpp", "// Just a comment.\n");
  folder.write("variants/shown/keeps.patch", kDefect);
  folder.write("variants/hidden/loses.patch", kDefect);
  const Exercise exercise{.folder = folder.path()};
  const auto all = read_variants(exercise, folder.path() / "variants/hidden");
  BOOST_TEST_REQUIRE(all.size() == 4);
  BOOST_TEST(all[0].id == "first");
  BOOST_TEST(all[1].breaks == "its order");
  BOOST_TEST((all[2].pool == Pool::Shown));
  BOOST_TEST(all[2].weight == 2.5);
  BOOST_TEST(all[2].of == "first");
  BOOST_TEST((all[3].pool == Pool::Hidden));
  BOOST_TEST(read_variants(exercise, "").size() == 3);
}

BOOST_AUTO_TEST_CASE(a_defect_says_what_it_breaks_and_how_one_would_notice) {
  Variant variant{.pool = Pool::Shown, .source = "x.patch"};
  BOOST_CHECK_THROW(read_description(variant, "Clause: C4\n\n--- a/x\n"), BadInput);
  BOOST_CHECK_NO_THROW(read_description(variant, "Clause: C4\nSymptom: s\n\n--- a/x\n"));
}

BOOST_AUTO_TEST_CASE(an_unknown_key_of_a_patch_is_refused) {
  Variant variant{.pool = Pool::Correct, .source = "x.patch"};
  BOOST_CHECK_THROW(read_description(variant, "Symtom: s\n\n--- a/x\n"), BadInput);
}

BOOST_AUTO_TEST_CASE(libraries_are_known_with_and_without_a_version) {
  const ScratchFolder scratch;
  const std::vector<std::filesystem::path> libraries{scratch.write("built/libone.so", ""),
                                                     scratch.write("built/libtwo.so.0.1", "")};
  for (const char* const name : {"built/stamp", "built/variant.cpp", "built/so", "built/x.sort"}) {
    scratch.write(name, "");
  }
  BOOST_TEST((libraries_in(scratch.path() / "built") == libraries));
}

BOOST_AUTO_TEST_CASE(a_weight_is_a_number_above_zero) {
  Variant variant{.pool = Pool::Correct, .source = "x.patch"};
  BOOST_CHECK_THROW(read_description(variant, "Weight: 0\n\n"), BadInput);
  BOOST_CHECK_THROW(read_description(variant, "Weight: much\n\n"), BadInput);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace watchlab::course
