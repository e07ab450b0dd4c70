// A search by dfs or dpor in parts, as drivers play it: given away, played anywhere, put together.
#include <algorithm>
#include <boost/json.hpp>
#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>
#include <deque>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "scenarios/campaign/sealed.hpp"
#include "tests/scenarios/cli/process.hpp"

using namespace watchlab::tests;

BOOST_AUTO_TEST_SUITE(parts_commands_test)

namespace {

using Words = std::vector<std::string>;

/// A story of the catalogue that expects what does not come to be: some 3,000 runs by dpor, 448 by
/// dfs without preemptions.
std::string planted_story() {
  std::string text = read_whole("scenarios/basics/tutorial_meets_tombstone.yaml");
  const std::string expected = "exactly: [demo]";
  const std::size_t at = text.find(expected);
  BOOST_REQUIRE(at != std::string::npos);
  return text.replace(at, expected.size(), "exactly: []");
}

bool says(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

Words lines_of(const std::string& text) {
  Words lines;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) {
    lines.push_back(line + "\n");
  }
  return lines;
}

std::string text_of(const Words& lines) {
  std::string text;
  for (const std::string& line : lines) {
    text += line;
  }
  return text;
}

/// A folder with a story, and the calls that explore it.
class Place {
 public:
  explicit Place(const std::string& strategy)
      : path_(folder_.write("tutorial_meets_tombstone.yaml", planted_story())),
        runs_(strategy == "dfs" ? "60" : "500"),
        words_{"explore", path_, "--strategy", strategy, "--continue", "--json"} {
    if (strategy == "dfs") {
      words_.insert(words_.end(), {"--preemptions", "0"});
    }
  }

  [[nodiscard]] const TemporaryFolder& folder() const { return folder_; }
  [[nodiscard]] Finished explore(const Words& more) const {
    Words words = words_;
    words.insert(words.end(), more.begin(), more.end());
    return run_watchlab(words);
  }
  /// Plays some runs of a part, "" for the whole, and gives the rest away.
  [[nodiscard]] Finished play(const std::string& part, const Words& more = {}) const {
    Words words{"--give", "3"};
    if (std::ranges::find(more, "--schedules") == more.end()) {
      words.insert(words.end(), {"--schedules", runs_});
    }
    if (!part.empty()) {
      words.insert(words.end(), {"--part", folder_.write("part", part)});
    }
    words.insert(words.end(), more.begin(), more.end());
    return explore(words);
  }
  /// The line of what each part has come to, of all of them.
  [[nodiscard]] Words play_all() const {
    Words results;
    for (std::deque<std::string> waiting{""}; !waiting.empty(); waiting.pop_front()) {
      for (const std::string& line : lines_of(play(waiting.front()).out)) {
        if (says(line, "\"command\":\"explore --part\"")) {
          waiting.push_back(line);
        } else if (says(line, "\"coverage\"")) {
          results.push_back(line);
        }
      }
    }
    return results;
  }
  [[nodiscard]] Finished merge(const Words& lines) const {
    return run_watchlab({"merge", "--json", folder_.write("lines", text_of(lines))});
  }

 private:
  TemporaryFolder folder_;
  std::string path_;
  std::string runs_;  ///< of a part
  Words words_;
};

boost::json::object first_line(const Finished& finished) {
  return boost::json::parse(lines_of(finished.out).at(0)).as_object();
}

/// The part that a call has given away as the first one.
std::string part_in(const Finished& finished) {
  for (const std::string& line : lines_of(finished.out)) {
    if (says(line, "\"command\":\"explore --part\"")) {
      return line;
    }
  }
  return "";
}

/// The classes, without how many runs each had: dpor may play one more than once.
std::set<std::string> classes_in(const boost::json::object& line) {
  std::set<std::string> classes;
  std::istringstream in(std::string(line.at("coverage").as_string()).substr(3));
  for (std::string word; std::getline(in, word, '.');) {
    classes.insert(word.substr(0, word.find('x')));
  }
  return classes;
}

std::set<std::string> failures_in(const boost::json::array& failures) {
  std::set<std::string> kinds;
  for (const boost::json::value& failure : failures) {
    kinds.insert(std::string(failure.at("sentence").as_string()));
  }
  return kinds;
}

const Words searches{"dfs", "dpor"};

}  // namespace

