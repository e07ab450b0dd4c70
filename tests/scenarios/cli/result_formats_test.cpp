#include <boost/json.hpp>
#include <boost/test/unit_test.hpp>
#include <sstream>
#include <string>
#include <vector>

#include "scenarios/language/catalogue.hpp"
#include "tests/scenarios/cli/process.hpp"

using namespace watchlab::tests;

BOOST_AUTO_TEST_SUITE(result_formats_test)

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

bool says(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

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

BOOST_AUTO_TEST_CASE(sarif_has_a_result_for_each_failure_with_its_line) {
  const Written written("--sarif");
  const boost::json::value log = boost::json::parse(written.text);
  BOOST_TEST(log.at("version").as_string() == "2.1.0");
  const boost::json::array& results = log.at_pointer("/runs/0/results").as_array();
  BOOST_TEST_REQUIRE(results.size() == 1U);
  const boost::json::value& found = results.front();
  BOOST_TEST(found.at("ruleId").as_string() == "violation");
  const boost::json::value& place = found.at_pointer("/locations/0/physicalLocation");
  BOOST_TEST(place.at_pointer("/artifactLocation/uri").as_string() ==
             ("file://" + written.path).c_str());
  BOOST_TEST(place.at_pointer("/region/startLine").to_number<int>() == 6);
  BOOST_TEST(says(found.at_pointer("/message/text").as_string().c_str(), "./watchlab replay "));
  BOOST_TEST(found.at_pointer("/properties/schedule").as_string().starts_with("w1:"));
}

BOOST_AUTO_TEST_CASE(tap_has_a_line_for_each_scenario_and_a_block_for_each_failure) {
  const Written written("--tap");
  std::istringstream in(written.text);
  std::vector<std::string> points;
  std::string message;
  for (std::string line; std::getline(in, line);) {
    if (line.starts_with("ok ") || line.starts_with("not ok ")) {
      points.push_back(line);
    } else if (line.starts_with("  message: ")) {
      message = boost::json::parse(line.substr(line.find('"'))).as_string().c_str();
    }
  }
  BOOST_TEST(written.text.starts_with("TAP version 14\n1.." + std::to_string(written.scenarios)));
  BOOST_TEST_REQUIRE(points.size() == written.scenarios);
  BOOST_TEST(points.front().starts_with("ok 1 - basics/"), points.front());
  BOOST_TEST(points.back().starts_with("not ok " + std::to_string(written.scenarios) + " - "),
             points.back());
  BOOST_TEST(message.starts_with(written.path + ":6: "), message);
}

BOOST_AUTO_TEST_CASE(what_was_not_played_is_skipped) {
  const TemporaryFolder folder;
  const std::string file = folder.path("results.tap");
  (void)run_watchlab({"explore", "scenarios/basics", "--time", "1ns", "--tap", file});
  BOOST_TEST(says(read_whole(file), " # SKIP not played\n"), read_whole(file));
  BOOST_TEST(!says(read_whole(file), "not ok"), read_whole(file));
}

BOOST_AUTO_TEST_CASE(all_kinds_of_files_are_written_of_one_run) {
  const TemporaryFolder folder;
  (void)run_watchlab({"run", "missed_delete", "--tap", folder.path("t"), "--sarif",
                      folder.path("s"), "--junit", folder.path("j")});
  BOOST_TEST(read_whole(folder.path("t")) == "TAP version 14\n1..1\nok 1 - relist/missed_delete\n");
  BOOST_TEST(says(read_whole(folder.path("s")), "\"results\":[]"));
  BOOST_TEST(says(read_whole(folder.path("j")), "failures=\"0\""));
}

BOOST_AUTO_TEST_SUITE_END()
