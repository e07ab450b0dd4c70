#include <boost/test/unit_test.hpp>
#include <string>

#include "tests/scenarios/language/told_story.hpp"

using namespace watchlab;
using namespace watchlab::scenarios;
using namespace watchlab::tests;

BOOST_AUTO_TEST_SUITE(aimed_faults_test)

namespace {

bool says(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

const std::string kOwner =
    "server: {objects: [{name: rs, data: {replicas: \"1\"}}]}\n"
    "clients: [{name: x, kind: controller, reconcile: replicas_with_expectations}]\n";

}  // namespace

BOOST_AUTO_TEST_CASE(a_fault_hits_requests_of_one_verb) {
  BOOST_TEST(failure_of(kOwner +
                        "script: [{fault: {fail_requests: {answer: internal, verb: CREATE, times: "
                        "1}}}]\n"
                        "expect:\n"
                        "  - requests: {exactly: [LIST: {answer: ok}, WATCH: {ends: open}, CREATE: "
                        "{answer: internal}, CREATE: {answer: ok}]}\n") == "");
}

BOOST_AUTO_TEST_CASE(a_write_whose_answer_is_lost_was_done) {
  BOOST_TEST(failure_of(kOwner +
                        "script: [{fault: {fail_requests: {answer: reset, what: answers, verb: "
                        "CREATE, times: 1}}}]\n"
                        "expect:\n"
                        "  - requests: {in_order: [CREATE: {answer: reset}]}\n"
                        "  - served: {at_least: [added: rs-1]}\n"
                        "  - objects: {exactly: [rs, rs-1]}\n") == "");
}

BOOST_AUTO_TEST_CASE(a_fault_hits_one_resource) {
  BOOST_TEST(failure_of("clients:\n  - {name: pods, kind: informer, watches: Pod}\n"
                        "  - {name: maps, kind: informer}\n"
                        "script: [{fault: {fail_watch: {answer: internal, resource: pods, times: "
                        "1}}}]\n"
                        "expect:\n"
                        "  - {of: pods, requests: {in_order: [WATCH: {answer: internal}]}}\n"
                        "  - {of: maps, requests: {exactly: [LIST: {rv: \"0\"}, WATCH: {ends: "
                        "open}]}}\n") == "");
}

BOOST_AUTO_TEST_CASE(a_fault_that_nothing_can_meet_is_a_mistake) {
  const std::string client = "clients: [{name: x, kind: informer}]\n";
  BOOST_TEST(says(problems_with(client + "script: [{fault: {delay: {by: 1s, verb: CREATE}}}]\n"),
                  "the fault 'delay' of CREATE requests, which no client sends"));
  BOOST_TEST(says(problems_with(client + "script: [{fault: {delay: {by: 1s, resource: pod}}}]\n"),
                  "the fault 'delay' of 'pod', which no server serves"));
}

BOOST_AUTO_TEST_SUITE_END()
