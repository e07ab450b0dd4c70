#include "exercises/gradebook/gradebook.hpp"

#include <fmt/format.h>

#include <boost/test/unit_test.hpp>
#include <chrono>
#include <string>

#include "exercises/gradebook/csv.hpp"
#include "exercises/grader/grade.hpp"
#include "exercises/programs/exercise.hpp"
#include "tests/exercises/grader/scratch_folder.hpp"

namespace watchlab::course {

BOOST_AUTO_TEST_SUITE(gradebook_test)

namespace {

/// A course of five students with results of two exercises.
struct Course {
  ScratchFolder folder;

  Course() {
    folder.write("roster.csv",
                 "id,name,email,canvas_id\r\n"
                 "ada,\"Lovelace, Ada\",ada@x,11\r\nbob,Bob,bob@x,12\r\n"
                 "cem,Cem,cem@x,13\r\ndan,Dan,dan@x,14\r\neve,Eve,eve@x,15\r\n");
    folder.write("policy.yaml",
                 "exercises:\n  - {id: E04, due: \"2026-12-08T12:00:00Z\"}\n"
                 "  - {id: E01t, due: \"2026-12-01T12:00:00Z\", column: HW 1 (77), points: 50}\n"
                 "late_percent: [80, 60, 40, 20]\n");
    folder.write("times.csv",
                 "student,exercise,submitted\nada,E01t,2026-12-01T12:00:00Z\n"
                 "bob,E01t,2026-12-03T13:00:00+01:00\nbob,E04,2026-12-10T11:00:00Z\n"
                 "cem,E01t,2026-12-03T12:00:00Z\ndan,E01t,2026-12-09T12:00:00Z\n");
    put("E01t", "ada", finished(80));
    put("E01t", "bob", finished(50));
    put("E01t", "cem", finished(0));
    put("E01t", "dan", finished(100));
    put("E04", "ada", refused("It does not compile.\nfifo_test.cpp:3: error: <b>"));
    put("E04", "bob", finished(100));
    put("E04", "cem", refused("the file fifo_test.cpp is missing"));
    put("E04", "dan", {.summary = "being graded"});
  }

