#include <boost/test/unit_test.hpp>

#include "tests/tidy/source.hpp"

namespace watchlab::tidy {

BOOST_AUTO_TEST_SUITE(functions_test)

namespace {

std::vector<Function> found_in(const std::string& text) {
  return functions_of(Source("core/a.cpp", text));
}

}  // namespace

BOOST_AUTO_TEST_CASE(members_of_a_class_in_a_namespace_are_found) {
  const auto found = found_in(
      "namespace a {\nclass B {\n public:\n  int c() const { return 1; }\n\n"
      "  void d(int x, std::map<int, int> y) {\n  }\n};\n}\n");
  BOOST_REQUIRE(found.size() == 2U);
  BOOST_TEST(found[0].name == "c");
  BOOST_TEST(found[0].parameters == 0U);
  BOOST_TEST(found[1].name == "d");
  BOOST_TEST(found[1].parameters == 2U);
}

BOOST_AUTO_TEST_CASE(a_constructor_with_braced_initializers_is_one_function) {
  const auto found = found_in("A::A(int x) : a_{x}, b_(2) {\n  f();\n}\n");
  BOOST_REQUIRE(found.size() == 1U);
  BOOST_TEST(found[0].name == "A::A");
}

BOOST_AUTO_TEST_CASE(tables_are_no_functions) {
  BOOST_TEST(found_in("const std::array<int, 2> a{f(1), f(2)};\nint b = {g(3)};\n").empty());
}

BOOST_AUTO_TEST_CASE(levels_are_those_of_blocks) {
  const auto found =
      found_in("void f() {\n  for (;;) {\n    if (a) {\n      b({1, 2});\n    }\n  }\n}\n");
  BOOST_REQUIRE(found.size() == 1U);
  BOOST_TEST(found[0].levels == 2U);
}

BOOST_AUTO_TEST_CASE(a_lambda_is_no_level_but_its_statements_are) {
  const auto found = found_in("void f() {\n  spawn([&](int a) {\n    if (a) {\n    }\n  });\n}\n");
  BOOST_REQUIRE(found.size() == 1U);
  BOOST_TEST(found[0].levels == 1U);
}

BOOST_AUTO_TEST_CASE(the_line_of_the_caller_is_no_parameter) {
  const auto found = found_in("void f(int a, Location here = Location::current()) {}\n");
  BOOST_REQUIRE(found.size() == 1U);
  BOOST_TEST(found[0].parameters <= 1U);
}

BOOST_AUTO_TEST_CASE(a_test_case_starts_at_its_own_line) {
  const Source source("tests/a.cpp", "BOOST_AUTO_TEST_SUITE(a)\n\nBOOST_AUTO_TEST_CASE(b) {\n}\n");
  BOOST_REQUIRE(functions_of(source).size() == 1U);
  BOOST_TEST(source.line_of(functions_of(source)[0].start) == 3U);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace watchlab::tidy
