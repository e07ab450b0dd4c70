#include <boost/json.hpp>
#include <boost/test/unit_test.hpp>
#include <filesystem>
#include <fstream>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "scenarios/report/level_terminal.hpp"
#include "scenarios/serve/branch_session.hpp"
#include "tests/scenarios/report/played.hpp"

using namespace watchlab;
using namespace watchlab::tests;
using namespace watchlab::scenarios;

BOOST_AUTO_TEST_SUITE(branch_test)

namespace {

namespace json = boost::json;

/// The first decision who goes next after that step.
std::size_t decision_after(const SeenRun& seen, std::size_t step) {
  const auto& decisions = seen.witness.decisions;
  for (std::size_t i = 0; i < decisions.size(); ++i) {
    if (decisions[i].steps_before >= step && decisions[i].kind == sim::ChoiceKind::Actor) {
      return i + 1;
    }
  }
  return 0;
}

sim::HttpPage ask(BranchSession& session, const std::string& method, const std::string& path,
                  const std::string& body = "") {
  const sim::HttpRequest http{
      .method = method, .target = path, .fields = {{"Host", "127.0.0.1:8001"}}, .body = body};
  return session.answer(http, *sim::target_from(path));
}

json::value data_in(const std::string& page) {
  constexpr std::string_view begin = "<script type=\"application/json\" id=\"data\">";
  const std::size_t from = page.find(begin) + begin.size();
  return json::parse(std::string_view(page).substr(from, page.find("</script>", from) - from));
}

struct Begun {
  Scenario scenario = scenario_named("missed_delete");
  std::string schedule = run_scenario(scenario).result.schedule;
  SeenRun seen = see_run(scenario, schedule, Scope::AnyOrder);
  BranchSession session{scenario, schedule, "", std::nullopt};
};

/// What came of a level that was played by these lines.
struct LevelGame {
  bool is_won = false;
  std::string text;
};

/// Plays the level about core as it is.
LevelGame play_level(const std::vector<std::string>& lines) {
  const Level level = load_level("exercises/break-it/07-two_runs_at_once.yaml");
  const Scenario story = scenario_named(level.scenario);
  LevelGame game;
  std::size_t given = 0;
  const auto read = [&]() -> std::optional<std::string> {
    return given < lines.size() ? std::optional(lines[given++]) : std::nullopt;
  };
  const auto say = [&game](std::string_view text) { game.text.append(text).append("\n"); };
  game.is_won =
      LevelTerminal(story, run_scenario(story).result.schedule, level, {.read = read, .say = say})
          .play();
  return game;
}

std::vector<std::string> shipped_levels() {
  std::vector<std::string> paths;
  for (const auto& entry : std::filesystem::directory_iterator("exercises/break-it")) {
    if (entry.path().extension() == ".yaml" && is_level(entry.path().string())) {
      paths.push_back(entry.path().string());
    }
  }
  return paths;
}

}  // namespace

BOOST_FIXTURE_TEST_CASE(a_branch_is_the_same_run_up_to_its_decision, Begun) {
  const std::size_t decision = decision_after(seen, 40);
  const sim::WitnessedDecision& left = seen.witness.decisions[decision - 1];
  const std::string branched = branch_schedule(scenario, schedule, {decision, 1});
  const SeenRun other = see_run(scenario, branched, Scope::AnyOrder);
  BOOST_TEST(other.witness.decisions[decision - 1].index == 1U);
  BOOST_TEST_REQUIRE(other.witness.steps.size() > left.steps_before);
  for (std::size_t i = 0; i < left.steps_before; ++i) {
    BOOST_TEST(other.witness.steps[i].done.actor == seen.witness.steps[i].done.actor);
  }
  BOOST_TEST(other.witness.steps[left.steps_before].done.actor == left.actors[1]);
  BOOST_TEST(sim::Schedule::parse(branched).deviations.size() == 1U);
}

BOOST_FIXTURE_TEST_CASE(a_branch_of_a_branch_keeps_what_was_chosen_before, Begun) {
  const std::string first = branch_schedule(scenario, schedule, {decision_after(seen, 40), 1});
  const SeenRun branched = see_run(scenario, first, Scope::AnyOrder);
  const std::string second = branch_schedule(scenario, first, {decision_after(branched, 90), 1});
  const sim::Schedule whole = sim::Schedule::parse(second);
  BOOST_TEST_REQUIRE(whole.deviations.size() == 2U);
  BOOST_TEST((whole.deviations[0] == sim::Schedule::parse(first).deviations[0]));
  BOOST_TEST(branch_schedule(scenario, second, {decision_after(seen, 40), 0}) == schedule);
}

