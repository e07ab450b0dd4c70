// What students believe of a library: a corpus of wrong tests, and how many get a message that
// names the promise that they misunderstand.
#include "exercises/grader/misconceptions.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <boost/test/data/monomorphic.hpp>
#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>
#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "exercises/programs/texts.hpp"
#include "exercises/sandbox/processes.hpp"
#include "scenarios/language/table.hpp"
#include "sim/faults/fault_catalogue.hpp"
#include "tests/exercises/grader/grading_fixture.hpp"

namespace watchlab::course {

BOOST_FIXTURE_TEST_SUITE(misconceptions_test, GradingFixture)

namespace {

/// A file of tests/exercises/misconceptions.
struct WrongTests {
  std::string exercise;
  std::string head;     ///< of the file
  std::string begin;    ///< of each body
  api::Labels tests;    ///< the bodies
  api::Labels clauses;  ///< which promise each misunderstands; a test may get no other
};

WrongTests read_wrong_tests(const std::filesystem::path& file) {
  scenarios::Table<WrongTests> table("wrong tests", "Tests that fail with a right library.");
  table.required("exercise", &WrongTests::exercise, scenarios::text("an id"), "Of what.")
      .required("head", &WrongTests::head, scenarios::text("a text"), "Of the file.")
      .required("begin", &WrongTests::begin, scenarios::text("a text"), "Of each body.")
      .required("tests", &WrongTests::tests, scenarios::text_map("bodies"), "The tests.")
      .required("clauses", &WrongTests::clauses, scenarios::text_map("clauses"), "By test.");
  return read_by(table.codec(), file);
}

std::string suite_of(const WrongTests& wrong) {
  std::string text = wrong.head;
  for (const auto& [name, body] : wrong.tests) {
    text += fmt::format(
        "\nBOOST_AUTO_TEST_CASE({}) {{\n  in_every_world([](Runtime& runtime) {{\n{}\n{}\n  "
        "}});\n}}\n",
        name, wrong.begin, body);
  }
  return text;
}

namespace fs = std::filesystem;

constexpr const char* kUsesWrongly =
    R"cpp(#include <boost/test/unit_test.hpp>
#include <chrono>

#include "core/runtime/task.hpp"
#include "exercises/08t-reflector-tests/subject.hpp"
#include "exercises/toolkit/cluster.hpp"
#include "exercises/toolkit/worlds.hpp"

          using namespace watchlab::exercise;
          using namespace std::chrono_literals;
          using watchlab::runtime::Runtime;

