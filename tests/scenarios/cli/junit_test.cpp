#include <boost/test/unit_test.hpp>
#include <filesystem>
#include <string>
#include <vector>

#include "scenarios/language/catalogue.hpp"
#include "tests/scenarios/cli/process.hpp"

using namespace watchlab::tests;

BOOST_AUTO_TEST_SUITE(junit_test)

namespace {

/// A story whose expectation, in line 6, is wrong.
const std::string broken_story =
    "apiVersion: watchlab/v1\nname: broken\nstory: s\nclients: [{name: x, kind: informer}]\n"
    "script: [{create: demo}]\nexpect: [{store: {exactly: []}}]\n";

/// What `run` writes of a folder that holds and of one story that does not.
struct Written {
  explicit Written(const std::string& option)
      : path(folder.write("broken.yaml", broken_story)), file(folder.path("results")) {
    (void)run_watchlab({"run", "scenarios/basics", path, option, file});
    text = read_whole(file);
  }

  TemporaryFolder folder;
  std::string path;
  std::string file;
  std::string text;
  std::size_t scenarios = watchlab::scenarios::scenario_files({"scenarios/basics"}).size() + 1;
};

}  // namespace

BOOST_AUTO_TEST_CASE(junit_names_each_scenario_and_escapes_messages) {
  const Written written("--junit");
  const std::string& text = written.text;
  BOOST_TEST(says(text, "tests=\"" + std::to_string(written.scenarios) + "\" failures=\"1\""),
             text);
  BOOST_TEST(says(text, "name=\"basics/configmap_life\""), text);
  BOOST_TEST(says(text, "<failure type=\"violation\" message=\""), text);
  BOOST_TEST(says(text, "rv &quot;"), text);
  BOOST_TEST(!says(text, "rv \""), text);
}

BOOST_AUTO_TEST_CASE(stories_of_one_name_in_two_folders_are_two_results) {
  const TemporaryFolder folder;
  for (const std::string place : {"one/sync", "two/sync"}) {
    std::filesystem::create_directories(folder.path(place));
    (void)folder.write(place + "/broken.yaml", broken_story);
  }
  const std::string file = folder.path("results.xml");
  for (const std::string command : {"run", "explore", "validate"}) {
    (void)run_watchlab({command, folder.path("one"), folder.path("two"), "--junit", file});
    const std::string text = read_whole(file);
    BOOST_TEST(!says(text, "name=\"sync/broken\""), text);
    BOOST_TEST(says(text, " name=\"" + folder.path("one/sync/broken.yaml") + "\""), text);
    BOOST_TEST(says(text, " name=\"" + folder.path("two/sync/broken.yaml") + "\""), text);
  }
}

BOOST_AUTO_TEST_CASE(what_was_not_played_is_skipped) {
  const TemporaryFolder folder;
  const std::string file = folder.path("results.xml");
  (void)run_watchlab({"explore", "scenarios/basics", "--time", "1ns", "--junit", file});
  BOOST_TEST(says(read_whole(file), "<skipped message=\"it ended before the first schedule "),
             read_whole(file));
  BOOST_TEST(!says(read_whole(file), "<failure"), read_whole(file));
}

/// Each command that has --junit and takes a story writes it of one that cannot be played, too.
BOOST_AUTO_TEST_CASE(a_story_that_cannot_be_played_is_an_entry_for_every_command) {
  using Words = std::vector<std::string>;
  const TemporaryFolder folder;
  const std::string bad = folder.write("bad.yaml", "apiVersion: watchlab/v1\nname: [\n");
  const std::string good = folder.write("broken.yaml", broken_story);
  const std::string file = folder.path("results.xml");
  for (const Words& words :
       {Words{"run", bad}, Words{"explore", bad}, Words{"replay", bad, "--schedule", "default"},
        Words{"shrink", bad}, Words{"fuzz", "--client", "go", bad}, Words{"serve", bad},
        Words{"replay", good, "--schedule", "nonsense"}, Words{"shrink", good, "--schedule", "@no"},
        Words{"replay", "no_such_story", "--schedule", "default"}}) {
    Words call = words;
    call.insert(call.end(), {"--junit", file});
    BOOST_TEST(run_watchlab(call).exit_code == 2, words[0]);
    const std::string text = read_whole(file);
    BOOST_TEST(says(text, "tests=\"1\" failures=\"1\""), words[0] << text);
    BOOST_TEST(says(text, "<failure type=\"input\""), words[0] << text);
    std::filesystem::remove(file);
  }
}

BOOST_AUTO_TEST_SUITE_END()