BOOST_DATA_TEST_CASE(parts_put_together_are_the_whole, searches, strategy) {
  const Place place(strategy);
  const Finished whole = place.explore({"--schedules", "1000000"});
  const boost::json::object expected = first_line(whole);
  const Words lines = place.play_all();
  BOOST_TEST(lines.size() > 3U);
  const Finished merged = place.merge(lines);
  const boost::json::object sum = first_line(merged);
  BOOST_TEST(merged.exit_code == 1);  // it has found something
  BOOST_TEST(sum.at("exhausted").as_bool());
  BOOST_TEST(sum.at("held") == expected.at("held"));
  BOOST_TEST((classes_in(sum) == classes_in(expected)));
  BOOST_TEST((strategy != "dfs" || sum.at("executions") == expected.at("executions")));
  boost::json::array failures;
  for (const std::string& line : lines_of(whole.out)) {
    const boost::json::value each = boost::json::parse(line);
    if (each.as_object().contains("count")) {
      failures.push_back(each);
    }
  }
  BOOST_TEST((failures_in(boost::json::parse(sum.at("failures").as_string()).as_array()) ==
              failures_in(failures)));
}

BOOST_DATA_TEST_CASE(a_search_is_not_exhausted_while_a_part_is_missing, searches, strategy) {
  const Place place(strategy);
  const Words lines = place.play_all();
  BOOST_TEST(first_line(place.merge(lines)).at("exhausted").as_bool());
  for (std::size_t i = 0; i < lines.size(); ++i) {
    BOOST_TEST_CONTEXT("without part " << i << " of " << lines.size()) {
      const bool alone = boost::json::parse(lines[i]).at("exhausted").as_bool();
      BOOST_TEST(!alone);
      Words fewer = lines;
      fewer.erase(fewer.begin() + static_cast<std::ptrdiff_t>(i));
      const Finished merged = place.merge(fewer);
      BOOST_TEST(merged.exit_code == 1);
      BOOST_TEST(!first_line(merged).at("exhausted").as_bool());
      BOOST_TEST(!first_line(merged).contains("explored"));
      BOOST_TEST((says(merged.err, "nothing was received from 1 of the parts that are left") ||
                  says(merged.err, "were left by none of the others")),
                 merged.err);
    }
  }
}

BOOST_DATA_TEST_CASE(a_part_that_a_budget_has_cut_is_not_the_whole, searches, strategy) {
  const Place place(strategy);
  const Finished begun = place.play("");
  const std::string cut = lines_of(place.play(part_in(begun), {"--schedules", "1"}).out).at(0);
  Words lines = place.play_all();
  lines.at(1) = cut;  // and what it has left is nowhere
  const Finished merged = place.merge(lines);
  BOOST_TEST(merged.exit_code == 1);
  BOOST_TEST(!first_line(merged).at("exhausted").as_bool());
  const Finished in_time = place.play(part_in(begun), {"--time", "1ns"});
  BOOST_TEST(!part_in(in_time).empty());
  lines.at(1) = lines_of(in_time.out).at(0);
  BOOST_TEST(!first_line(place.merge(lines)).at("exhausted").as_bool());
}

