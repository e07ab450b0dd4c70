#include "exercises/gradebook/similarity.hpp"

#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <filesystem>
#include <regex>
#include <string>

#include "exercises/programs/exercise.hpp"
#include "exercises/programs/texts.hpp"
#include "tests/exercises/grader/grading_fixture.hpp"

namespace watchlab::course {

BOOST_AUTO_TEST_SUITE(similarity_test)

namespace {

namespace fs = std::filesystem;

fs::path exercise_folder() { return toolchain_of_tests().exercises() / "01t-store-tests"; }
std::string solution() {
  return read_whole(exercise_folder() / "instructor/solution/store_test.cpp");
}
std::string ported() {
  return read_whole(exercise_folder() / "instructor/suites/ported/store_test.cpp");
}
std::string given() {
  return read_whole(exercise_folder() / "starter/store_test.cpp") +
         read_whole(exercise_folder() / "subject.hpp");
}

/// The same program, as a copier would have it: other names, numbers and comments, other order.
std::string disguised(std::string text) {
  for (const auto& [from, to] :
       {std::pair{R"(\bstore\b)", "shelf"}, std::pair{R"(\bruntime\b(?!::))", "rt"},
        std::pair{"default/", "main/"}, std::pair{R"("\d+")", "\"41\""},
        std::pair{"\n  ", "\n    // mine\n  "}, std::pair{R"(TEST_CASE\(\w+)", "TEST_CASE(mine"}}) {
    text = std::regex_replace(text, std::regex(from), to);
  }
  const std::size_t middle = text.find("BOOST_AUTO_TEST_CASE", text.size() / 2);
  const std::size_t first = text.find("BOOST_AUTO_TEST_CASE");
  return text.substr(0, first) + text.substr(middle) + "\n" + text.substr(first, middle - first);
}

}  // namespace

BOOST_AUTO_TEST_CASE(a_copy_in_disguise_is_found_and_marked) {
  const std::vector<ComparedSource> sources{
      {"ada", solution()}, {"bob", disguised(solution())}, {"cem", ported()}};
  const auto pairs = similar_pairs(sources, given(), 0.5);
  BOOST_TEST_REQUIRE(pairs.size() == 1);
  BOOST_TEST(sources[pairs.front().one].name == "ada");
  BOOST_TEST(sources[pairs.front().other].name == "bob");
  BOOST_TEST(pairs.front().share > 0.8);
  BOOST_TEST(pairs.front().lines_of_one.size() > 20);
  const std::string page = to_html(sources, pairs);
  BOOST_TEST((page.find("<mark>") != std::string::npos));
  BOOST_TEST(to_csv(sources, pairs).starts_with("one,other,share,common\nada,bob,"));
}

BOOST_AUTO_TEST_CASE(the_starter_and_what_most_have_are_nobodys) {
  const std::string starter = read_whole(exercise_folder() / "starter/store_test.cpp");
  BOOST_TEST(similar_pairs({{"a", starter}, {"b", starter}}, given(), 0.1).empty());
  std::vector<ComparedSource> all;
  for (const char* const name : {"a", "b", "c", "d", "e", "f", "g", "h"}) {
    all.push_back({name, ported()});
  }
  BOOST_TEST(similar_pairs(all, given(), 0.1).empty());
}

BOOST_AUTO_TEST_CASE(thirty_five_tokens_in_a_row_are_always_noticed) {
  const auto tokens = [](int from, int count) {
    std::vector<CodeToken> list;
    for (int i = from; i < from + count; ++i) {
      list.push_back({"t" + std::to_string(i * i), static_cast<std::size_t>(i)});
    }
    return list;
  };
  for (int before = 0; before < 40; ++before) {
    std::vector<CodeToken> one = tokens(1000, before);
    const std::vector<CodeToken> common = tokens(0, 35);
    one.insert(one.end(), common.begin(), common.end());
    std::vector<CodeToken> other = tokens(0, 35);
    const std::vector<CodeToken> rest = tokens(5000, 60);
    other.insert(other.end(), rest.begin(), rest.end());
    const Fingerprints of_one = fingerprints_of(one);
    const Fingerprints of_other = fingerprints_of(other);
    BOOST_TEST(std::ranges::any_of(
                   of_one.at, [&](const auto& entry) { return of_other.at.contains(entry.first); }),
               before);
  }
}

BOOST_AUTO_TEST_CASE(comments_texts_and_names_do_not_matter) {
  const auto texts = [](std::string_view source) {
    std::string out;
    for (const CodeToken& token : tokens_of(source, {"add"})) {
      out += token.text + " ";
    }
    return out;
  };
  BOOST_TEST(texts("#include <x>\nauto a = f(\"x\", 12); // no\n") ==
             "auto name = name ( text , number ) ; ");
  BOOST_TEST(texts("/* a\n b */ s->add('\\'')") == "name - > add ( text ) ");
  BOOST_TEST(
      (functions_in("void add(int key); store.get (x)") == std::set<std::string>{"add", "get"}));
  BOOST_TEST(tokens_of("/* a\n b */\n x", {}).front().line == 3);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace watchlab::course
