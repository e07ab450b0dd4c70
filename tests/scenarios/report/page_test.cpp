#include <algorithm>
#include <boost/json.hpp>
#include <boost/test/unit_test.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "scenarios/report/alignment.hpp"
#include "scenarios/report/page_data.hpp"
#include "tests/scenarios/report/played.hpp"
#include "tests/support/texts.hpp"

using namespace watchlab;
using namespace watchlab::tests;
using namespace watchlab::scenarios;

BOOST_AUTO_TEST_SUITE(page_test)

namespace {

namespace json = boost::json;

/// The data of a page as its script reads it.
json::value data_in(const std::string& page) {
  constexpr std::string_view begin = "<script type=\"application/json\" id=\"data\">";
  const std::size_t from = page.find(begin) + begin.size();
  return json::parse(std::string_view(page).substr(from, page.find("</script>", from) - from));
}

const std::vector<std::string> hostile{"<script>alert(1)</script>",
                                       "</script><!--",
                                       "<!--<script>",
                                       "it's \"quoted\" & so on",
                                       "\xD7\xA9\xD7\x9C\xD7\x95\xD7\x9D\xE2\x80\xAE"
                                       "txt.exe",
                                       "line\nbreak\ttab\\",
                                       "\xE2\x80\xA8line separator",
                                       "/* data */ /* script */ /* styles */",
                                       "__proto__",
                                       std::string(10'000, 'x')};

bool takes_lists_whole(const Scenario& scenario) {
  return std::ranges::any_of(scenario.clients, [](const sim::StoryClientOptions& client) {
    return sim::machine_of(client).atomic;
  });
}

}  // namespace

BOOST_AUTO_TEST_CASE(any_text_comes_back_from_the_page_and_none_becomes_markup) {
  const std::string plain = page_with({{"keys", json::array{"demo"}}});
  const json::object data{{"keys", json::value_from(hostile)}, {"story", hostile.front()}};
  const std::string page = page_with(data);
  BOOST_TEST((data_in(page) == json::value(data)));
  for (const std::string_view mark : {"<script", "</script", "<!--", "alert(1)<"}) {
    BOOST_TEST(count_of(page, mark) == count_of(plain, mark), mark);
  }
}

BOOST_AUTO_TEST_CASE(a_page_needs_nothing_from_outside) {
  const std::string page = page_with({});
  for (const std::string_view mark : {"http://", "https://", " src=", "@import", "url("}) {
    BOOST_TEST(count_of(page, mark) == 0U, mark);
  }
  BOOST_TEST(count_of(page, "default-src 'none'") == 1U);
}

BOOST_AUTO_TEST_CASE(long_names_are_cut_between_letters_where_a_sentence_has_them) {
  BOOST_TEST(shortened("default/demo") == "default/demo");
  std::string name;
  for (int i = 0; i < 100; ++i) {
    name += "\xE2\x82\xAC";
  }
  const std::string cut = shortened(name);
  BOOST_TEST(cut.size() < 120U);
  BOOST_TEST(cut.find("\xE2\x80\xA6") % 3 == 0U);
  BOOST_TEST(cut.size() % 3 == 0U);
}

BOOST_AUTO_TEST_CASE(task_names_are_readable) {
  BOOST_TEST(readable_task("main/informer/reflector/watch%20informer") ==
             "informer/reflector/watch informer");
  BOOST_TEST(readable_task("main") == "main");
  BOOST_TEST(readable_task("main/100%") == "100%");
}

BOOST_AUTO_TEST_CASE(five_thousand_steps_have_at_most_two_megabytes) {
  const PlayedStory story = play_for_page(scenario_named("duplicates_from_a_stale_store"));
  BOOST_TEST(story.seen.witness.result.steps > 5'000U);
  PageWindow window;
  const std::string page = page_of(story.data->whole(), window);
  BOOST_TEST(page.size() <= 2'000'000U);
  BOOST_TEST(window.steps_max == 5'000U);
  const json::value data = data_in(page);
  const auto last = data.at("window").at("last").to_number<std::size_t>();
  const auto first = data.at("window").at("first").to_number<std::size_t>();
  BOOST_TEST(last - first + 1 <= 5'000U);
  BOOST_TEST(last >= story.seen.story_end());
}

BOOST_AUTO_TEST_CASE(every_shipped_story_has_a_page) {
  std::size_t largest = 0;
  for (const CatalogueEntry& entry : load_catalogue({"scenarios"})) {
    BOOST_TEST_CONTEXT(entry.path) {
      BOOST_TEST_REQUIRE(entry.parsed.scenario.has_value());
      const PlayedStory story = play_for_page(*entry.parsed.scenario);
      // Of a client that takes its list as one change the record has no deltas to follow.
      BOOST_TEST((story.data->corrected() == 0U || takes_lists_whole(*entry.parsed.scenario)));
      PageWindow window;
      const std::string page = page_of(story.data->whole(), window);
      const json::value shown = data_in(page);
      BOOST_TEST(shown.at("steps").at("task").as_array().size() > 0U);
      BOOST_TEST((shown.at("events").as_array().size() > 0U || !shown.at("has_story").as_bool()));
      BOOST_TEST(page.size() <= 2'000'000U);
      largest = std::max(largest, page.size());
    }
  }
  BOOST_TEST_MESSAGE("the largest page has " << largest << " bytes");
  BOOST_TEST(largest > 100'000U);
}

BOOST_AUTO_TEST_CASE(a_page_that_would_be_too_large_holds_fewer_steps_and_says_so) {
  const PlayedStory story = play_for_page(scenario_named("slow_handler"));
  PageWindow window;
  const std::string whole = page_of(story.data->whole(), window);
  PageWindow small;
  const std::string part = page_of(story.data->whole(), small, whole.size() - 1'000);
  BOOST_TEST(small.steps_max < window.steps_max);
  BOOST_TEST(part.size() < whole.size());
  const json::value shown = data_in(part).at("window");
  BOOST_TEST(shown.at("of").to_number<std::size_t>() == story.seen.witness.result.steps);
  BOOST_TEST(shown.at("last").to_number<std::size_t>() -
                 shown.at("first").to_number<std::size_t>() <
             small.steps_max);
}

BOOST_AUTO_TEST_CASE(two_runs_stand_in_one_page_with_how_they_go_together) {
  const Scenario scenario = scenario_named("list_of_existing");
  const json::object classic = play_for_page(scenario).data->whole();
  const json::object modern = play_for_page(on_machine("0.33", scenario)).data->whole();
  PageWindow window;
  const json::value page = data_in(page_of_two(classic, modern, window));
  BOOST_TEST((page.at("base") == window_of(classic, window).at("base")));
  BOOST_TEST((page.at("other").at("events") == modern.at("events")));
  std::size_t of_first = 0;
  std::size_t of_second = 0;
  const json::array& parts = page.at("alignment").as_array();
  for (std::size_t i = 0; i < parts.size(); i += 3) {
    of_first += parts[i].to_number<std::size_t>() + parts[i + 1].to_number<std::size_t>();
    of_second += parts[i].to_number<std::size_t>() + parts[i + 2].to_number<std::size_t>();
  }
  BOOST_TEST(of_first == item_names(classic).size());
  BOOST_TEST(of_second == item_names(modern).size());
  BOOST_TEST(parts.front().to_number<std::size_t>() > 0U);
}

BOOST_AUTO_TEST_CASE(two_long_runs_are_shown_around_their_first_difference) {
  const PlayedStory story = play_for_page(scenario_named("slow_handler"));
  const json::object whole = story.data->whole();
  json::object changed = json::parse(json::serialize(whole)).as_object();
  const std::size_t steps = whole.at("window").at("of").to_number<std::size_t>();
  json::array& deeds = changed["steps"].as_object()["deed"].as_array();
  const std::size_t place = steps / 2;
  deeds[place] = deeds[place].to_number<std::size_t>() == 0 ? 1 : 0;
  PageWindow window{.first = std::nullopt, .steps_max = 100};
  const json::value page = data_in(page_of_two(whole, changed, window));
  const auto first = page.at("window").at("first").to_number<std::size_t>();
  const auto last = page.at("window").at("last").to_number<std::size_t>();
  BOOST_TEST(first > 1U);
  BOOST_TEST(first < place + 1);
  BOOST_TEST(last > place + 1);
  BOOST_TEST(last - first < 100U);
}

BOOST_AUTO_TEST_CASE(a_run_that_was_written_down_differs_from_anything_else) {
  const json::object whole = play_for_page(scenario_named("missed_delete")).data->whole();
  BOOST_TEST(is_page_data(json::parse(json::serialize(whole))));
  json::object other = whole;
  other.erase("events");
  BOOST_TEST(!is_page_data(other));
  BOOST_TEST(!is_page_data(json::parse("[1]")));
}

BOOST_AUTO_TEST_SUITE_END()
