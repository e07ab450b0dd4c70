#include "exercises/grader/questions.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "exercises/programs/builder.hpp"
#include "exercises/programs/language.hpp"
#include "exercises/programs/texts.hpp"
#include "scenarios/language/parse.hpp"
#include "scenarios/language/play.hpp"
#include "scenarios/language/table.hpp"
#include "sim/explore/portfolio_strategy.hpp"
#include "sim/kernel/world.hpp"

namespace watchlab::course {
namespace {

namespace fs = std::filesystem;
using scenarios::list_of;
using scenarios::text;
using scenarios::word;

scenarios::Codec<Question> question_grammar() {
  scenarios::Table<Question> table("a question", "A question.");
  table.required("id", &Question::id, text("a name"), "Its name.")
      .required("ask", &Question::ask, text("a question"), "What is asked.")
      .required("kind", &Question::kind, word("a kind", {"number", "choice", "list", "order"}),
                "Of what kind.")
      .optional("points", &Question::points, scenarios::integer("points", 1, 1000), "Its worth.")
      .optional("scenario", &Question::scenario, text("a file"), "The story.")
      .optional("choices", &Question::choices, scenarios::text_map("choices"),
                "What to choose from.")
      .key(
          {"measure", "How the world answers."}, scenarios::measure_grammar(text("a name")),
          [](Question& question, const scenarios::Measure& measure) {
            question.measured = true;
            question.measure = measure;
          },
          [](const Question& question) {
            return question.measured ? std::optional(question.measure) : std::nullopt;
          });
  return table.codec();
}

struct File {
  std::string scenario;
  std::vector<Question> questions;
};

sim::Record play(const Exercise& exercise, const Question& question) {
  const scenarios::Scenario scenario = read_story(exercise.folder / question.scenario);
  sim::Record record;
  sim::World world({.seed = 1});
  sim::FifoStrategy strategy;
  const sim::RunResult result = world.run(strategy, [&](runtime::Runtime& runtime) {
    scenarios::play(scenario, scenarios::Scope::StoredOrder, runtime,
                    {.record = &record, .transcribe = true});
  });
  if (result.failure) {
    throw BadInput(fmt::format("{}: {}", question.scenario, result.failure->sentence));
  }
  return record;
}

std::string plain(const std::string& answer) {
  std::string out;
  for (const char character : answer) {
    const auto letter = static_cast<unsigned char>(character);
    if (std::isspace(letter) == 0) {
      out += static_cast<char>(std::tolower(letter));
    }
  }
  return out;
}

std::string without_outer_blanks(const std::string& text) {
  const std::size_t first = std::min(text.find_first_not_of(" \t\r"), text.size());
  return text.substr(first, text.find_last_not_of(" \t\r") + 1 - first);
}

/// Why a list is not made of what its measure shows, "Added default/red" or "LIST"; "" when it is.
std::string reason_against_items(const Question& question, const std::string& answer) {
  const std::vector<std::string> verbs = scenarios::verbs_of(question.measure);
  if (!question.measured || verbs.empty()) {
    return "";
  }
  const bool has_key = scenarios::shows_keys(question.measure);
  const std::string example = verbs.front() + (has_key ? " default/red" : "");
  std::size_t begin = 0;
  for (std::size_t end = 0; end != std::string::npos; begin = end + 1) {
    end = answer.find(',', begin);
    const std::string item = without_outer_blanks(answer.substr(begin, end - begin));
    const std::size_t blank = std::min(item.find_first_of(" \t"), item.size());
    const std::string key = without_outer_blanks(item.substr(blank));
    const std::string given = plain(item.substr(0, blank));
    const bool is_known =
        std::ranges::any_of(verbs, [&](const std::string& verb) { return plain(verb) == given; });
    const bool is_about_all = given.ends_with("all") || given == "bookmark";
    const bool is_key = key.find_first_of(" \t") == std::string::npos &&
                        std::ranges::count(key, '/') == 1 && key.front() != '/' &&
                        key.back() != '/';
    if (!is_known || (has_key && !is_about_all ? !is_key : !key.empty())) {
      return fmt::format("\"{}\" is not like \"{}\"; what stands before the name is {}", item,
                         example, scenarios::one_of(verbs));
    }
  }
  return "";
}

/// "a,b,c" of an order.
std::string letters_of(const Question& question) {
  std::string letters;
  for (const auto& [letter, choice] : question.choices) {
    letters += (letters.empty() ? "" : ",") + letter;
  }
  return letters;
}

std::string sorted_letters(std::string letters) {
  std::ranges::sort(letters);
  return letters;
}

std::string answer_in(const api::Labels& answers, const std::string& id) {
  const auto found = answers.find(id);
  return found == answers.end() ? "" : found->second;
}

}  // namespace

std::vector<Question> read_questions(const Exercise& exercise) {
  scenarios::Table<File> table("questions", "The questions of an exercise.");
  table.optional("scenario", &File::scenario, text("a file"), "The story of all questions.")
      .required("questions", &File::questions, list_of("a list of questions", question_grammar()),
                "All.");
  File file = read_by(table.codec(), exercise.folder / "questions.yaml");
  for (Question& question : file.questions) {
    question.scenario = question.scenario.empty() ? file.scenario : question.scenario;
  }
  return file.questions;
}

std::string reason_against(const Question& question, const std::string& answer) {
  const std::string given = plain(answer);
  if (given.empty()) {
    return "there is no answer";
  }
  if (question.kind == "number" && given.find_first_not_of("0123456789") != std::string::npos) {
    return "the answer is a number";
  }
  const auto is_given = [&](const auto& choice) { return plain(choice.first) == given; };
  if (question.kind == "choice" && std::ranges::none_of(question.choices, is_given)) {
    std::vector<std::string> letters;
    for (const auto& [letter, choice] : question.choices) {
      letters.push_back(letter);
    }
    return fmt::format("the answer is {}", scenarios::one_of(letters));
  }
  if (question.kind == "order" && sorted_letters(given) != sorted_letters(letters_of(question))) {
    return fmt::format("the answer is all of {}, in an order, with commas between",
                       letters_of(question));
  }
  return question.kind == "list" ? reason_against_items(question, answer) : "";
}

scenarios::Codec<api::Labels> answer_grammar() {
  scenarios::Codec<api::Labels> map = scenarios::text_map("answers");
  map.read = [read = map.read](scenarios::Node node, scenarios::ParseContext& context) {
    for (scenarios::Node::Entry& entry : node.entries) {
      entry.value.quoted = entry.value.quoted || !entry.value.text.empty();
    }
    return read(node, context);
  };
  return map;
}

Answers read_answers(const fs::path& file) {
  scenarios::Table<Answers> table("answers", "Answers, by question.");
  table.optional("answers", &Answers::answers, answer_grammar(), "By question.")
      .optional("because", &Answers::because, scenarios::text_map("reasons"), "Why.");
  return read_by(table.codec(), file);
}

std::optional<Answers> right_answers(const Exercise& exercise, const fs::path& instructor) {
  const fs::path file = answers_of_instructor(exercise, instructor);
  if (file.empty()) {
    return std::nullopt;
  }
  Answers right = read_answers(file);
  const fs::path reasons = in_language(file, own_language());
  right.because = reasons == file ? right.because : read_answers(reasons).because;
  return right;
}

std::string measured_answer(const Exercise& exercise, const Question& question) {
  return scenarios::measured_by(question.measure, play(exercise, question));
}

bool same_answer(const std::string& one, const std::string& other) {
  return plain(one) == plain(other);
}

void put_answers(Grade& grade, const Exercise& exercise, const Answers& given,
                 const std::optional<Answers>& right) {
  const std::vector<Question> questions = read_questions(exercise);
  double all = 0;
  for (const Question& question : questions) {
    all += static_cast<double>(question.points);
  }
  const double points_max = grade.points_max;
  std::size_t held = 0;
  std::size_t open = 0;
  for (const Question& question : questions) {
    const std::string answer = answer_in(given.answers, question.id);
    const bool is_unknown = !question.measured && !right;
    const bool is_open = is_unknown && !plain(answer).empty();
    const std::string truth = question.measured ? measured_answer(exercise, question)
                              : is_unknown      ? ""
                                                : answer_in(right->answers, question.id);
    const bool is_right = !plain(answer).empty() && same_answer(answer, truth);
    const double worth = points_max * static_cast<double>(question.points) / all;
    grade.points_open += is_open ? worth : 0;
    GradeCase line{.id = question.id,
                   .kind = "predict",
                   .outcome = is_right  ? "pass"
                              : is_open ? "open"
                                        : "fail",
                   .points = is_right ? worth : 0,
                   .points_max = is_open ? 0 : worth};
    line.message = is_right || is_open ? answer
                   : answer.empty()    ? fmt::format(
                                          "{}\n"
                                             "no answer",
                                          question.ask)
                                    : fmt::format("{}\nnot \"{}\"", question.ask, answer);
    held += is_right ? 1 : 0;
    open += is_unknown ? 1 : 0;
    grade.cases.push_back(std::move(line));
  }
  grade.points_max = points_max - grade.points_open;
  grade.summary = fmt::format("{} of {} predictions came true.", held, questions.size() - open);
  if (open > 0) {
    grade.summary += fmt::format(
        " {} more are no story's to answer: whether they are right is shown when they are graded.",
        open);
  }
}

}  // namespace watchlab::course
