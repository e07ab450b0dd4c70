// Each format against the table of its fields: which there must be, of which type, and which words.
#include <boost/json.hpp>
#include <boost/test/unit_test.hpp>
#include <cmath>
#include <set>
#include <string>

#include "exercises/grader/grade.hpp"
#include "tests/exercises/grader/odd_grades.hpp"

namespace watchlab::course {

BOOST_AUTO_TEST_SUITE(export_test)

namespace {

namespace json = boost::json;

Grade some_grade() {
  Grade grade{.exercise = "E01t",
              .title = "A <store> under \"test\"",
              .status = Grade::Status::Finished,
              .summary = "2 of 3 tests count.",
              .wall_ms = 1500};
  grade.cases = {{.id = "finds", .kind = "test", .outcome = "pass"},
                 {.id = "asks",
                  .kind = "test",
                  .outcome = "invalid",
                  .message = "m & m",
                  .narration = "1. <a>"},
                 {.id = "shown defect 1",
                  .kind = "defect",
                  .clause = "C4",
                  .variant = "merges",
                  .outcome = "killed",
                  .points = 100.0 / 3,
                  .points_max = 100.0 / 3},
                 {.id = "shown defect 2",
                  .kind = "defect",
                  .clause = "C5",
                  .outcome = "crash",
                  .points_max = 100.0 / 3},
                 {.id = "hidden defect 1",
                  .kind = "defect",
                  .clause = "C9",
                  .variant = "secret_name",
                  .outcome = "survived",
                  .points_max = 100.0 / 3,
                  .hidden = true,
                  .message = "secret words"}};
  return grade;
}

json::object parsed(const std::string& text) { return json::parse(text).as_object(); }

bool is_one_of(const json::value& word, const std::set<std::string>& words) {
  return words.contains(std::string(word.as_string()));
}

/// Whether all keys of the object are among those.
bool has_only(const json::object& object, const std::set<std::string>& keys) {
  for (const auto& [key, value] : object) {
    if (!keys.contains(std::string(key))) {
      BOOST_TEST_MESSAGE("unexpected " << key);
      return false;
    }
  }
  return true;
}

bool shows_secrets(const std::string& text) { return text.find("secret") != std::string::npos; }

const std::set<std::string> formats{"text", "simple_format", "html", "md", "ansi"};
const std::set<std::string> visibilities{"visible", "after_due_date", "after_published", "hidden"};

/// Fails for what classroom50 says that its format does not allow.
void check_classroom50(const Grade& grade, std::uint64_t seed) {
  const json::object root = parsed(to_classroom50(grade));
  std::int64_t score = 0;
  std::int64_t most = 0;
  for (const json::value& test : root.at("tests").as_array()) {
    const std::int64_t own = test.at("score").as_int64();
    BOOST_REQUIRE_MESSAGE(own >= 0 && own <= test.at("max-score").as_int64(), seed);
    score += own;
    most += test.at("max-score").as_int64();
  }
  BOOST_REQUIRE_MESSAGE(root.at("score").as_int64() == score, seed);
  BOOST_REQUIRE_MESSAGE(root.at("max-score").as_int64() == most, seed);
}

/// Fails for numbers out of their bounds: no score of a test above its most, no total above its.
void check_points(const Grade& grade, std::uint64_t seed) {
  for (const char* const score : {"score", "points"}) {
    const std::string most = score == std::string("score") ? "max_score" : "max_points";
    const json::object root = parsed(score[0] == 's' ? to_gradescope(grade) : to_json(grade));
    const char* const list = score[0] == 's' ? "tests" : "cases";
    for (const json::value& test : root.at(list).as_array()) {
      if (test.as_object().contains(score)) {
        const double own = test.at(score).to_number<double>();
        BOOST_REQUIRE_MESSAGE(own >= 0 && own <= test.at(most).to_number<double>(), seed);
      }
    }
    const double total = root.at(score).to_number<double>();
    BOOST_REQUIRE_MESSAGE(std::isfinite(total) && total >= 0, seed);
    const double bound = std::isfinite(grade.points_max) ? std::max(0.0, grade.points_max) : 0;
    BOOST_REQUIRE_MESSAGE(total <= bound + 1e-3, seed << ": " << total);
  }
  const json::object root = parsed(to_prairielearn(grade));
  if (root.contains("score")) {
    const double share = root.at("score").to_number<double>();
    BOOST_REQUIRE_MESSAGE(share >= 0 && share <= 1, seed);
  }
}

/// The texts of a JSON value, after its escapes are read.
void collect(const json::value& value, std::string& texts) {
  if (value.is_string()) {
    texts += value.as_string();
  } else if (value.is_array()) {
    for (const json::value& each : value.as_array()) {
      collect(each, texts);
    }
  } else if (value.is_object()) {
    for (const auto& [key, each] : value.as_object()) {
      collect(each, texts);
    }
  }
}

}  // namespace

BOOST_AUTO_TEST_CASE(gradescope_gets_what_its_table_says) {
  const json::object root = parsed(to_gradescope(some_grade()));
  BOOST_TEST(has_only(root, {"score", "execution_time", "output", "output_format",
                             "test_output_format", "test_name_format", "visibility",
                             "stdout_visibility", "extra_data", "tests", "leaderboard"}));
  BOOST_TEST(std::abs(root.at("score").to_number<double>() - 33.3333) < 0.01);
  BOOST_TEST(root.at("execution_time").to_number<double>() == 1.5);
  BOOST_TEST(is_one_of(root.at("output_format"), formats));
  BOOST_TEST(is_one_of(root.at("visibility"), visibilities));
  BOOST_TEST(is_one_of(root.at("stdout_visibility"), visibilities));
  BOOST_TEST(root.at("extra_data").is_object());
  BOOST_TEST(root.at("tests").as_array().size() == 5);
}

BOOST_AUTO_TEST_CASE(gradescope_tests_get_what_their_table_says) {
  const json::object root = parsed(to_gradescope(some_grade()));
  for (const json::value& test : root.at("tests").as_array()) {
    const json::object& line = test.as_object();
    BOOST_TEST(has_only(line, {"score", "max_score", "status", "name", "name_format", "number",
                               "output", "output_format", "tags", "visibility", "extra_data"}));
    BOOST_TEST(line.at("name").is_string());
    BOOST_TEST(line.at("number").is_string());
    BOOST_TEST(is_one_of(line.at("status"), {"passed", "failed"}));
    BOOST_TEST(is_one_of(line.at("visibility"), visibilities));
    BOOST_TEST(is_one_of(line.at("output_format"), formats));
  }
}

BOOST_AUTO_TEST_CASE(hidden_names_and_words_stay_with_the_instructor) {
  const Grade grade = some_grade();
  for (const GradeFormat& format : grade_formats()) {
    BOOST_TEST(shows_secrets(format.text(grade)) == (format.name == "json"), format.name);
  }
}

BOOST_AUTO_TEST_CASE(classroom50_gets_whole_numbers_that_add_up) {
  const json::object root = parsed(to_classroom50(some_grade()));
  BOOST_TEST(root.at("schema").as_string() == "classroom50/result/v1");
  for (const char* const key : {"classroom", "assignment", "assignment_type", "owner", "submission",
                                "commit", "release", "review", "datetime"}) {
    BOOST_TEST(root.at(key).is_string(), key);
  }
  std::int64_t score = 0;
  std::int64_t most = 0;
  for (const json::value& test : root.at("tests").as_array()) {
    BOOST_TEST(test.at("test-name").is_string());
    BOOST_TEST(test.at("passed").is_bool());
    score += test.at("score").as_int64();
    most += test.at("max-score").as_int64();
  }
  BOOST_TEST(root.at("score").as_int64() == score);
  BOOST_TEST(root.at("max-score").as_int64() == most);
  BOOST_TEST(most == 100);
}

BOOST_AUTO_TEST_CASE(prairielearn_gets_a_share_of_one) {
  const json::object root = parsed(to_prairielearn(some_grade()));
  BOOST_TEST(has_only(
      root, {"gradable", "score", "message", "output", "format_errors", "images", "tests"}));
  BOOST_TEST(root.at("gradable").as_bool());
  BOOST_TEST(std::abs(root.at("score").to_number<double>() - 1.0 / 3) < 0.001);
  for (const json::value& test : root.at("tests").as_array()) {
    BOOST_TEST(has_only(test.as_object(), {"name", "description", "points", "max_points", "message",
                                           "output", "images"}));
  }
}

BOOST_AUTO_TEST_CASE(what_does_not_compile_uses_no_attempt_at_prairielearn) {
  Grade grade = some_grade();
  grade.status = Grade::Status::NotGradable;
  const json::object root = parsed(to_prairielearn(grade));
  BOOST_TEST(!root.at("gradable").as_bool());
  BOOST_TEST(!root.contains("score"));
  BOOST_TEST(root.at("format_errors").is_array());
}

BOOST_AUTO_TEST_CASE(exercism_gets_version_3) {
  const json::object root = parsed(to_exercism(some_grade()));
  BOOST_TEST(has_only(root, {"version", "status", "message", "tests"}));
  BOOST_TEST(root.at("version").as_int64() == 3);
  BOOST_TEST(root.at("status").as_string() == "fail");
  for (const json::value& test : root.at("tests").as_array()) {
    BOOST_TEST(has_only(test.as_object(),
                        {"name", "status", "message", "output", "test_code", "task_id"}));
    BOOST_TEST(is_one_of(test.at("status"), {"pass", "fail", "error"}));
  }
}

BOOST_AUTO_TEST_CASE(exercism_gets_a_message_with_every_error_and_short_outputs) {
  Grade grade = some_grade();
  grade.status = Grade::Status::NotGradable;
  grade.cases[1].narration = std::string(10'000, 'x');
  const json::object root = parsed(to_exercism(grade));
  BOOST_TEST(root.at("status").as_string() == "error");
  BOOST_TEST(!root.at("message").as_string().empty());
  BOOST_TEST(root.at("tests").as_array()[1].at("output").as_string().size() == 500);
}

BOOST_AUTO_TEST_CASE(coderunner_gets_a_fraction_and_a_table_without_hidden_texts) {
  const std::string text = to_coderunner(some_grade());
  const json::object root = parsed(text);
  BOOST_TEST(has_only(root, {"fraction", "prologuehtml", "testresults"}));
  BOOST_TEST(std::abs(root.at("fraction").to_number<double>() - 1.0 / 3) < 1e-4);
  BOOST_TEST(root.at("prologuehtml").as_string() == "<pre>2 of 3 tests count.</pre>");
  const json::array& rows = root.at("testresults").as_array();
  BOOST_TEST(rows.size() == 6);
  BOOST_TEST(json::serialize(rows[0]) == R"(["iscorrect","What","Points","Why"])");
  BOOST_TEST(json::serialize(rows[2]) == R"([0,"asks","0 of 0","m & m"])");
  BOOST_TEST(!shows_secrets(text));
}

BOOST_AUTO_TEST_CASE(autolab_gets_the_score_in_its_last_line) {
  Grade grade = some_grade();
  grade.cases[1].message = "{\"scores\": {\"E01t\": 1000}}";
  const std::string text = to_autolab(grade);
  const std::size_t last = text.rfind('\n', text.size() - 2) + 1;
  const json::object root = parsed(text.substr(last));
  BOOST_TEST(std::abs(root.at("scores").at("E01t").to_number<double>() - 100.0 / 3) < 1e-4);
  BOOST_TEST(!shows_secrets(text));
}

BOOST_AUTO_TEST_CASE(junit_counts_failures_apart_from_errors_and_escapes) {
  const std::string text = to_junit(some_grade());
  BOOST_TEST(text.find("tests=\"5\" failures=\"2\" errors=\"1\" skipped=\"0\"") !=
             std::string::npos);
  BOOST_TEST(text.find("classname=\"exercise.E01t\"") != std::string::npos);
  BOOST_TEST(text.find("A &lt;store&gt; under &quot;test&quot;") != std::string::npos);
  BOOST_TEST(text.find("<property name=\"max_score\" value=\"33.3333\"/>") != std::string::npos);
  BOOST_TEST(text.find("m & m") == std::string::npos);
}

BOOST_AUTO_TEST_CASE(classroom50_scores_are_within_their_bounds_and_nearly_exact) {
  for (std::uint64_t seed = 1; seed <= 3000; ++seed) {
    const Grade grade = plain_grade(seed);
    check_classroom50(grade, seed);
    const json::object root = parsed(to_classroom50(grade));
    const double score = static_cast<double>(root.at("score").as_int64());
    BOOST_REQUIRE_MESSAGE(std::abs(score - grade.points()) <= 0.5 + 1e-3, seed << ": " << score);
    BOOST_REQUIRE(root.at("max-score").as_int64() == 100);
    for (std::size_t i = 0; i < grade.cases.size(); ++i) {
      const std::int64_t own = root.at("tests").as_array()[i].at("score").as_int64();
      BOOST_REQUIRE_MESSAGE(grade.cases[i].points > 0 || own == 0, seed);
    }
  }
}

BOOST_AUTO_TEST_CASE(a_grade_without_points_offers_all_of_them_to_classroom50) {
  Grade grade = some_grade();
  grade.cases = {{.id = "compile", .kind = "compile", .outcome = "fail"}};
  for (const bool has_cases : {true, false}) {
    grade.cases.resize(has_cases ? 1 : 0);
    const json::object root = parsed(to_classroom50(grade));
    BOOST_TEST(root.at("score").as_int64() == 0);
    BOOST_TEST(root.at("max-score").as_int64() == 100);
    BOOST_TEST(root.at("tests").as_array().size() == 1);
  }
}

BOOST_AUTO_TEST_CASE(odd_results_are_within_the_bounds_of_every_format) {
  for (std::uint64_t seed = 1; seed <= 2000; ++seed) {
    const Grade grade = odd_grade(seed);
    check_classroom50(grade, seed);
    check_points(grade, seed);
    const json::object exercism = parsed(to_exercism(grade));
    for (const json::value& test : exercism.at("tests").as_array()) {
      if (test.as_object().contains("output")) {
        BOOST_REQUIRE(test.at("output").as_string().size() <= 500);
      }
    }
  }
}

BOOST_AUTO_TEST_CASE(whatever_a_submission_says_every_format_is_plain_text) {
  for (std::uint64_t seed = 1; seed <= 2000; ++seed) {
    const Grade grade = odd_grade(seed);
    for (const GradeFormat& format : grade_formats()) {
      const std::string text = format.text(grade);
      BOOST_REQUIRE_MESSAGE(is_plain(text), format.name << " " << seed);
      if (format.name != "junit" && format.name != "autolab") {
        std::string texts;
        collect(json::parse(text), texts);
        BOOST_REQUIRE_MESSAGE(is_plain(texts), format.name << " " << seed);
      }
    }
  }
}

BOOST_AUTO_TEST_CASE(prairielearn_gets_at_most_a_megabyte) {
  Grade grade = some_grade();
  for (int i = 0; i < 5000; ++i) {
    grade.cases.push_back({.id = "many",
                           .outcome = "fail",
                           .message = std::string(5000, 'x'),
                           .narration = std::string(5000, 'y')});
  }
  BOOST_TEST(to_prairielearn(grade).size() <= 1'000'000);
}

BOOST_AUTO_TEST_CASE(a_grade_that_has_only_begun_is_valid_everywhere) {
  const Grade grade{.exercise = "E01t", .title = "A store", .summary = "being graded"};
  BOOST_TEST(parsed(to_json(grade)).at("status").as_string() == "running");
  BOOST_TEST(parsed(to_gradescope(grade)).at("score").to_number<double>() == 0);
  BOOST_TEST(parsed(to_classroom50(grade)).at("score").as_int64() == 0);
  BOOST_TEST(parsed(to_prairielearn(grade)).at("score").to_number<double>() == 0);
  BOOST_TEST(parsed(to_exercism(grade)).at("status").as_string() == "error");
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace watchlab::course