BOOST_FIXTURE_TEST_CASE(what_no_run_can_take_is_refused_with_the_alternatives, Begun) {
  const auto refusal = [&](BranchPoint point) {
    try {
      return branch_schedule(scenario, schedule, point);
    } catch (const std::invalid_argument& refused) {
      return std::string(refused.what());
    }
  };
  BOOST_TEST(refusal({1, 99}).find("has alternatives 0 to ") != std::string::npos);
  BOOST_TEST(refusal({100'000, 1}).find("and no number 100000") != std::string::npos);
  for (const char* const text : {"", "17", "=", "17=", "=2", "0=1", "17=x", "-1=2", "17=2 "}) {
    BOOST_CHECK_THROW((void)branch_point_from(text), std::invalid_argument);
  }
}

BOOST_FIXTURE_TEST_CASE(a_page_offers_every_decision_of_a_short_run_and_none_of_a_long_one, Begun) {
  const json::array choices = choices_of(seen);
  BOOST_TEST(choices.size() == seen.witness.decisions.size());
  BOOST_TEST(choices.size() > 10U);
  seen.witness.result.steps = kBranchStepsMax + 1;
  BOOST_TEST(choices_of(seen).empty());
}

BOOST_FIXTURE_TEST_CASE(a_session_plays_a_branch_and_keeps_both_runs, Begun) {
  const std::size_t decision = decision_after(seen, 40);
  const std::string form = "decision=" + std::to_string(decision) + "&alternative=1";
  const sim::HttpPage taken = ask(session, "POST", "/run/0/take", form);
  BOOST_TEST(taken.code == 303);
  BOOST_TEST(sim::field_of(taken.fields, "Location").starts_with("/run/1#step="));
  BOOST_TEST(sim::field_of(ask(session, "POST", "/run/0/take", form).fields, "Location") ==
             sim::field_of(taken.fields, "Location"));
  const json::value shown = data_in(ask(session, "GET", "/run/1").body);
  BOOST_TEST(shown.at("session").at("runs").as_array().size() == 2U);
  BOOST_TEST(shown.at("schedule").as_string() ==
             branch_schedule(scenario, schedule, {decision, 1}));
  BOOST_TEST(data_in(ask(session, "GET", "/run/0").body).at("schedule").as_string() == schedule);
}

BOOST_FIXTURE_TEST_CASE(what_is_saved_plays_the_same_run, Begun) {
  const std::size_t decision = decision_after(seen, 40);
  (void)ask(session, "POST", "/run/0/take",
            "decision=" + std::to_string(decision) + "&alternative=1");
  const std::string saved = ask(session, "GET", "/run/1/schedule.txt").body;
  const std::string branched = saved.substr(0, saved.find('\n'));
  const Parsed file = parse_scenario(ask(session, "GET", "/run/1/scenario.yaml").body);
  BOOST_TEST_REQUIRE(file.scenario.has_value());
  BOOST_TEST(file.scenario->schedule == branched);
  BOOST_TEST(run_scenario(*file.scenario).result.digest ==
             see_run(scenario, branched, Scope::AnyOrder).witness.result.digest);
}

BOOST_FIXTURE_TEST_CASE(a_session_answers_this_machine_and_its_own_pages_only, Begun) {
  const auto code = [&](const std::string& method, const std::string& path, const std::string& host,
                        const std::string& origin) {
    sim::HttpFields fields{{"Host", host}};
    if (!origin.empty()) {
      fields.push_back({"Origin", origin});
    }
    const sim::HttpRequest http{.method = method, .target = path, .fields = fields};
    return session.answer(http, *sim::target_from(path)).code;
  };
  BOOST_TEST(code("GET", "/", "localhost:8001", "") == 303);
  BOOST_TEST(code("GET", "/run/0", "[::1]:8001", "") == 200);
  BOOST_TEST(code("GET", "/run/0", "evil.example:8001", "") == 403);
  BOOST_TEST(code("GET", "/run/0", "", "") == 403);
  BOOST_TEST(code("GET", "/run/0", "127.evil.example:8001", "") == 403);
  BOOST_TEST(code("POST", "/run/0/take", "127.evil.example", "http://127.evil.example") == 403);
  BOOST_TEST(code("POST", "/run/0/take", "127.0.0.1:8001", "http://evil.example") == 403);
  BOOST_TEST(code("POST", "/run/0/take", "127.0.0.1:8001", "http://127.0.0.1:8001") == 400);
  BOOST_TEST(code("POST", "/run/0", "127.0.0.1:8001", "") == 405);
  BOOST_TEST(code("GET", "/run/0/take", "127.0.0.1:8001", "") == 405);
  BOOST_TEST(code("GET", "/run/7", "127.0.0.1:8001", "") == 404);
  BOOST_TEST(code("GET", "/run/0/other", "127.0.0.1:8001", "") == 404);
  BOOST_TEST(code("GET", "/api/v1/namespaces", "127.0.0.1:8001", "") == 404);
}

BOOST_AUTO_TEST_CASE(a_run_that_is_too_long_is_refused) {
  const Scenario scenario = scenario_named("duplicates_from_a_stale_store");
  const std::string schedule = run_scenario(scenario).result.schedule;
  BOOST_CHECK_THROW(BranchSession(scenario, schedule, "", std::nullopt), std::invalid_argument);
}

BOOST_AUTO_TEST_CASE(a_level_is_won_by_its_failure_within_its_choices) {
  const Level level{.goal = {.kind = "violation", .says = "deletions_arrive"}, .choices = 2};
  sim::RunResult run{.deviations = 2};
  BOOST_TEST(!result_of(level, run).is_broken);
  run.failure = sim::Failure{.kind = "violation", .sentence = "C4 deletions_arrive: demo"};
  BOOST_TEST(result_of(level, run).is_won);
  run.deviations = 3;
  BOOST_TEST(result_of(level, run).is_broken);
  BOOST_TEST(!result_of(level, run).is_won);
  run.failure->kind = "deadlock";
  BOOST_TEST(!result_of(level, run).is_broken);
}

BOOST_AUTO_TEST_CASE(each_level_can_be_read_begins_with_a_run_that_holds_and_can_be_branched) {
  const std::vector<std::string> paths = shipped_levels();
  BOOST_TEST(paths.size() >= 12U);
  for (const std::string& path : paths) {
    BOOST_TEST_CONTEXT(path) {
      const Level level = load_level(path);
      const auto beside = std::filesystem::path(path).parent_path() / level.scenario;
      const Scenario story = scenario_named(
          std::filesystem::is_regular_file(beside) ? beside.string() : level.scenario);
      const Played first = run_scenario(story);
      BOOST_TEST(first.held());
      BOOST_TEST(first.result.steps <= kBranchStepsMax);
      BOOST_TEST(find_level("exercises/break-it", std::filesystem::path(path).stem().string()) ==
                 path);
    }
  }
}

BOOST_AUTO_TEST_CASE(a_level_is_played_in_a_terminal_to_its_win) {
  const LevelGame won = play_level({"", "undo", "1=1", "find main/first", "4=1", "quit"});
  BOOST_TEST(won.is_won);
  BOOST_TEST((won.text.find("Won: violation: the informer listed twice") != std::string::npos),
             won.text);
  BOOST_TEST((won.text.find("Checking and marking must be one step") != std::string::npos));
}

/// The steps after which the decisions were that a game has shown.
std::vector<std::size_t> steps_shown(const LevelGame& game) {
  static const std::string before = ", after step ";
  std::vector<std::size_t> steps;
  for (std::size_t at = game.text.find(before); at != std::string::npos;
       at = game.text.find(before, at + 1)) {
    steps.push_back(std::stoul(game.text.substr(at + before.size())));
  }
  return steps;
}

BOOST_AUTO_TEST_CASE(a_terminal_finds_what_is_done_where_nothing_can_be_chosen) {
  const LevelGame found = play_level({"find CLOSES channel 'LIST_DONE'", ""});
  const std::vector<std::size_t> steps = steps_shown(found);
  BOOST_TEST_REQUIRE(steps.size() == 3U, found.text);
  BOOST_TEST(steps[1] < 40U);  // the step that closes it
  BOOST_TEST(steps[2] >= 40U);
  const LevelGame behind = play_level({"go 60", "find mutex 'informer_started'"});
  BOOST_TEST((behind.text.find("' in it; go 2 is an earlier one") != std::string::npos),
             behind.text);
}

BOOST_AUTO_TEST_CASE(the_end_of_a_run_is_shown_to_who_asks_for_its_steps) {
  const LevelGame game = play_level({"go 999", "steps"});
  BOOST_TEST((game.text.find("step 132: ") != std::string::npos), game.text);
}

BOOST_AUTO_TEST_CASE(a_terminal_says_what_cannot_be_and_a_level_without_choices_is_not_won) {
  for (const auto& [line, answer] : std::vector<std::pair<std::string, std::string>>{
           {"999=1", "and no number 999"},
           {"1=9", "decision 1 has alternatives 0 to 1, and no 9"},
           {"find a dragon", "no decision has 'a dragon' in it or behind it"},
           {"what", "takes the last choice back"},
           {"go 999", "The end of the run: it holds, after 0 choices"}}) {
    const LevelGame game = play_level({line});
    BOOST_TEST(!game.is_won);
    BOOST_TEST((game.text.find(answer) != std::string::npos), line << "\n" << game.text);
  }
  BOOST_TEST(!play_level({"1=1", "undo"}).is_won);
}

BOOST_AUTO_TEST_CASE(a_level_that_is_none_says_where_it_is_wrong) {
  const std::string path = std::filesystem::temp_directory_path() / "watchlab-level-test.yaml";
  std::ofstream(path) << "apiVersion: watchlab/level/v1\ntitle: t\nchoices: 0\n";
  try {
    (void)load_level(path);
    BOOST_ERROR("it was read");
  } catch (const std::invalid_argument& refused) {
    const std::string text = refused.what();
    BOOST_TEST(text.find(path + ":3:10: ") != std::string::npos, text);
    BOOST_TEST(text.find("scenario") != std::string::npos, text);
  }
  std::filesystem::remove(path);
}

BOOST_AUTO_TEST_SUITE_END()
