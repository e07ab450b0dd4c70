// What each model promises, call by call.
#include "sim/linearizability/model.hpp"

#include <boost/test/unit_test.hpp>
#include <stdexcept>

#include "sim/linearizability/cache_models.hpp"
#include "sim/linearizability/container_models.hpp"

namespace watchlab::sim::linearizability {
BOOST_AUTO_TEST_SUITE(model_test)

namespace {

/// Makes the calls one after the other and says what they return: "ok 1 …"; "waits" ends it.
std::string play(const Model& model, const std::vector<Request>& requests) {
  std::string state = model.initial();
  std::string results;
  for (const Request& asked : requests) {
    const std::vector<Outcome> outcomes = model.outcomes(state, asked);
    if (outcomes.empty()) {
      return results + "waits";
    }
    results += outcomes.front().result + " | ";
    state = outcomes.front().state;
  }
  return results + "then " + state;
}

}  // namespace

BOOST_AUTO_TEST_CASE(a_register_holds_what_was_written_last) {
  BOOST_TEST(play(RegisterModel(), {{"read", "a", ""},
                                    {"write", "a", "1"},
                                    {"swap", "a", "2"},
                                    {"read", "a", ""},
                                    {"read", "b", ""}}) == " | ok | 1 | 2 |  | then a=2");
}

BOOST_AUTO_TEST_CASE(a_set_says_whether_a_call_changed_it) {
  BOOST_TEST(play(SetModel(), {{"insert", "b", ""},
                               {"insert", "a", ""},
                               {"insert", "a", ""},
                               {"has", "a", ""},
                               {"size", "", ""},
                               {"remove", "a", ""},
                               {"remove", "a", ""}}) ==
             "true | true | false | true | 2 | true | false | then b");
}

BOOST_AUTO_TEST_CASE(a_bounded_queue_admits_no_push_when_it_is_full) {
  BOOST_TEST(play(QueueModel(1), {{"push", "", "1"},
                                  {"try_push", "", "2"},
                                  {"size", "", ""},
                                  {"pop", "", ""},
                                  {"try_pop", "", ""},
                                  {"pop", "", ""}}) == "ok | full | 1 | 1 | empty | waits");
  BOOST_TEST(play(QueueModel(1), {{"push", "", "1"}, {"push", "", "2"}}) == "ok | waits");
}

BOOST_AUTO_TEST_CASE(a_store_holds_the_newest_of_each_key) {
  BOOST_TEST(play(StoreModel(), {{"add", "a", "1"},
                                 {"update", "a", "2"},
                                 {"get", "a", ""},
                                 {"get", "b", ""},
                                 {"replace", "", "b=3; c=3"},
                                 {"list", "", ""},
                                 {"remove", "b", ""},
                                 {"list_keys", "", ""}}) ==
             "ok | ok | 2 | none | ok | b=3; c=3 | ok | c | then c=3");
}

BOOST_AUTO_TEST_CASE(a_fifo_keeps_the_place_of_a_key_and_its_newest_state) {
  BOOST_TEST(play(FifoModel(), {{"add", "a", "1"},
                                {"add", "b", "1"},
                                {"update", "a", "2"},
                                {"list_keys", "", ""},
                                {"pop", "", ""},
                                {"remove", "b", ""},
                                {"get", "b", ""},
                                {"pop", "", ""}}) ==
             "ok | ok | ok | a; b | a=2 | ok | none | waits");
  BOOST_TEST(play(FifoModel(), {{"close", "", ""}, {"pop", "", ""}}) ==
             "ok | closed | then , closed");
}

BOOST_AUTO_TEST_CASE(a_fifo_with_nothing_but_removed_keys_may_have_forgotten_them) {
  const FifoModel model;
  const auto outcomes = model.outcomes(" in the order b", {"add", "a", "1"});
  BOOST_REQUIRE(outcomes.size() == 2U);
  BOOST_TEST(outcomes[0].state == "a=1 in the order b; a");
  BOOST_TEST(outcomes[1].state == "a=1 in the order a");
}

BOOST_AUTO_TEST_CASE(a_delta_fifo_groups_by_key_and_merges_deletions) {
  BOOST_TEST(play(DeltaFifoModel(), {{"add", "a", "1"},
                                     {"update", "a", "2"},
                                     {"replace", "", "b=3"},
                                     {"remove", "a", "4"},
                                     {"remove", "c", "4"},
                                     {"get", "b", ""},
                                     {"list_keys", "", ""},
                                     {"pop", "", ""},
                                     {"close", "", ""},
                                     {"pop", "", ""},
                                     {"pop", "", ""}}) ==
             "ok | ok | ok | ok | ok | Sync 3 | a; b | a: Added 1 + Updated 2 + Deleted 4 | ok | "
             "b: Sync 3 | closed | then closed");
}

BOOST_AUTO_TEST_CASE(a_method_that_a_model_does_not_know_is_refused_by_name) {
  BOOST_CHECK_EXCEPTION((void)StoreModel().outcomes("", {"push", "", ""}), std::invalid_argument,
                        [](const std::invalid_argument& refused) {
                          return std::string(refused.what()) == "a store has no method 'push'";
                        });
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace watchlab::sim::linearizability
