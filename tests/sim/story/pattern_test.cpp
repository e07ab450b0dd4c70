#include "sim/story/pattern.hpp"

#include <boost/test/unit_test.hpp>

#include "sim/story/options.hpp"

using namespace watchlab;
using namespace watchlab::sim;
using namespace std::chrono_literals;

BOOST_AUTO_TEST_SUITE(pattern_test)

namespace {

api::ObjectPtr demo(const std::string& rv, const std::string& uid = "u1") {
  api::Object object = config_map_from({.name = "demo", .data = {{"color", "red"}}});
  object.metadata.resource_version = rv;
  object.metadata.uid = uid;
  return std::make_shared<const api::Object>(std::move(object));
}

DelayClass backoff(int step) { return {.kind = DelayClass::Kind::Backoff, .step = step}; }

}  // namespace

BOOST_AUTO_TEST_CASE(a_backoff_step_is_a_range_that_doubles) {
  BOOST_TEST(belongs(800ms, backoff(1)));
  BOOST_TEST(belongs(1599ms, backoff(1)));
  BOOST_TEST(!belongs(799ms, backoff(1)));
  BOOST_TEST(!belongs(1600ms, backoff(1)));
  BOOST_TEST(belongs(1600ms, backoff(2)));
  BOOST_TEST(belongs(6400ms, backoff(4)));
}

BOOST_AUTO_TEST_CASE(a_backoff_is_capped_at_thirty_seconds) {
  BOOST_TEST(belongs(30s, backoff(7)));
  BOOST_TEST(belongs(59s, backoff(50)));
  BOOST_TEST(!belongs(60s, backoff(50)));
  BOOST_TEST(!belongs(29s, backoff(50)));
}

BOOST_AUTO_TEST_CASE(immediate_is_no_time_at_all_and_fixed_is_exact) {
  BOOST_TEST(belongs(0s, {}));
  BOOST_TEST(!belongs(1ms, {}));
  BOOST_TEST(belongs(5s, {.kind = DelayClass::Kind::Fixed, .exactly = 5s}));
  BOOST_TEST(!belongs(6s, {.kind = DelayClass::Kind::Fixed, .exactly = 5s}));
}

BOOST_AUTO_TEST_CASE(a_symbol_stands_for_its_value) {
  const Symbols symbols{{"born", "17"}};
  const ObjectPattern pattern{.name = "demo", .state = {.rv = "$born"}};
  BOOST_TEST(matches(pattern, *demo("17"), symbols));
  BOOST_TEST(!matches(pattern, *demo("18"), symbols));
  BOOST_TEST(!matches(pattern, *demo("17"), {}));
}

BOOST_AUTO_TEST_CASE(what_a_pattern_leaves_out_matches_anything) {
  BOOST_TEST(matches(ObjectPattern{.name = "demo"}, *demo("1"), {}));
  BOOST_TEST(!matches(ObjectPattern{.name = "other"}, *demo("1"), {}));
  BOOST_TEST(!matches(ObjectPattern{.name = "demo", .namespace_ = "prod"}, *demo("1"), {}));
}

BOOST_AUTO_TEST_CASE(uid_labels_and_data_are_compared_whole) {
  const auto with = [](StatePattern state) {
    return ObjectPattern{.name = "demo", .state = state};
  };
  BOOST_TEST(matches(with({.uid = "u1"}), *demo("1"), {}));
  BOOST_TEST(!matches(with({.uid = "u2"}), *demo("1"), {}));
  BOOST_TEST(matches(with({.data = {{{"color", "red"}}}}), *demo("1"), {}));
  BOOST_TEST(!matches(with({.data = api::Labels{}}), *demo("1"), {}));
  BOOST_TEST(!matches(with({.labels = {{{"app", "web"}}}}), *demo("1"), {}));
}

BOOST_AUTO_TEST_CASE(an_update_is_matched_on_both_sides) {
  const CallRecord call{.type = CallType::Update,
                        .key = "default/demo",
                        .object = demo("2", "new"),
                        .before = demo("1", "old")};
  CallPattern pattern{.type = CallType::Update, .object = {.name = "demo"}};
  pattern.from = StatePattern{.uid = "old"};
  pattern.to = StatePattern{.uid = "new"};
  BOOST_TEST(matches(pattern, call, {}));
  pattern.from = StatePattern{.uid = "new"};
  BOOST_TEST(!matches(pattern, call, {}));
}

BOOST_AUTO_TEST_CASE(a_tombstone_without_an_object_matches_only_what_asks_nothing_of_it) {
  const DeltaRecord delta{.type = DeltaType::Deleted, .key = "default/demo", .tombstone = true};
  DeltaPattern pattern{.type = DeltaType::Deleted, .object = {.name = "demo"}, .tombstone = true};
  BOOST_TEST(matches(pattern, delta, {}));
  pattern.object.state.rv = "1";
  BOOST_TEST(!matches(pattern, delta, {}));
}

BOOST_AUTO_TEST_CASE(a_request_is_matched_on_what_it_asked_and_what_came_of_it) {
  RequestRecord request;
  request.verb = Verb::Watch;
  request.answer = AnswerKind::Ok;
  request.end = StreamEnd::Closed;
  request.delay = 900ms;
  request.options.resource_version = "5";
  RequestPattern pattern{
      .verb = Verb::Watch, .rv = "5", .answer = AnswerKind::Ok, .end = StreamEnd::Closed};
  pattern.delay = backoff(1);
  BOOST_TEST(matches(pattern, request, {}));
  pattern.end = StreamEnd::Cut;
  BOOST_TEST(!matches(pattern, request, {}));
  pattern.end = StreamEnd::Closed;
  request.delay.reset();
  BOOST_TEST(!matches(pattern, request, {}));
}

BOOST_AUTO_TEST_CASE(a_note_is_compared_from_its_first_to_its_last_letter) {
  struct Row {
    std::string pattern;
    std::string text;
    bool fits;
  };
  const std::vector<Row> rows{
      {"synced", "synced", true},
      {"synced", "synced 3", false},
      {"synced", "not synced", false},
      {"synced *3", "synced 3", true},
      {"synced *3", "synced 13", true},
      {"synced *3", "synced 31", false},
      {"synced *3", "is synced 3", false},
      {"*", "", true},
      {"*web", "web2", false},
      {"web*", "web2", true},
      {"a*b*c", "a-b-c", true},
      {"a*b*c", "a-b-c-d", false},
      {"a*b*c", "a-c", false},
      {"a*bc*c", "abc", false},
  };
  for (const Row& row : rows) {
    BOOST_TEST(
        matches(NotePattern{.text = row.pattern}, SaidRecord{.text = row.text}, {}) == row.fits,
        row.pattern << " and " << row.text);
  }
}

BOOST_AUTO_TEST_CASE(data_of_a_config_map_survives_the_way_through_json) {
  const api::Labels data{{"color", "red"}, {"quote", "\"\\\n"}};
  BOOST_TEST((data_of(config_map_from({.name = "demo", .data = data})) == data));
  BOOST_TEST(data_of(api::Object{}).empty());
}

BOOST_AUTO_TEST_SUITE_END()