BOOST_AUTO_TEST_CASE(a_part_of_a_search_that_is_played_twice_counts_once) {
  const Place place("dpor");
  const Words lines = place.play_all();
  Words twice = lines;
  twice.insert(twice.end(), {lines.at(1), lines.at(2)});
  const boost::json::object once = first_line(place.merge(lines));
  const boost::json::object sum = first_line(place.merge(twice));
  for (const char* const key : {"executions", "coverage", "exhausted", "failures"}) {
    BOOST_TEST(sum.at(key) == once.at(key), key);
  }
  // The same part with another budget has left others than those that were played.
  const std::string part = part_in(place.play(""));
  twice = lines;
  twice.insert(twice.begin(), lines_of(place.play(part, {"--schedules", "2"}).out).at(0));
  BOOST_TEST(!first_line(place.merge(twice)).at("exhausted").as_bool());
}

BOOST_AUTO_TEST_CASE(a_part_of_something_else_is_refused) {
  const Place place("dpor");
  const std::string part = place.folder().write("given", part_in(place.play("")));
  const auto refusal = [&](const Words& more) {
    Words words{"--part", part};
    words.insert(words.end(), more.begin(), more.end());
    const Finished refused = place.explore(words);
    BOOST_TEST(refused.exit_code == 2, refused.err);
    BOOST_TEST(says(refused.err, "watchlab explore: " + part + ": "), refused.err);
    return refused.err;
  };
  BOOST_TEST(says(refusal({"--seed", "7"}), "seed was 1 and is 7"));
  BOOST_TEST(says(refusal({"--early-advances", "1"}), "early-advances was 0 and is 1"));
  BOOST_TEST(says(refusal({"--machine", "modern"}), "scenario was "));
  place.folder().write("tutorial_meets_tombstone.yaml", planted_story() + "# another text\n");
  BOOST_TEST(says(refusal({}), "text was "));
}

BOOST_AUTO_TEST_CASE(a_part_that_was_changed_is_refused_wherever_it_was) {
  const Place place("dpor");
  const std::string part = part_in(place.play(""));
  for (std::size_t i = 0; i < 8; ++i) {
    std::string damaged = part;
    char& changed = damaged[i * (part.size() - 2) / 8];
    changed = static_cast<char>(changed ^ 1);
    const Finished refused = place.play(damaged);
    BOOST_TEST(refused.exit_code == 2);
    BOOST_TEST(says(refused.err, "the file is damaged"), refused.err);
  }
  BOOST_TEST(place.play(part + part).exit_code == 2);
  BOOST_TEST(place.play("{}\n").exit_code == 2);
}

/// As another build would give it, whose checksum fits.
BOOST_AUTO_TEST_CASE(a_part_that_does_not_begin_in_this_search_is_refused) {
  const Place place("dfs");
  const Finished begun = place.play("");
  std::string part = lines_of(begun.out).back();
  part = watchlab::scenarios::unsealed(part.substr(0, part.size() - 1));
  std::size_t digit = part.find("dfs2");
  for (int i = 0; i < 12; ++i) {  // to what led to the first decision
    digit = part.find(' ', digit) + 1;
  }
  ++digit;
  part[digit] = part[digit] == '1' ? '2' : '1';
  const Finished refused = place.play(watchlab::scenarios::sealed(part) + "\n");
  BOOST_TEST(refused.exit_code == 2);
  BOOST_TEST(says(refused.err, "part: this part was given away by another body or build"),
             refused.err);
}

BOOST_AUTO_TEST_CASE(parts_go_with_searches_and_with_one_process) {
  const Finished sampled = run_watchlab({"explore", "slow_handler", "--give", "2"});
  BOOST_TEST(sampled.exit_code == 2);
  BOOST_TEST(says(sampled.err, "only dfs and dpor give parts away"), sampled.err);
  const Place place("dfs");
  for (const Words& more : {Words{"--jobs", "2"}, Words{"--shard", "0/2"}, Words{"--from", "3"}}) {
    const Finished refused = place.play("", more);
    BOOST_TEST(refused.exit_code == 2);
    BOOST_TEST(says(refused.err, "--give and " + more[0] + " do not go together"), refused.err);
  }
}

BOOST_AUTO_TEST_SUITE_END()