          template <typename Deed>
          void with_a_cluster(const Deed& deed) {
            in_every_world([&](Runtime& runtime) {
              Cluster cluster(runtime);
              const auto reflector = make_reflector(runtime, cluster.source(), cluster.mirror());
              cluster.create("early");
              cluster.start(*reflector);
              cluster.wait(2s);
              deed(cluster, runtime);
              cluster.stop();
              expect_equal(cluster.watches_open(), 0);
            });
          }
          BOOST_AUTO_TEST_CASE(a_stop_is_noticed) {
            with_a_cluster([](Cluster&, Runtime&) {});
          }
          BOOST_AUTO_TEST_CASE(no_fault) {
            with_a_cluster([](Cluster& cluster, Runtime&) { cluster.inject("cut_wach", 1); });
          }
          BOOST_AUTO_TEST_CASE(no_answer) {
            with_a_cluster([](Cluster& it, Runtime&) { it.inject("fail_stream", 1, "interna"); });
          }
          BOOST_AUTO_TEST_CASE(without_its_answer) {
            with_a_cluster([](Cluster& cluster, Runtime&) { cluster.inject("fail_stream", 1); });
          }
          BOOST_AUTO_TEST_CASE(healed_too_early) {
            with_a_cluster([](Cluster& cluster, Runtime&) { cluster.heal("cut_watch"); });
          }
          BOOST_AUTO_TEST_CASE(no_object) {
            in_every_world([](Runtime&) { *static_cast<volatile int*>(nullptr) = 1; });
          }
          BOOST_AUTO_TEST_CASE(never_stopped) {
            in_every_world([](Runtime& runtime) {
              Cluster cluster(runtime);
              const auto reflector = make_reflector(runtime, cluster.source(), cluster.mirror());
              cluster.start(*reflector);
              cluster.wait(2s);
            });
          }
          BOOST_AUTO_TEST_CASE(left_behind) {
            in_every_world([](Runtime& runtime) {
              Cluster cluster(runtime);
              const auto producer =
                  watchlab::runtime::spawn(runtime, "producer", [&] { cluster.wait(1min); });
            });
          }
          BOOST_AUTO_TEST_CASE(of_boost) {
            with_a_cluster([](Cluster&, Runtime&) {
              const int one = 1;
              BOOST_TEST(one == 2);
            });
          }
          void looks_for_nothing() {
            with_a_cluster([](Cluster& cluster, Runtime&) {
    expect_equal(cluster.in_mirror().size(), 0); });
          }
          BOOST_AUTO_TEST_CASE(same_1) { looks_for_nothing(); }
          BOOST_AUTO_TEST_CASE(same_2) { looks_for_nothing(); }
          BOOST_AUTO_TEST_CASE(same_3) { looks_for_nothing(); }
    )cpp";

constexpr const char* kFailsInSomeOrders =
    R"cpp(#include <boost/test/unit_test.hpp>

#include "core/runtime/task.hpp"
#include "exercises/04-fifo/subject.hpp"
#include "exercises/toolkit/objects.hpp"
#include "exercises/toolkit/worlds.hpp"

          using namespace watchlab::exercise;
          using watchlab::runtime::Runtime;
          using watchlab::runtime::spawn;

          BOOST_AUTO_TEST_CASE(depends_on_the_order) {
            in_every_world([](Runtime& runtime) {
              const auto queue = make_queue(runtime);
              auto adds = spawn(runtime, "my producer", [&] { queue->add(object("a", "1")); });
              expect_equal(static_cast<std::int64_t>(queue->list().size()), 0);
              adds.join();
            });
          }
          BOOST_AUTO_TEST_CASE(waits_for_what_never_comes) {
            in_every_world([](Runtime& runtime) {
              const auto queue = make_queue(runtime);
              queue->add(object("a", "1"));
              static_cast<void>(queue->pop());
              act(runtime, "pops once more");
              static_cast<void>(queue->pop());
            });
          }
    )cpp";

/// What happens in the numbered lines of a narration, by their numbers.
std::map<std::size_t, std::string> happenings(const std::string& story) {
  std::map<std::size_t, std::string> lines;
  for (const std::string_view line : lines_in(story)) {
    const std::size_t dot = line.find(". ");
    const std::size_t digit = line.find_first_not_of(' ');
    if (dot != line.npos && line.find_first_not_of("0123456789", digit) == dot) {
      const std::string_view what = line.substr(dot + 2);
      lines[std::stoul(std::string(line.substr(digit, dot - digit)))] =
          what.substr(what.find(": ") + 2);
    }
  }
  return lines;
}

/// How many of a file's tests, 24 at least, have to get a specific message: those that do, less one
/// or two.
const std::vector<std::pair<std::string, std::size_t>> kFiles{
    {"01t", 20}, {"02", 20}, {"04", 20}, {"06", 20}, {"08t", 20}};

}  // namespace

