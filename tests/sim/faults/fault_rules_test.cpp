#include "sim/faults/fault_rules.hpp"

#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <map>
#include <set>
#include <stdexcept>

#include "sim/faults/fault_catalogue.hpp"
#include "sim/faults/fault_effects.hpp"

using namespace watchlab;
using namespace watchlab::sim;
using namespace std::chrono_literals;

BOOST_AUTO_TEST_SUITE(fault_rules_test)

namespace {

/// Asks a set of rules about requests.
struct Requests {
  bool refused(Request request = {.verb = Verb::List}) {
    const FaultDecision decision = rules.evaluate(
        {.stage = Stage::Request, .request = request, .exchange = next++, .now = now}, revision);
    return std::holds_alternative<Fail>(decision.verdict);
  }

  FaultRules rules;
  std::uint64_t next = 1;
  runtime::TimePoint now{1h};
  Revision revision = 10;
};

}  // namespace

BOOST_AUTO_TEST_CASE(the_nth_request_is_hit_and_no_other) {
  Requests requests;
  requests.rules.add(make_fault("refuse_connections", {.skip = 2, .times = 1}), 1);
  BOOST_TEST(!requests.refused());
  BOOST_TEST(!requests.refused());
  BOOST_TEST(requests.refused());
  BOOST_TEST(!requests.refused());
}

BOOST_AUTO_TEST_CASE(a_trigger_looks_at_client_verb_and_resource) {
  Requests requests;
  requests.rules.add(
      make_fault("refuse_connections", {.client = "a", .verbs = {Verb::Watch}, .resource = "pods"}),
      1);
  Request request{.verb = Verb::Watch, .resource = {"", "v1", "pods"}};
  request.client = "a";
  BOOST_TEST(requests.refused(request));
  for (auto change : {+[](Request& r) { r.client = "b"; }, +[](Request& r) { r.client = "a2"; },
                      +[](Request& r) { r.verb = Verb::List; },
                      +[](Request& r) { r.resource.resource = "pods2"; },
                      +[](Request& r) { r.resource.resource = "nodes"; }}) {
    Request other = request;
    change(other);
    BOOST_TEST(!requests.refused(other));
  }
}

BOOST_AUTO_TEST_CASE(a_trigger_of_a_key_leaves_those_alone_that_begin_with_it) {
  const Trigger trigger{.key = "default/web"};
  for (const auto& [name, hit] : std::map<std::string, bool>{{"web", true}, {"web2", false}}) {
    api::Object object;
    object.metadata.name = name;
    object.metadata.namespace_ = "default";
    const watch::Event event{.type = watch::EventType::Modified,
                             .object = std::make_shared<const api::Object>(object)};
    const Request request{.verb = Verb::Watch};
    BOOST_TEST(
        trigger.holds_for({.stage = Stage::Frame, .request = request, .event = &event}, 1) == hit,
        name);
  }
}

BOOST_AUTO_TEST_CASE(a_window_of_time_has_a_beginning_and_an_end) {
  Requests requests;
  requests.rules.add(
      make_fault("refuse_connections", {.from = requests.now + 1s, .until = requests.now + 2s}), 1);
  BOOST_TEST(!requests.refused());
  requests.now += 1s;
  BOOST_TEST(requests.refused());
  requests.now += 1s;
  BOOST_TEST(!requests.refused());
}

BOOST_AUTO_TEST_CASE(a_revision_can_be_waited_for) {
  Requests requests;
  requests.rules.add(make_fault("refuse_connections", {.from_revision = 11}), 1);
  BOOST_TEST(!requests.refused());
  requests.revision = 11;
  BOOST_TEST(requests.refused());
}

BOOST_AUTO_TEST_CASE(the_first_verdict_wins_and_removing_its_rule_heals) {
  Requests requests;
  const FaultId first = requests.rules.add(make_fault("fail_list", {}, {{"answer", "gone"}}), 1);
  const FaultId second = requests.rules.add(make_fault("refuse_connections"), 1);
  const Request request{.verb = Verb::List};
  const MessageContext context{.stage = Stage::Request, .request = request};
  BOOST_TEST(requests.rules.evaluate(context, 1).fault == "fail_list");
  BOOST_TEST(requests.rules.remove(first).has_value());
  BOOST_TEST(requests.rules.evaluate(context, 1).fault == "refuse_connections");
  BOOST_TEST(requests.rules.acted(second) == 1);
  BOOST_TEST(!requests.rules.remove(first).has_value());
}

BOOST_AUTO_TEST_CASE(every_fault_of_the_catalogue_has_what_a_user_needs) {
  std::set<std::string_view> names;
  for (const FaultEntry& entry : fault_catalogue()) {
    BOOST_TEST_CONTEXT(entry.name) {
      BOOST_TEST(names.insert(entry.name).second);
      BOOST_TEST(entry.doc.ends_with('.'));
      BOOST_TEST(!entry.numbers.empty());
      for (const FaultParameter& parameter : entry.parameters) {
        BOOST_TEST(parameter.doc.ends_with('.'));
      }
    }
  }
  const std::vector<FaultEntry>& entries = fault_catalogue();
  BOOST_TEST(std::is_sorted(entries.begin(), entries.end(),
                            [](const auto& a, const auto& b) { return a.name < b.name; }));
}

BOOST_AUTO_TEST_CASE(parameters_that_do_not_fit_are_refused_with_a_message) {
  BOOST_CHECK_THROW((void)make_fault("no_such_fault"), std::invalid_argument);
  BOOST_CHECK_THROW((void)make_fault("fail_list"), std::invalid_argument);
  BOOST_CHECK_THROW((void)make_fault("fail_list", {}, {{"answer", "nonsense"}}),
                    std::invalid_argument);
  BOOST_CHECK_THROW((void)make_fault("delay", {}, {{"by", "long"}}), std::invalid_argument);
  BOOST_CHECK_THROW((void)make_fault("close_watch", {}, {{"colour", "red"}}),
                    std::invalid_argument);
}

BOOST_AUTO_TEST_CASE(every_failure_word_stands_for_a_failure_that_reads_as_that_word) {
  for (const std::string_view word : failure_words()) {
    BOOST_TEST(to_string(answer_kind_of(*failure_for(word))) == word);
  }
}

BOOST_AUTO_TEST_SUITE_END()
