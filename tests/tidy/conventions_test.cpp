#include <boost/test/unit_test.hpp>

#include "tests/tidy/checks.hpp"
#include "tests/tidy/tree.hpp"

namespace watchlab::tidy {

BOOST_AUTO_TEST_SUITE(conventions_test)

namespace {

bool is_refused_as_constant(const std::string& text) {
  return !check_constants({{"sim/a.cpp", text}}).empty();
}

std::string said_of_test(const std::string& text) {
  return said(check_test_layout({{"tests/a_test.cpp", text}}));
}

}  // namespace

BOOST_AUTO_TEST_CASE(constants_of_namespaces_and_classes_start_with_k) {
  BOOST_TEST(said(check_constants({{"sim/a.cpp", "\nconstexpr int steps_max = 1;\n"}})) ==
             "sim/a.cpp:2: steps_max is a constant; name it kLikeThis\n");
  BOOST_TEST(is_refused_as_constant("inline constexpr std::array<int, 2> pairs{1, 2};\n"));
  BOOST_TEST(is_refused_as_constant("constexpr std::array<std::string_view, 1>\n    names{a};\n"));
  BOOST_TEST(is_refused_as_constant("class A {\n  static constexpr int most = 1;\n};\n"));
  BOOST_TEST(!is_refused_as_constant("constexpr int kStepsMax = 1;\n"));
  BOOST_TEST(!is_refused_as_constant("template <>\ninline constexpr auto kTexts<Verb> = 1;\n"));
  BOOST_TEST(is_refused_as_constant("template <>\ninline constexpr auto texts<Verb> = 1;\n"));
}

BOOST_AUTO_TEST_CASE(functions_local_constants_and_names_that_others_ask_for_are_free) {
  BOOST_TEST(!is_refused_as_constant("constexpr bool is(int a = 1) { return a == 1; }\n"));
  BOOST_TEST(!is_refused_as_constant("void f() {\n  constexpr int most = 1;\n}\n"));
  BOOST_TEST(!is_refused_as_constant("class A {\n  static constexpr bool is_steady = true;\n};\n"));
}

BOOST_AUTO_TEST_CASE(a_third_family_of_text_functions_is_found) {
  BOOST_TEST(said(check_text_functions({{"sim/a.hpp", "\nstd::string to_text(int a);\n"}})) ==
             "sim/a.hpp:2: to_text: call it to_string; to_string is a value's text, "
             "describe is for people\n");
  BOOST_TEST(check_text_functions({{"sim/a.hpp", "std::string to_string(A a);\n"}}).empty());
}

BOOST_AUTO_TEST_CASE(a_case_in_the_namespace_of_the_helpers_is_found) {
  BOOST_TEST(said_of_test("namespace {\nint a;\nBOOST_AUTO_TEST_CASE(b) {}\n}  // namespace\n") ==
             "tests/a_test.cpp:3: stands in the namespace of the helpers; close that before the "
             "cases\n");
  BOOST_TEST(!said_of_test("namespace {\nBOOST_AUTO_TEST_SUITE_END()\n}  // namespace\n").empty());
}

BOOST_AUTO_TEST_CASE(helpers_before_the_cases_pass) {
  BOOST_TEST(said_of_test("BOOST_AUTO_TEST_SUITE(a_test)\nnamespace {\nint a;\n}  // namespace\n"
                          "BOOST_AUTO_TEST_CASE(b) {}\nBOOST_AUTO_TEST_SUITE_END()\n")
                 .empty());
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace watchlab::tidy