BOOST_DATA_TEST_CASE(wrong_tests_get_the_promise_that_they_misunderstand,
                     boost::unit_test::data::make({0, 1, 2, 3, 4}), number) {
  const auto& [name, specific_min] = kFiles.at(number);
  const WrongTests wrong =
      read_wrong_tests(toolchain.root / "tests/exercises/misconceptions" / (name + ".yaml"));
  exercise = find_exercise(read_exercises(toolchain.exercises()), wrong.exercise);
  instructor.clear();  // as at home
  const std::string source = suite_of(wrong);
  scratch.write("handin/" + exercise.files.front(), source);
  const Grade grade = grade_submission(scratch.path() / "handin");
  BOOST_TEST_REQUIRE((grade.status == Grade::Status::Finished), grade.summary);
  std::size_t wrong_tests = 0;
  std::size_t specific = 0;
  for (const GradeCase& entry : grade.cases) {
    if (entry.kind != "test") {
      continue;
    }
    const std::string message = entry.message.substr(0, entry.message.find('\n'));
    BOOST_TEST(entry.outcome == "invalid", entry.id << " is right");
    wrong_tests += entry.outcome == "invalid" ? 1 : 0;
    constexpr std::string_view mark = "with a correct library, against ";
    const std::size_t named = message.find(mark);
    const std::string clause =
        named == std::string::npos
            ? ""
            : message.substr(named + mark.size(), message.find(':') - named - mark.size());
    const auto meant = wrong.clauses.find(entry.id);
    const bool is_meant = meant != wrong.clauses.end() && clause == meant->second;
    BOOST_TEST((clause.empty() || is_meant), entry.id << " is named wrong: " << message);
    specific += is_meant ? 1 : 0;
    BOOST_TEST_MESSAGE(exercise.id << " " << entry.id << ": " << message);
  }
  BOOST_TEST_MESSAGE(exercise.id << ": " << specific << " of " << wrong_tests);
  BOOST_TEST(wrong_tests == wrong.tests.size());
  BOOST_TEST(specific >= specific_min);
}

BOOST_AUTO_TEST_CASE(what_is_used_wrongly_gets_no_clause) {
  fs::permissions(scratch.path(), fs::perms::others_exec, fs::perm_options::add);
  const std::string program = (toolchain.tree / "exercises/grader/watchlab-course").string();
  const auto call = [&](const std::string& words) {
    return run_plainly({"/bin/sh", "-c", program + " " + words + " --homework homework"},
                       scratch.path());
  };
  BOOST_TEST_REQUIRE(call("start E08t").status == 0);
  std::string source = kUsesWrongly;
  for (const sim::FaultEntry& fault : sim::fault_catalogue()) {
    if (fault.wire_only) {
      source += fmt::format(
          "\nBOOST_AUTO_TEST_CASE(of_bytes_{0}) {{\n  with_a_cluster([](Cluster& it, Runtime&) {{ "
          "it.inject(\"{0}\", 1); }});\n}}\n",
          fault.name);
    }
  }
  scratch.write("homework/08t-reflector-tests/reflector_test.cpp", source);
  const ProcessEnd end = call("check");
  const auto says = [&](const std::string& words) {
    BOOST_TEST((end.output.find(words) != std::string::npos), words << " is not in\n"
                                                                    << end.output);
  };
  const std::string wrongly = "\n      the test used the cluster wrongly: ";
  says("✓ a_stop_is_noticed");
  says(wrongly + "there is no fault named \"cut_wach\"; did you mean \"cut_watch\"?");
  says(wrongly + "\"interna\" is no answer; there are ");
  says("; did you mean \"internal\"?");
  says(wrongly + "fail_stream needs an answer");
  for (const sim::FaultEntry& fault : sim::fault_catalogue()) {
    if (fault.wire_only) {
      says(fmt::format("{}{} is about bytes, and messages have none here", wrongly, fault.name));
    }
  }
  says(wrongly + "only what was injected can be healed, and cut_watch was not");
  says("it crashed with a correct library: a mistake of the test itself");
  const std::string behind = "\n      the test leaves a task behind: ";
  says(behind + "task 'client' still runs at the end: call cluster.stop()\n  ✗");
  says(behind + "task 'producer' still runs at the end: join it\n  ✗");
  says("check one == 2 has failed [1 != 2] (reflector_test.cpp:");
  says("2 more fail like this: same_2, same_3");
  BOOST_TEST((end.output.find("mutex") == std::string::npos), end.output);
  BOOST_TEST((end.output.find("cluster.cpp") == std::string::npos), end.output);
  BOOST_TEST((end.output.find(", against ") == std::string::npos), end.output);
}

