#include <boost/test/unit_test.hpp>

#include "tests/tidy/checks.hpp"
#include "tests/tidy/tree.hpp"

namespace watchlab::tidy {

BOOST_AUTO_TEST_SUITE(sequencing_test)

namespace {

std::string said_of(const std::string& text) {
  return said(check_sequencing({{"core/a.cpp", text}}));
}

}  // namespace

BOOST_AUTO_TEST_CASE(two_arguments_of_one_call_are_unsequenced) {
  BOOST_TEST(said_of("f(a.receive(), b.receive());\n") ==
             "core/a.cpp:1: receive and receive stand unsequenced in one expression: "
             "give one a name first\n");
}

BOOST_AUTO_TEST_CASE(two_operands_are_unsequenced) {
  BOOST_TEST(!said_of("x = a.load() + b->load();\n").empty());
}

BOOST_AUTO_TEST_CASE(statements_and_short_circuits_are_sequenced) {
  BOOST_TEST(said_of("a.lock(); b.lock();\n").empty());
  BOOST_TEST(said_of("if (a.load() && b.load()) {}\n").empty());
  BOOST_TEST(said_of("x = a.load() ? b.load() : c;\n").empty());
}

BOOST_AUTO_TEST_CASE(elements_of_a_braced_list_are_sequenced) {
  BOOST_TEST(said_of("P p{a.receive(), b.receive()};\n").empty());
}

BOOST_AUTO_TEST_CASE(links_of_a_chain_are_sequenced) {
  BOOST_TEST(said_of("choice.receive(a)\n    .send(b, 1)\n    .wait();\n").empty());
  BOOST_TEST(!said_of("f(a.receive(), b.receive());\n").empty());
}

BOOST_AUTO_TEST_CASE(an_argument_comes_before_its_call) {
  BOOST_TEST(said_of("a.send(b.receive());\n").empty());
}

BOOST_AUTO_TEST_CASE(a_destructor_that_waits_is_found) {
  const auto said_of_destructor = [](const std::string& body) {
    return said(check_destructors({{"core/a.cpp", "A::~A() {\n  " + body + "\n}\n"}}));
  };
  BOOST_TEST(said_of_destructor("task_.join();") ==
             "core/a.cpp:1: ~A waits: end the work before, in a stop()\n");
  BOOST_TEST(!said_of_destructor("Lock lock(mutex_);").empty());
  BOOST_TEST(said_of_destructor("stop_.close();").empty());
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace watchlab::tidy
