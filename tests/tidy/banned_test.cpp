#include <boost/test/unit_test.hpp>

#include "tests/tidy/checks.hpp"
#include "tests/tidy/tree.hpp"

namespace watchlab::tidy {

BOOST_AUTO_TEST_SUITE(banned_test)

namespace {

std::string said_of(const std::string& path, const std::string& text) {
  return said(check_banned_tokens({{path, text}}));
}

}  // namespace

BOOST_AUTO_TEST_CASE(the_message_names_the_replacement) {
  BOOST_TEST(said_of("sim/a.cpp", "\nstd::mutex m;\n") ==
             "sim/a.cpp:2: std::mutex: use the primitives of core/runtime, "
             "which the simulator schedules\n");
}

BOOST_AUTO_TEST_CASE(the_map_on_os_threads_may_use_the_standard_library) {
  BOOST_TEST(said_of("core/runtime/thread_locks.cpp", "std::mutex m;\n").empty());
}

BOOST_AUTO_TEST_CASE(real_clocks_are_refused) {
  BOOST_TEST(!said_of("core/a.cpp", "auto t = std::chrono::steady_clock::now();\n").empty());
}

BOOST_AUTO_TEST_CASE(distributions_of_the_standard_library_are_refused_and_boosts_are_not) {
  BOOST_TEST(!said_of("sim/a.cpp", "std::uniform_int_distribution<int> d;\n").empty());
  BOOST_TEST(said_of("sim/a.cpp", "boost::random::uniform_int_distribution<int> d;\n").empty());
}

BOOST_AUTO_TEST_CASE(catching_everything_is_refused) {
  BOOST_TEST(!said_of("core/a.cpp", "try { f(); } catch (...) { }\n").empty());
}

BOOST_AUTO_TEST_CASE(comments_and_literals_may_name_what_is_banned) {
  BOOST_TEST(said_of("sim/a.cpp", "// std::mutex\nf(\"std::mutex\");\n").empty());
}

BOOST_AUTO_TEST_CASE(addresses_are_no_keys) {
  BOOST_TEST(!said_of("sim/a.hpp", "std::map<Task*, int> tasks;\n").empty());
  BOOST_TEST(said_of("sim/a.hpp", "std::map<std::string, Task*> tasks;\n").empty());
}

BOOST_AUTO_TEST_CASE(a_loop_over_an_unordered_member_is_found_across_the_pair) {
  const Tree tree{{"core/a.cpp", "void f() {\n  for (const auto& item : state.items_) {\n  }\n}\n"},
                  {"core/a.hpp", "std::unordered_map<std::string, std::vector<int>> items_;\n"}};
  BOOST_TEST(said(check_unordered_loops(tree)) ==
             "core/a.cpp:2: visits the unordered items_: use an ordered container, or "
             "Runtime::order\n");
}

BOOST_AUTO_TEST_CASE(a_parameter_named_like_an_unordered_member_of_the_header_is_fine) {
  const Tree tree{{"core/a.cpp", "void f(const List& items) { for (auto& b : items) {} }\n"},
                  {"core/a.hpp", "struct State { std::unordered_map<int, int> items; };\n"}};
  BOOST_TEST(check_unordered_loops(tree).empty());
}

BOOST_AUTO_TEST_CASE(a_loop_over_an_ordered_member_is_fine) {
  const Tree tree{{"core/a.cpp", "std::map<int, int> a;\nvoid f() { for (auto& b : a) {} }\n"}};
  BOOST_TEST(check_unordered_loops(tree).empty());
}

BOOST_AUTO_TEST_CASE(paths_of_one_machine_are_found) {
  const std::string place = std::string("/ho") + "me/somebody/x";
  BOOST_TEST(!check_places({{"a.sh", "cd " + place + "\n"}}).empty());
  BOOST_TEST(check_places({{"a.sh", "cd $HOME" + place + "\n"}}).empty());
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace watchlab::tidy