  static Grade finished(double points) {
    return {.status = Grade::Status::Finished,
            .summary = "as it is",
            .cases = {{.id = "shown/1",
                       .kind = "defect",
                       .outcome = "killed",
                       .points = points,
                       .points_max = 60,
                       .message = "noticed by <i>",
                       .symptom = "An update is lost."},
                      {.id = "hidden/1",
                       .kind = "defect",
                       .variant = "secret_name",
                       .outcome = "survived",
                       .points = points > 60 ? points - 60 : 0,
                       .points_max = 40,
                       .hidden = true,
                       .message = "secret words"},
                      {.id = "a_test", .kind = "test", .outcome = "pass"}}};
  }
  static Grade refused(const std::string& why) {
    return {.status = Grade::Status::NotGradable, .summary = why};
  }
  void put(const std::string& exercise, const std::string& student, Grade grade) const {
    grade.exercise = exercise;
    grade.title = exercise == "E04" ? "FIFO under test" : "A store under test";
    if (!grade.cases.empty() && grade.cases.front().points > 60) {
      grade.cases.front().points = 60;
    }
    folder.write("results/" + exercise + "/" + student + ".json", to_json(grade));
  }
  [[nodiscard]] GradebookInput input() const {
    return {.students = read_roster(folder.path() / "roster.csv"),
            .policy = read_policy(folder.path() / "policy.yaml"),
            .submitted = read_submission_times(folder.path() / "times.csv"),
            .now = moment_from("2026-12-20T12:00:00Z").value(),
            .results = {folder.path() / "results"}};
  }
};

/// What a call refuses.
template <typename Call>
std::string refusal_of(const Call& call) {
  try {
    call();
  } catch (const BadInput& wrong) {
    return wrong.what();
  }
  return "";
}

}  // namespace

BOOST_AUTO_TEST_CASE(a_line_says_what_a_student_got_and_why_not_more) {
  const Course course;
  BOOST_TEST(to_csv(make_gradebook(course.input())) ==
             "student,name,exercise,earned,points,max_points,late_days,failure,override\n"
             "ada,\"Lovelace, Ada\",E04,0,0,100,0,does_not_compile,\n"
             "ada,\"Lovelace, Ada\",E01t,40,40,50,0,,\n"
             "bob,Bob,E04,100,60,100,2,,\n"
             "bob,Bob,E01t,25,15,50,2,,\n"
             "cem,Cem,E04,0,0,100,0,file_missing,\n"
             "cem,Cem,E01t,0,0,50,2,zero,\n"
             "dan,Dan,E04,,,100,0,unfinished,\n"
             "dan,Dan,E01t,50,0,50,8,too_late,\n"
             "eve,Eve,E04,,,100,0,missing,\n"
             "eve,Eve,E01t,,,50,0,missing,\n");
}

BOOST_AUTO_TEST_CASE(the_kinds_of_failure_are_counted) {
  const Course course;
  BOOST_TEST(summary_of(make_gradebook(course.input())) ==
             "5 students, 2 exercises: 3 with points, 1 without points, 1 not compiling, 1 with a "
             "file missing, 1 unfinished, 1 too late, 2 missing");
}

BOOST_AUTO_TEST_CASE(canvas_gets_its_two_lines_and_its_columns) {
  const Course course;
  const std::string text = to_canvas(make_gradebook(course.input()));
  BOOST_TEST(text.starts_with("Student,ID,SIS User ID,SIS Login ID,Section,E04 FIFO under test,HW "
                              "1 (77)\n    Points Possible,,,,,100,50\n"
                              "\"Lovelace, Ada\",11,ada,,,0,40\nBob,12,bob,,,60,15\n"),
             text);
}

BOOST_AUTO_TEST_CASE(moodle_gets_addresses_feedback_and_a_dash_for_no_grade) {
  const Course course;
  const std::string text = to_moodle(make_gradebook(course.input()));
  BOOST_TEST(text.starts_with("Username,Email address,E04 FIFO under test,E04 FIFO under test "
                              "(feedback),HW 1 (77),HW 1 (77) (feedback)\n"
                              "ada,ada@x,0,does_not_compile,40,\n"
                              "bob,bob@x,60,2 days late,15,2 days late\n"),
             text);
  BOOST_TEST((text.find("eve,eve@x,-,missing,-,missing\n") != std::string::npos), text);
}

BOOST_AUTO_TEST_CASE(what_an_instructor_decides_is_in_every_export_with_its_reason) {
  const Course course;
  course.folder.write("overrides.csv",
                      "student,exercise,points,reason\n"
                      "dan,E01t,45,<ill> until the 8th\neve,E04,70,oral exam\n"
                      "cem,E01t,60,of 100\n");
  GradebookInput input = course.input();
  input.overrides = read_overrides(course.folder.path() / "overrides.csv");
  const Gradebook book = make_gradebook(input);
  BOOST_TEST_REQUIRE(book.notes.size() == 1U);
  BOOST_TEST(
      book.notes.front().ends_with("overrides.csv:4: 60 points are more than the 50 of E01t"));
  const auto has = [](const std::string& text, const std::string& words) {
    BOOST_TEST((text.find(words) != std::string::npos), text);
  };
  has(to_csv(book), "dan,Dan,E01t,50,45,50,8,,<ill> until the 8th\n");
  has(to_csv(book), "eve,Eve,E04,,70,100,0,,oral exam\n");
  has(to_canvas(book), "Dan,14,dan,,,,45\nEve,15,eve,,,70,\n");
  has(to_moodle(book), "eve,eve@x,70,corrected: oral exam,-,missing\n");
  const std::string page = feedback_page(book, book.students.at(3));
  has(page, "45 of 50 points</h2>\n<p>Your instructor has set these points: &lt;ill&gt; until");
  has(page, "<h2>E04 FIFO under test: not graded</h2>");
  has(page, "<h1>Dan: 45 of 50 points</h1>");
}

BOOST_AUTO_TEST_CASE(an_override_of_nothing_is_refused) {
  const Course course;
  const auto says = [&](const std::string& row) {
    course.folder.write("overrides.csv", "student,exercise,points,reason\n" + row + "\n");
    GradebookInput input = course.input();
    return refusal_of([&] {
             input.overrides = read_overrides(course.folder.path() / "overrides.csv");
             static_cast<void>(make_gradebook(input));
           })
        .substr(course.folder.path().string().size() + 1);
  };
  BOOST_TEST(says("eva,E04,7,x") ==
             "overrides.csv:2: the roster has no student eva; did you mean eve?");
  BOOST_TEST(says("eve,E4,7,x") == "overrides.csv:2: there is no exercise E4; did you mean E04?");
  BOOST_TEST(says("eve,E04,much,x") == "overrides.csv:2: 'much' is no number of points");
  BOOST_TEST(says("eve,E04,-1,x") == "overrides.csv:2: '-1' is no number of points");
  BOOST_TEST(says("eve,E04,7,") == "overrides.csv:2: the reason is missing; the student reads it");
  BOOST_TEST(says("eve,E04,7,x\neve,E04,8,y") == "overrides.csv:3: eve has two overrides for E04");
}

BOOST_AUTO_TEST_CASE(a_page_for_a_student_shows_nothing_that_is_hidden) {
  const Course course;
  const Gradebook book = make_gradebook(course.input());
  const std::string page = feedback_page(book, book.students.front());
  BOOST_TEST((page.find("<h1>Lovelace, Ada: 40 of 150 points</h1>") != std::string::npos), page);
  BOOST_TEST((page.find("noticed by &lt;i&gt;") != std::string::npos), page);
  BOOST_TEST((page.find("error: &lt;b&gt;") != std::string::npos), page);
  BOOST_TEST((page.find("hidden/1") != std::string::npos), page);
  BOOST_TEST((page.find("secret") == std::string::npos), page);
  BOOST_TEST((page.find("<p>Half of the points: half of the broken libraries were caught, or half "
                        "of the tests") != std::string::npos),
             page);
  const std::string late = feedback_page(book, book.students.at(1));
  // Half as many points as in the result, as in the heading; what has none has a dash.
  for (const char* const row :
       {"<td>✓ yes<td>An update is lost. <small>shown/1</small><td>30 of 30<td>",
        "<td>hidden/1<td>10 of 20<td>hidden\n", "<td>a_test<td>–<td>"}) {
    BOOST_TEST((page.find(row) != std::string::npos), page);
  }
  BOOST_TEST((late.find("2 days late: 60 %") != std::string::npos), late);
}

BOOST_AUTO_TEST_CASE(before_it_is_due_nothing_is_missing) {
  const Course course;
  GradebookInput input = course.input();
  input.now = moment_from("2026-12-07T12:00:00Z").value();
  const Gradebook book = make_gradebook(input);
  BOOST_TEST((to_csv(book).find("eve,Eve,E04,,,100,0,,\neve,Eve,E01t,,,50,0,missing,\n") !=
              std::string::npos),
             to_csv(book));
  BOOST_TEST(summary_of(book).ends_with("1 missing, 1 not due"), summary_of(book));
  const std::string page = feedback_page(book, book.students.back());
  for (const char* const words :
       {"<h1>Eve: nothing graded yet</h1>", "not graded</h2>\n<p>Nothing is graded yet.\n"}) {
    BOOST_TEST((page.find(words) != std::string::npos), page);
  }
}

BOOST_AUTO_TEST_CASE(a_result_of_no_student_is_named_and_not_lost) {
  const Course course;
  course.put("E01t", "adah", Course::finished(10));
  const Gradebook book = make_gradebook(course.input());
  BOOST_TEST_REQUIRE(book.strangers.size() == 1);
  BOOST_TEST(
      (book.strangers.front().find("no student adah; did you mean ada?") != std::string::npos),
      book.strangers.front());
}

BOOST_AUTO_TEST_CASE(two_results_of_one_student_and_exercise_are_refused) {
  const Course course;
  course.folder.write("results/again/ada.json",
                      to_json({.exercise = "E01t", .status = Grade::Status::Finished}));
  const std::string why = refusal_of([&] { static_cast<void>(make_gradebook(course.input())); });
  BOOST_TEST((why.find("are both ada's result for E01t") != std::string::npos), why);
}

BOOST_AUTO_TEST_CASE(each_day_begun_is_a_row_of_the_table) {
  const CoursePolicy policy{.exercises = {}, .late_percent = {70, 40}};
  const Moment due = *moment_from("2026-12-01T12:00:00Z");
  const auto percent = [&](std::chrono::seconds by) {
    return lateness_of(due + by, due, policy).percent;
  };
  BOOST_TEST(percent(-std::chrono::hours(5)) == 100);
  BOOST_TEST(percent(std::chrono::seconds(0)) == 100);
  BOOST_TEST(percent(std::chrono::seconds(1)) == 70);
  BOOST_TEST(percent(std::chrono::hours(24)) == 70);
  BOOST_TEST(percent(std::chrono::hours(25)) == 40);
  BOOST_TEST(percent(std::chrono::hours(49)) == 0);
  BOOST_TEST(lateness_of(due + std::chrono::hours(99), due, {}).percent == 100);
  BOOST_TEST(lateness_of(due + std::chrono::hours(99), due, {}).days == 5);
}

BOOST_AUTO_TEST_CASE(times_have_a_zone) {
  BOOST_TEST((*moment_from("2026-12-01T12:00:00+01:30") == *moment_from("2026-12-01 10:30Z")));
  for (const char* const none : {"2026-12-01T12:00:00", "2026-02-30T12:00:00Z", "yesterday", "",
                                 "2026-12-01T25:00:00Z", "2026-12-01T12:00:00Zx"}) {
    BOOST_TEST(!moment_from(none), none);
  }
}

BOOST_AUTO_TEST_CASE(no_cell_of_a_table_is_a_formula_and_numbers_stay_numbers) {
  BOOST_TEST(in_csv("=HYPERLINK(\"http://x\")") == "\"'=HYPERLINK(\"\"http://x\"\")\"");
  for (const char* const text : {"=1+1", "+1+1", "-1+1", "@SUM(A1)", "\t=1", "\uFF1D1", "-inf"}) {
    BOOST_TEST(in_csv(text) == std::string("'") + (text[0] == '\t' ? "\t'=1" : text), text);
  }
  BOOST_TEST(in_csv("\r=1") == "\"'\r'=1\"");
  BOOST_TEST(in_csv(" \"=1") == "\" \"\"'=1\"");
  BOOST_TEST(in_csv("Ada;=1") == "Ada;'=1");  // where a semicolon separates
  for (const char* const text : {"-3.5", "+2", "-1e-5", "12", "-", "a=b", "Lovelace-King", ""}) {
    BOOST_TEST(in_csv(text) == text);
  }
  Course course;
  course.folder.write("roster.csv", "id,name\nada,=cmd|' /C calc'!A0\n");
  const Gradebook book =
      make_gradebook({.students = read_roster(course.folder.path() / "roster.csv"),
                      .policy = read_policy(course.folder.path() / "policy.yaml")});
  for (const std::string& text : {to_csv(book), to_canvas(book)}) {
    BOOST_TEST((text.find("'=cmd|") != std::string::npos), text);
  }
}

BOOST_AUTO_TEST_CASE(a_name_has_one_line) {
  const Course course;
  course.folder.write("two.csv", "id,name\nada,\"Ada\nLovelace\"\n");
  BOOST_CHECK_EXCEPTION(
      static_cast<void>(read_roster(course.folder.path() / "two.csv")), BadInput,
      [](const BadInput& wrong) {
        return std::string(wrong.what())
                   .find("two.csv:2: the name 'Ada\\nLovelace' has a line break") !=
               std::string::npos;
      });
}

BOOST_AUTO_TEST_CASE(wrong_files_are_refused_with_their_line) {
  const ScratchFolder folder;
  const auto says = [&](const std::string& text, const auto& read) {
    folder.write("file", text);
    return refusal_of([&] { static_cast<void>(read(folder.path() / "file")); })
        .substr(folder.path().string().size() + 1);
  };
  BOOST_TEST(says("name\nx\n", read_roster) == "file:1: the column id is missing; there are name");
  BOOST_TEST(says("id,name\na,b\n\na,c\n", read_roster) == "file:4: a is there twice");
  BOOST_TEST(says("id\n../x\n", read_roster) ==
             "file:2: '../x' is no id: it is to be the name of a folder");
  BOOST_TEST(says("id,name\na\n", read_roster) == "file:2: 1 values, expected 2: id, name");
  BOOST_TEST(says("id,name\n\"a,b\n", read_roster) == "file:3: a quote is not closed");
  BOOST_TEST(says("student,exercise,submitted\na,E1,noon\n", read_submission_times)
                 .starts_with("file:2: 'noon' is no time; expected one like 2026"));
  BOOST_TEST(says("exercises:\n  - {id: E1, due: noon}\n", read_policy)
                 .starts_with("file:2:19: 'noon' is no time"));
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace watchlab::course
