#include <boost/test/unit_test.hpp>

#include "tests/tidy/checks.hpp"
#include "tests/tidy/tree.hpp"

namespace watchlab::tidy {

BOOST_AUTO_TEST_SUITE(limits_test)

namespace {

std::string repeated(const std::string& text, int times) {
  std::string result;
  for (int i = 0; i < times; ++i) {
    result += text;
  }
  return result;
}

std::string said_of(const std::string& path, const std::string& text) {
  return said(check_limits({{path, text}}));
}

}  // namespace

BOOST_AUTO_TEST_CASE(a_file_of_801_lines_is_too_long) {
  BOOST_TEST(said_of("core/a.cpp", repeated("\n", 800)).empty());
  BOOST_TEST(said_of("core/a.cpp", repeated("\n", 801)) ==
             "core/a.cpp:801: lines: 801, the limit is 800; split it by topic\n");
}

BOOST_AUTO_TEST_CASE(a_function_of_71_lines_is_too_long) {
  BOOST_TEST(said_of("core/a.cpp", "void f() {\n" + repeated("  g();\n", 68) + "}\n").empty());
  BOOST_TEST(said_of("core/a.cpp", "void f() {\n" + repeated("  g();\n", 69) + "}\n") ==
             "core/a.cpp:1: f: lines 71, the limit is 70; name its parts and move them out\n");
}

BOOST_AUTO_TEST_CASE(a_line_of_101_columns_is_too_wide) {
  BOOST_TEST(said_of("core/a.cpp", repeated("x", 100) + "\n").empty());
  BOOST_TEST(!said_of("core/a.cpp", repeated("x", 101) + "\n").empty());
}

BOOST_AUTO_TEST_CASE(columns_are_characters_and_not_bytes) {
  BOOST_TEST(said_of("core/a.cpp", "//" + repeated("…", 98) + "\n").empty());
}

BOOST_AUTO_TEST_CASE(a_header_guards_itself) {
  BOOST_TEST(!said_of("core/a.hpp", "int a();\n").empty());
  BOOST_TEST(said_of("core/a.hpp", "#pragma once\nint a();\n").empty());
}

BOOST_AUTO_TEST_CASE(five_parameters_are_too_many) {
  BOOST_TEST(said_of("core/a.cpp", "void f(int a, int b, int c, int d) {}\n").empty());
  BOOST_TEST(!said_of("core/a.cpp", "void f(int a, int b, int c, int d, int e) {}\n").empty());
}

BOOST_AUTO_TEST_CASE(five_levels_are_too_deep) {
  const auto nested = [](int levels) {
    return "void f() {" + repeated("if (a) {", levels) + repeated("}", levels) + "}\n";
  };
  BOOST_TEST(said_of("core/a.cpp", nested(4)).empty());
  BOOST_TEST(!said_of("core/a.cpp", nested(5)).empty());
}

BOOST_AUTO_TEST_CASE(an_exception_allows_one_problem_of_one_file) {
  const Problems problems{{"core/a.cpp", 1, "lines: 401"}, {"core/b.cpp", 1, "lines: 401"}};
  BOOST_TEST(said(without_exceptions(problems, {{"core/a.cpp", "lines", "it is a table"}})) ==
             "core/b.cpp:1: lines: 401\n");
}

BOOST_AUTO_TEST_CASE(an_exception_that_allows_nothing_is_a_problem) {
  BOOST_TEST(!without_exceptions({}, {{"core/a.cpp", "lines", "it is a table"}}).empty());
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace watchlab::tidy
