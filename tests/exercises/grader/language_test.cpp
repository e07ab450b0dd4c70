// Both languages say the same: every page, hint and message is there, with the same code, numbers,
// names and links.
#include "exercises/programs/language.hpp"

#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <cstdlib>
#include <filesystem>
#include <regex>
#include <set>
#include <string>
#include <vector>

#include "exercises/grader/misconceptions.hpp"
#include "exercises/grader/questions.hpp"
#include "exercises/programs/texts.hpp"
#include "exercises/programs/toolchain.hpp"
#include "exercises/programs/variant.hpp"
#include "tests/exercises/grader/scratch_folder.hpp"

namespace watchlab::course {

BOOST_AUTO_TEST_SUITE(language_test)

namespace {

namespace fs = std::filesystem;

fs::path root() {
  const auto here = fs::read_symlink("/proc/self/exe").parent_path();
  return read_toolchain(here / "../../../exercises/grader/toolchain.yaml").root;
}

std::vector<Exercise> all_exercises() { return read_exercises(root() / "exercises"); }

std::multiset<std::string> found_in(const std::string& text, const std::string& pattern) {
  const std::regex wanted(pattern);
  std::multiset<std::string> found;
  for (std::sregex_iterator at(text.begin(), text.end(), wanted), end; at != end; ++at) {
    found.insert((*at)[at->size() - 1].str());
  }
  return found;
}

/// A number that is written as a word, and how Chinese writes it.
const std::vector<std::pair<const char*, const char*>>& number_words() {
  static const std::vector<std::pair<const char*, const char*>> kWords{
      {"three", "三"},       {"four", "四"},       {"five", "五"},      {"six", "六"},
      {"seven", "七"},       {"eight", "八"},      {"nine", "九"},      {"twelve", "十二"},
      {"thirteen", "十三"},  {"fourteen", "十四"}, {"fifteen", "十五"}, {"sixteen", "十六"},
      {"seventeen", "十七"}, {"nineteen", "十九"}, {"twenty", "二十"},  {"thirty", "三十"}};
  return kWords;
}

/// What a page and its translation do not have in common, a line each.
std::vector<std::string> differences(const std::string& english, const std::string& chinese) {
  std::vector<std::string> wrong;
  const std::string spans = "`([^`]+)`";
  const std::string blocks = "```([^`]*)```";
  const auto without_blocks = [&](const std::string& text) {
    return std::regex_replace(text, std::regex(blocks), "");
  };
  const auto plain = [&](const std::string& text) {
    return std::regex_replace(without_blocks(text), std::regex("`[^`]*`"), "");
  };
  const auto unbroken = [](const std::string& text) {
    return std::regex_replace(text, std::regex("\\s*\n\\s*"), " ");
  };
  const auto compare = [&](const char* what, const std::string& one, const std::string& other,
                           const std::string& pattern) {
    const auto first = found_in(one, pattern);
    const auto second = found_in(other, pattern);
    for (const auto& [from, to, where] :
         {std::tuple{&first, &second, "Chinese"}, {&second, &first, "English"}}) {
      for (const std::string& each : *from) {
        if (from->count(each) > to->count(each)) {
          wrong.push_back(std::string(what) + " '" + each + "' is not so often in the " + where);
        }
      }
    }
  };
  compare("block", english, chinese, blocks);
  compare("code", unbroken(without_blocks(english)), unbroken(without_blocks(chinese)), spans);
  if (english.starts_with("#")) {  // in a page, what is set in is a command
    compare("command", english, chinese, "\n {4}([^\n]+)");
  }
  compare("number", plain(english), plain(chinese), "([0-9]+)");
  const auto untranslated = [](const std::string& text) {
    return std::regex_replace(text, std::regex("\\.zh\\.md"), ".md");
  };
  compare("link", untranslated(english), untranslated(chinese), "\\]\\(([^)]+)\\)");
  compare("beginning", "\n" + english, "\n" + chinese, "\n(#+ |- |\\| )");
  for (const auto& [word, numeral] : number_words()) {
    const std::regex pattern("\\b" + std::string(word) + "\\b", std::regex::icase);
    if (std::regex_search(plain(english), pattern) && chinese.find(numeral) == std::string::npos) {
      wrong.push_back(std::string("number '") + word + "' is not in the Chinese");
    }
  }
  return wrong;
}

void check_pair(const fs::path& english) {
  const fs::path chinese = in_language(english, "zh");
  BOOST_TEST((chinese != english), english.string() + " is in English only");
  for (const std::string& wrong : differences(read_whole(english), read_whole(chinese))) {
    BOOST_ERROR(chinese.string() + ": " + wrong);
  }
}

Catalogue chinese() { return Catalogue(catalogue_files(root() / "exercises", "zh")); }

/// A text of the program as an entry has it: "{:.0f}" is "{}".
std::string as_entry(std::string text) {
  text = std::regex_replace(text, std::regex(R"(\\")"), "\"");
  text = std::regex_replace(text, std::regex(R"(\{[^{}]*\})"), "{}");
  return text;
}

/// Without the placeholders that it begins and ends with.
std::string without_ends(std::string text) {
  text = text.starts_with("{}") ? text.substr(2) : text;
  return text.ends_with("{}") ? text.substr(0, text.size() - 2) : text;
}

/// The texts of a source that are sentences: three words at least.
std::set<std::string> sentences_of(const std::string& source) {
  std::string text = std::regex_replace(source, std::regex("//[^\n]*"), "");
  text = std::regex_replace(text, std::regex(R"("\s*\n\s*")"), "");
  // Names in tables of what files say are for authors.
  text = std::regex_replace(text, std::regex(R"((required|optional|table|entry)\([^;]*;)"), "");
  std::set<std::string> sentences;
  for (const std::string& literal : found_in(text, R"re("((?:[^"\\]|\\.)*)")re")) {
    std::string rest = literal;
    for (std::size_t end = 0; end != std::string::npos; rest = rest.substr(end + 2)) {
      end = rest.find("\\n");
      const std::string line = rest.substr(0, end);
      const std::size_t first = std::min(line.find_first_not_of(' '), line.size());
      if (std::ranges::count(line, ' ') >= 2 && found_in(line, "([A-Za-z]{2,})").size() >= 3 &&
          !line.starts_with("  watchlab-course predict E07")) {  // an example
        sentences.insert(as_entry(line.substr(first)));
      }
      if (end == std::string::npos) {
        break;
      }
    }
  }
  return sentences;
}

}  // namespace

BOOST_AUTO_TEST_CASE(handouts_are_there_in_both_languages_and_agree) {
  for (const Exercise& exercise : all_exercises()) {
    check_pair(exercise.folder / "README.md");
    check_pair(exercise.folder / "hints.yaml");
    if (fs::exists(exercise.folder / "instructor/answers.yaml") &&
        fs::exists(exercise.folder / "questions.yaml")) {
      const auto reasons = [&](const char* name) {
        return read_answers(exercise.folder / "instructor" / name).because;
      };
      for (const auto& [question, reason] : reasons("answers.yaml")) {
        BOOST_TEST(reasons("answers.zh.yaml").contains(question), exercise.id + ": " + question);
      }
    }
  }
  for (const char* const page :
       {"exercises/first-trio/README.md", "exercises/without-cpp/README.md",
        "exercises/break-it/README.md", "docs/glossary.md", "docs/tutorial.md"}) {
    check_pair(root() / page);
  }
}

BOOST_AUTO_TEST_CASE(what_an_exercise_says_is_in_the_catalogue) {
  const Catalogue catalogue = chinese();
  const auto check = [&](const Exercise& exercise, const std::string& text) {
    BOOST_TEST((text.empty() || catalogue.knows(text)),
               exercise.id + ": texts.zh.yaml has not: " + text);
  };
  for (const Exercise& exercise : all_exercises()) {
    check(exercise, exercise.title);
    if (exercise.task == Task::Predict) {
      for (const Question& question : read_questions(exercise)) {
        check(exercise, question.ask);
        for (const auto& [letter, choice] : question.choices) {
          check(exercise, choice);
        }
      }
    }
    for (const Misconception& row : read_misconceptions(exercise)) {
      check(exercise, row.say);
    }
    for (const Variant& variant : read_variants(exercise, "")) {
      check(exercise, variant.pool == Pool::Shown ? variant.symptom : "");
      check(exercise, variant.pool == Pool::Shown ? variant.hint : "");
    }
  }
}

BOOST_AUTO_TEST_CASE(every_message_of_the_grader_is_in_the_catalogue) {
  std::set<std::string> entries;
  const Catalogue catalogue = chinese();
  for (const Catalogue::Message& message : catalogue.messages()) {
    entries.insert(as_entry(message.english));
  }
  const auto is_part = [&](const std::string& sentence) {
    return std::ranges::any_of(entries, [&](const std::string& entry) {
      return entry.find(sentence) != std::string::npos ||
             entry.find(without_ends(sentence)) != std::string::npos;
    });
  };
  std::size_t looked_at = 0;
  for (const char* const name :
       {"student_commands", "check_command", "predict_command", "verdict", "judge_suite", "grading",
        "grade_implementation", "homework", "grade_tests", "commands"}) {
    const std::string source =
        read_whole(root() / "exercises/grader" / (std::string(name) + ".cpp"));
    for (const std::string& sentence : sentences_of(source)) {
      ++looked_at;
      BOOST_TEST((is_part(sentence) || catalogue.knows(sentence)),
                 name << ": exercises/languages/zh.yaml has not: " << sentence);
    }
  }
  BOOST_TEST(looked_at > 60);
}

BOOST_AUTO_TEST_CASE(entries_of_the_catalogue_keep_code_and_numbers) {
  const Catalogue catalogue = chinese();
  for (const Catalogue::Message& message : catalogue.messages()) {
    const auto values = found_in(message.translation, "\\{([0-9]+)\\}");
    for (const std::string& value : values) {
      BOOST_TEST(std::stoul(value) <= message.marks.size(), message.english);
    }
    const std::string english = std::regex_replace(message.english, std::regex("\\{[^}]*\\}"), "");
    const std::string other =
        std::regex_replace(message.translation, std::regex("\\{[^}]*\\}"), "");
    // Behind a full-width sign a call would not be shown as it is typed.
    BOOST_TEST(found_in(message.translation, "([^ `'\"]watchlab-course [a-z])").empty(),
               message.translation);
    for (const char* const pattern :
         {"(watchlab-course (?:list|start|check|hint|predict))", "(--[a-z]+)", "([0-9]+)"}) {
      BOOST_TEST((found_in(english, pattern) == found_in(other, pattern)),
                 message.english + " | " + message.translation);
    }
  }
}

BOOST_AUTO_TEST_CASE(what_differs_is_noticed) {
  const std::string english = "# A\n\n- `check E01` in 45 minutes, [here](a.md), five times.\n";
  BOOST_TEST(
      differences(english, "# 甲\n\n- 45 分钟内 `check E01`，[这里](a.zh.md)，五次。\n").empty());
  for (const char* const wrong : {"# 甲\n\n- 45 分钟内 `check E02`，[这里](a.zh.md)，五次。\n",
                                  "# 甲\n\n- 54 分钟内 `check E01`，[这里](a.md)，五次。\n",
                                  "# 甲\n\n- 45 分钟内 `check E01`，[这里](b.md)，五次。\n",
                                  "# 甲\n\n45 分钟内 `check E01`，[这里](a.md)，五次。\n",
                                  "# 甲\n\n- 45 分钟内 `check E01`，[这里](a.md)，六次。\n"}) {
    BOOST_TEST(!differences(english, wrong).empty(), wrong);
  }
}

BOOST_AUTO_TEST_CASE(a_line_is_translated_with_what_stands_in_it) {
  ScratchFolder scratch;
  const Catalogue catalogue({scratch.write("zh.yaml", R"yaml(all:
  "{n} of {n} tests count.": "{2} 个中 {1} 个。"
  "a library is {*}": "库{1}"
  "noticed by {} ({*})": "被 {1} 发现（{2}）"
  "hang": "挂起"
)yaml")});
  BOOST_TEST(catalogue.translated("  2 of 3 tests count.\nmine") == "  3 个中 2 个。\nmine");
  BOOST_TEST(catalogue.translated("a of 3 tests count.") == "a of 3 tests count.");
  BOOST_TEST(catalogue.translated("a library is noticed by hang (hang)") ==
             "库被 hang 发现（挂起）");
  BOOST_TEST(catalogue.translated("2 of 3 tests count. a library is x") == "3 个中 2 个。库x");
  BOOST_TEST(!catalogue.knows("2 of 3 tests count. Else."));
}

BOOST_AUTO_TEST_CASE(the_language_is_that_of_the_option_and_then_of_the_locale) {
  for (const auto& [name, language] : {std::pair{"zh-CN", "zh"},
                                       {"zh_CN.UTF-8", "zh"},
                                       {"zh", "zh"},
                                       {"zhx", "en"},
                                       {"C", "en"},
                                       {"de_DE", "en"}}) {
    BOOST_TEST(language_of(name) == language);
  }
  for (const char* const name : {"WATCHLAB_LANG", "LC_ALL", "LC_MESSAGES"}) {
    ::unsetenv(name);
  }
  ::setenv("LANG", "zh_CN.UTF-8", 1);
  BOOST_TEST(own_language() == "zh");
  ::setenv("WATCHLAB_LANG", "en", 1);
  BOOST_TEST(own_language() == "en");
  ::unsetenv("WATCHLAB_LANG");
  ::unsetenv("LANG");
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace watchlab::course
