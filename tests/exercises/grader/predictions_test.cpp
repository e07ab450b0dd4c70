// The record of predictions: what is locked stays, what is edited is noticed, what is revealed
// counts.
#include "exercises/grader/predictions.hpp"

#include <boost/test/unit_test.hpp>
#include <string>
#include <vector>

#include "exercises/programs/texts.hpp"
#include "tests/exercises/grader/scratch_folder.hpp"

namespace watchlab::course {
namespace {

struct PredictionsFixture {
  ScratchFolder scratch;
  Exercise exercise{.folder = scratch.path(), .id = "E97"};
  std::filesystem::path file = scratch.write("answers.yaml", "locked: []\n");

  [[nodiscard]] Predictions record() const { return {exercise, file}; }
  /// Two answers and a reveal.
  void answer_all() const {
    Predictions fresh = record();
    fresh.lock("first", "1", "2026-01-01T00:00:01Z");
    fresh.lock("second", "Sync a: \"b\"\\", "2026-01-01T00:00:02Z");
    fresh.reveal("2026-01-01T00:00:03Z");
  }
};

/// `text` with the first `from` made `to`; a test that edits nothing shows nothing.
std::string edited(std::string text, const std::string& from, const std::string& to) {
  const std::size_t at = text.find(from);
  BOOST_TEST_REQUIRE(at != std::string::npos);
  return text.replace(at, from.size(), to);
}

}  // namespace

BOOST_FIXTURE_TEST_SUITE(predictions_test, PredictionsFixture)

BOOST_AUTO_TEST_CASE(what_is_locked_is_in_the_file_at_once) {
  Predictions fresh = record();
  fresh.lock("first", "1", "2026-01-01T00:00:01Z");
  BOOST_TEST(record().current().at("first") == "1");
  BOOST_TEST(record().broken() == "");
  fresh.lock("first", "2", "2026-01-01T00:00:02Z");
  BOOST_TEST(record().current().at("first") == "1");
}

BOOST_AUTO_TEST_CASE(any_answer_survives_the_file) {
  answer_all();
  BOOST_TEST(record().broken() == "");
  BOOST_TEST(record().counted().at("second") == "Sync a: \"b\"\\");
}

BOOST_AUTO_TEST_CASE(every_edit_of_what_was_locked_is_noticed) {
  answer_all();
  const std::string text = read_whole(file);
  const std::vector<std::pair<std::string, std::string>> edits{
      {"text: \"1\"", "text: \"2\""},
      {"00:00:01Z", "00:00:00Z"},
      {"question: \"first\"", "question: \"third\""},
      {"what: revealed", "what: anew"},
      {"what: revealed", "what: edited"}};
  for (const auto& [from, to] : edits) {
    scratch.write("answers.yaml", edited(text, from, to));
    BOOST_TEST((record().broken().find("is broken") != std::string::npos), from << " -> " << to);
  }
}

BOOST_AUTO_TEST_CASE(an_entry_that_is_taken_out_or_moved_is_noticed) {
  answer_all();
  const std::string text = read_whole(file);
  const std::size_t first = text.find("  - ");
  const std::size_t second = text.find("  - ", first + 1);
  const std::size_t third = text.find("  - ", second + 1);
  const std::string moved = text.substr(0, first) + text.substr(second, third - second) +
                            text.substr(first, second - first) + text.substr(third);
  for (const std::string& wrong : {text.substr(0, first) + text.substr(second), moved}) {
    scratch.write("answers.yaml", wrong);
    BOOST_TEST((record().broken().find("entry 1") != std::string::npos), wrong);
  }
}

BOOST_AUTO_TEST_CASE(a_record_of_another_exercise_is_noticed) {
  answer_all();
  exercise.id = "E96";
  BOOST_TEST(record().broken() != "");
}

BOOST_AUTO_TEST_CASE(an_end_that_is_cut_off_is_known_by_the_state) {
  answer_all();
  const std::string state = record().state();
  BOOST_TEST(record().continues_from(state));
  BOOST_TEST(record().continues_from(""));
  const std::string text = read_whole(file);
  scratch.write("answers.yaml", text.substr(0, text.rfind("  - ")));
  BOOST_TEST(record().broken() == "");
  BOOST_TEST(!record().continues_from(state));
  scratch.write("answers.yaml", "locked: []\n");
  BOOST_TEST(!record().continues_from(state));
}

BOOST_AUTO_TEST_CASE(before_a_reveal_a_new_start_counts) {
  Predictions mistyped = record();
  mistyped.lock("first", "1", "2026-01-01T00:00:01Z");
  mistyped.start_anew("mistyped", "2026-01-01T00:00:02Z", false);
  mistyped.lock("first", "7", "2026-01-01T00:00:03Z");
  mistyped.reveal("2026-01-01T00:00:04Z");
  BOOST_TEST(record().broken() == "");
  BOOST_TEST(record().counted().at("first") == "7");
  BOOST_TEST((record().notes().find("before anything was revealed: mistyped") != std::string::npos),
             record().notes());
}

BOOST_AUTO_TEST_CASE(after_a_reveal_a_new_start_is_practice) {
  answer_all();
  Predictions again = record();
  again.start_anew("once more", "2026-01-01T00:00:05Z", false);
  BOOST_TEST(!record().is_revealed());
  BOOST_TEST(record().current().empty());
  again.lock("first", "7", "2026-01-01T00:00:06Z");
  again.reveal("2026-01-01T00:00:07Z");
  BOOST_TEST(record().current().at("first") == "7");
  BOOST_TEST(record().counted().at("first") == "1");
  BOOST_TEST((record().notes().find("practice: once more") != std::string::npos), record().notes());
}

BOOST_AUTO_TEST_CASE(a_new_start_after_an_edit_says_so) {
  answer_all();
  scratch.write("answers.yaml", edited(read_whole(file), "text: \"1\"", "text: \"2\""));
  Predictions again = record();
  again.start_anew("sorry", "2026-01-01T00:00:05Z", true);
  again.lock("first", "7", "2026-01-01T00:00:06Z");
  BOOST_TEST(record().broken() == "");
  BOOST_TEST(record().counted().at("first") == "7");
  BOOST_TEST((record().notes().find("had been edited") != std::string::npos), record().notes());
}

BOOST_AUTO_TEST_CASE(drafts_stay_and_are_never_counted) {
  scratch.write("answers.yaml", "answers: {first: \"99\"}\n");
  Predictions fresh = record();
  BOOST_TEST(fresh.counted().empty());
  fresh.lock("second", "1", "2026-01-01T00:00:01Z");
  BOOST_TEST(record().drafts().at("first") == "99");
  BOOST_TEST(!record().counted().contains("first"));
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace watchlab::course