BOOST_AUTO_TEST_CASE(a_failure_speaks_of_steps_by_their_numbers_in_its_list) {
  exercise = find_exercise(read_exercises(toolchain.exercises()), "E04");
  instructor.clear();  // as at home
  scratch.write("handin/fifo_test.cpp", kFailsInSomeOrders);
  const Grade grade = grade_submission(scratch.path() / "handin");
  std::size_t named = 0;
  std::size_t narrated = 0;
  for (const GradeCase& entry : grade.cases) {
    if (entry.kind != "test") {
      continue;
    }
    ++narrated;
    const std::string& story = entry.narration;
    for (const char* const word :
         {"lost wake-up", "subject.cpp", "variant.cpp", "fifo.cpp", "%20"}) {
      BOOST_TEST((story.find(word) == std::string::npos), word << " is in\n" << story);
    }
    const auto lines = happenings(story);
    BOOST_TEST(!lines.empty(), story);
    // A step that the list has stands there with its task; one that it has not is "after" a line.
    for (std::size_t at = story.find("step "); at != story.npos; at = story.find("step ", at + 1)) {
      const std::size_t end = story.find_first_not_of("0123456789", at + 5);
      const std::size_t number = std::stoul(story.substr(at + 5, end - at - 5));
      BOOST_TEST((lines.contains(number) || number == 0), "step " << number << " of\n" << story);
      const bool behind = at >= 6 && story.compare(at - 6, 6, "after ") == 0;
      if (!behind && story.compare(end, 2, ": ") == 0 && lines.contains(number)) {
        const std::string task = lines.at(number).substr(0, lines.at(number).find(' '));
        BOOST_TEST((story.compare(end + 2, task.size(), task) == 0), story);
      }
      ++named;
    }
    BOOST_TEST_MESSAGE(entry.id << ": " << story);
  }
  BOOST_TEST(narrated == 2);
  BOOST_TEST(named >= 2);
}

BOOST_AUTO_TEST_CASE(each_exercise_of_tests_has_a_table) {
  for (const auto& [name, ignored] : kFiles) {
    const std::string id = "E" + name;
    const Exercise each = find_exercise(read_exercises(toolchain.exercises()), id);
    BOOST_TEST(!read_misconceptions(each).empty(), id);
  }
  BOOST_TEST(read_misconceptions(exercise).empty());
}

BOOST_AUTO_TEST_CASE(pieces_stand_in_their_order) {
  BOOST_TEST(has_pieces("store->list() [0]", "list()["));
  BOOST_TEST(has_pieces("a b c", "a…c"));
  BOOST_TEST(!has_pieces("a b c", "c…a"));
  BOOST_TEST(!has_pieces("aa", "aa…a"));
  BOOST_TEST(has_pieces("anything", ""));
}

BOOST_AUTO_TEST_CASE(a_test_ends_where_the_next_begins) {
  const std::string source =
      "\nBOOST_AUTO_TEST_CASE(one) { first }\nBOOST_FIXTURE_TEST_CASE(two, F) { second }\n";
  BOOST_TEST(test_in(source, "one") == "(one) { first }");
  BOOST_TEST(test_in(source, "two") == "(two, F) { second }\n");
  BOOST_TEST(test_in(source, "three").empty());
  const std::vector<Misconception> rows{{.clause = "C1", .code = "second", .say = "no"}};
  BOOST_TEST(find_misconception(rows, test_in(source, "one"), "") == nullptr);
  BOOST_TEST(find_misconception(rows, test_in(source, "two"), "") == &rows.front());
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace watchlab::course
