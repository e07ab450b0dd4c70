#include <signal.h>

#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <cstdlib>
#include <filesystem>
#include <iterator>
#include <map>
#include <regex>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "sim/kernel/schedule.hpp"
#include "tests/scenarios/cli/process.hpp"

using namespace watchlab::tests;

/// Every command with every option: it has an effect, or it is refused.
BOOST_AUTO_TEST_SUITE(options_test)

namespace {

namespace fs = std::filesystem;

/// A call that an option of the command changes. `$` is the folder of `Files`, `%` an empty one for
/// outputs. Where no output can show the effect, as with --jobs, a value that is refused shows
/// that the option is read.
struct Row {
  std::string command;
  std::string base;
  std::string option;  ///< and its value
};

const std::vector<Row> rows{
    {"run", "missed_delete --json", "--seed 7"},
    {"run", "missed_delete", "--transcript %/t.jsonl"},
    {"run", "missed_delete --json", "--transport wire"},
    {"run", "missed_delete --json", "--machine modern"},
    {"run", "$/unfired.yaml", "--strict"},
    {"run", "missed_delete", "--jobs 0"},
    {"run", "missed_delete", "--json"},
    {"run", "missed_delete", "--junit %/j.xml"},
    {"run", "missed_delete", "--quiet"},
    {"run", "$/go", "--allow-run"},
    {"explore", "slow_handler --schedules 5", "--strategy dfs"},
    {"explore", "slow_handler", "--schedules 5"},
    {"explore", "slow_handler --schedules 5 --json", "--seed 9"},
    {"explore", "slow_handler --strategy dfs --schedules 9 --json", "--preemptions 0"},
    {"explore", "slow_handler --strategy dfs --schedules 9 --json", "--early-advances 1"},
    {"explore", "slow_handler --schedules 5", "--memory ra"},
    {"explore", "slow_handler --strategy pct --schedules 20 --json", "--pct-depth 1"},
    {"explore", "slow_handler --schedules 20", "--time 1ns"},
    {"explore", "$/broken.yaml", "--transport wire"},
    {"explore", "$/broken.yaml", "--machine modern"},
    {"explore", "slow_handler --schedules 5", "--jobs 0"},
    {"explore", "slow_handler --schedules 6", "--shard 0/2"},
    {"explore", "slow_handler --schedules 6", "--from 2"},
    {"explore", "slow_handler --schedules 6", "--resume $/broken.yaml"},
    {"explore", "slow_handler --schedules 6", "--save-every 3"},
    {"explore", "$/broken.yaml --schedules 3", "--continue"},
    {"explore", "slow_handler --schedules 60", "--until-unseen 90%"},
    {"explore", "slow_handler --schedules 5", "--json"},
    {"explore", "slow_handler --schedules 5", "--junit %/j.xml"},
    {"explore", "slow_handler --schedules 5", "--quiet"},
    {"explore", "$/go --schedules 1", "--allow-run"},
    {"merge", "$/explored.jsonl", "--json"},
    {"merge", "$/explored.jsonl", "--junit %/j.xml"},
    {"merge", "$/explored.jsonl", "--quiet"},
    {"replay", "missed_delete", "--schedule default"},
    {"replay", "missed_delete --schedule default", "--transport wire"},
    {"replay", "missed_delete --schedule @$/cut.txt", "--guided"},
    {"replay", "missed_delete --schedule default --json", "--times 3"},
    {"replay", "missed_delete --schedule default --times 5", "--time 1ns"},
    {"replay", "missed_delete --schedule default", "--json"},
    {"replay", "missed_delete --schedule default", "--junit %/j.xml"},
    {"replay", "missed_delete --schedule default", "--quiet"},
    {"replay", "$/go/go.yaml --schedule default", "--allow-run"},
    {"shrink", "$/broken.yaml", "--schedule @no_file"},
    {"shrink", "$/broken.yaml --schedule default", "--time 1ns"},
    {"shrink", "$/broken.yaml --schedule default", "--story %/small.yaml"},
    {"shrink", "$/broken.yaml --schedule default", "--json"},
    {"shrink", "$/broken.yaml --schedule default", "--junit %/j.xml"},
    {"shrink", "$/go/go.yaml --schedule default", "--allow-run"},
    {"explain", "missed_delete --json", "--schedule @$/other.txt"},
    {"explain", "missed_delete --json", "--transport wire"},
    {"explain", "$/broken.yaml --endings 0", "--locks"},
    {"explain", "$/broken.yaml", "--endings 0"},
    {"explain", "missed_delete", "--json"},
    {"explain", "missed_delete", "--quiet"},
    {"explain", "$/go/go.yaml", "--allow-run"},
    {"fuzz", "--seeds 1..2", "--seeds 1..3"},
    {"fuzz", "--time 1ns", "--long"},
    {"fuzz", "--time 1ns", "--first"},
    {"fuzz", "--time 1ns", "--out %/found"},
    {"fuzz", "--time 1ns", "--keep-large"},
    {"fuzz", "--time 1ns", "--strict"},
    {"fuzz", "--seeds 1..2", "--kept $/seeds.txt"},
    {"fuzz", "--seeds 1..2", "--schedules 0"},
    {"fuzz", "--seeds 1..2", "--jobs 0"},
    {"fuzz", "--seeds 1..4", "--shard 0/2"},
    {"fuzz", "--seeds 1..2", "--time 1ns"},
    {"fuzz", "--seeds 1..2", "--resume $/broken.yaml"},
    {"fuzz", "--seeds 1..2", "--save-every 3"},
    {"fuzz", "--seeds 1..2", "--coverage"},
    {"fuzz", "--seeds 1..2", "--machine modern,nonsense"},
    {"fuzz", "--seeds 1..2", "--client go"},
    {"fuzz", "--seeds 1..2", "--show 1"},
    {"fuzz", "--seeds 1..2", "--json"},
    {"fuzz", "--seeds 1..2", "--junit %/j.xml"},
    {"fuzz", "--seeds 1..2", "--quiet"},
    {"fuzz", "--client go $/go/go.yaml --seeds 1..1", "--allow-run"},
    {"trace", "missed_delete", "--schedule @$/other.txt"},
    {"trace", "missed_delete", "--transport wire"},
    {"trace", "missed_delete", "--machine modern"},
    {"trace", "missed_delete", "--output %/run.jsonl"},
    {"trace", "missed_delete", "--format chrome"},
    {"trace", "missed_delete", "--lanes 40"},
    {"trace", "missed_delete", "--rows 3"},
    {"trace", "missed_delete", "--json"},
    {"trace", "missed_delete -o %/run.jsonl", "--quiet"},
    {"trace", "$/go/go.yaml", "--allow-run"},
    {"diff", "missed_delete --with default", "--schedule @$/other.txt"},
    {"diff", "missed_delete", "--with @$/other.txt"},
    {"diff", "missed_delete --with @$/other.txt", "--json"},
    {"diff", "$/go/go.yaml slow_handler", "--allow-run"},
    {"draw", "missed_delete", "--view waits"},
    {"draw", "missed_delete", "--schedule @$/other.txt"},
    {"draw", "missed_delete", "--machine modern"},
    {"draw", "missed_delete --view waits", "--step 20"},
    {"draw", "missed_delete", "--clients nobody"},
    {"draw", "missed_delete", "--keys nothing"},
    {"draw", "missed_delete", "--from 20"},
    {"draw", "missed_delete", "--to 20"},
    {"draw", "$/broken.yaml", "--brief"},
    {"draw", "missed_delete", "--object demo"},
    {"draw", "missed_delete", "--last 3"},
    {"draw", "slow_handler --view explored --schedules 5", "--strategy dfs"},
    {"draw", "slow_handler --view explored", "--schedules 5"},
    {"draw", "slow_handler --view explored --schedules 20", "--nodes 3"},
    {"draw", "slow_handler --view explored --schedules 20", "--time 1ns"},
    {"draw", "missed_delete", "--output %/run.svg"},
    {"draw", "missed_delete -o %/run.svg", "--quiet"},
    {"draw", "$/go/go.yaml", "--allow-run"},
    {"report", "missed_delete -o %/run.html", "--schedule @$/other.txt"},
    {"report", "missed_delete -o %/run.html", "--transport wire"},
    {"report", "missed_delete -o %/run.html", "--output %/other.html"},
    {"report", "missed_delete -o %/run.html", "--with default"},
    {"report", "missed_delete -o %/run.html", "--machine modern"},
    {"report", "missed_delete -o %/run.html --schedule @$/cut.txt", "--guided"},
    {"report", "missed_delete -o %/run.html", "--from 20"},
    {"report", "missed_delete -o %/run.html", "--steps 100"},
    {"report", "missed_delete -o %/run.html", "--json"},
    {"report", "missed_delete -o %/run.html", "--quiet"},
    {"report", "$/go/go.yaml -o %/run.html", "--allow-run"},
    {"branch", "missed_delete --take 18=1", "--schedule @$/other.txt"},
    {"branch", "missed_delete --take 17=1", "--transport wire"},
    {"branch", "missed_delete", "--take 17=1"},
    {"branch", "missed_delete --take 17=1", "--output %/run.html"},
    {"branch", "missed_delete --take 17=1", "--json"},
    {"branch", "missed_delete --take 17=1", "--quiet"},
    {"branch", "$/go/go.yaml --take 1=0", "--allow-run"},
    {"serve-report", "07-two_runs_at_once --terminal", "--schedule @$/none.txt"},
    {"serve-report", "07-two_runs_at_once --terminal", "--port 8001"},
    {"serve-report", "missed_delete --schedule @$/none.txt", "--terminal"},
    {"serve-report", "$/go/go.yaml --schedule @$/none.txt", "--allow-run"},
    {"serve", "-- true", "--listen nowhere"},
    {"serve", "--listen 0.0.0.0:0 -- true", "--token secret"},
    {"serve", "--kubeconfig %/k -- true", "--tls"},
    {"serve", "-- true", "--kubeconfig %/k"},
    {"serve", "-- true", "--record %/r.jsonl"},
    {"serve", "-- true", "--controllers nobody"},
    {"serve", "-- true", "--after soon"},
    {"serve", "-- true", "--tasks-max -1"},
    {"serve", "-- true", "--store-max 0"},
    {"serve", "$/calm.yaml -- true", "--json"},
    {"serve", "$/calm.yaml -- true", "--junit %/j.xml"},
    {"serve", "$/calm.yaml -- true", "--quiet"},
    {"story-from", "$/record.jsonl", "--client nobody"},
    {"story-from", "$/record.jsonl", "--output %/made.yaml"},
    {"fault", "list", "--server http://127.0.0.1:1"},
    {"fault", "list", "--kubeconfig $/none"},
    {"validate", "missed_delete", "--json"},
    {"validate", "missed_delete", "--junit %/j.xml"},
    {"validate", "missed_delete", "--quiet"},
    {"migrate", "%/older.yaml", "--check"},
    {"migrate", "$/older.yaml --check", "--json"},
    {"migrate", "$/older.yaml --check", "--junit %/j.xml"},
    {"migrate", "$/older.yaml --check", "--quiet"},
    {"schema", "", "--output %/schema.json"},
    {"list", "scenarios/relist", "--json"},
    {"show", "missed_delete", "--json"},
    {"show", "missed_delete", "--quiet"},
    {"museum", "list", "--json"},
    {"museum", "show ghost_after_relist", "--quiet"},
    {"digest", "missed_delete", "--jobs 0"},
    {"digest", "missed_delete", "--json"},
    {"digest", "$/go/go.yaml", "--allow-run"},
    {"transcribe", "-o %/t.jsonl", "--stories 1..2"},
    {"transcribe", "-o %/t.jsonl", "--fuzz 1..2"},
    {"transcribe", "-o %/t.jsonl", "--shapes 1..2"},
    {"transcribe", "-o %/t.jsonl", "--illegal 1..2"},
    {"transcribe", "missed_delete -o %/t.jsonl", "--machine modern"},
    {"transcribe", "missed_delete", "--out %/t.jsonl"},
    {"transcribe", "missed_delete -o %/t.jsonl", "--quiet"},
    {"transcribe", "$/go/go.yaml -o %/t.jsonl", "--allow-run"}};

/// What no single call shows, and which case does.
const std::map<std::string, std::string> shown_elsewhere{
    {"fault --json", "a_fault_is_listed_as_json"},
    {"mcp --allow-run", "mcp_test"},
    {"shrink --prove", "a search without a bound, which takes long"}};

/// A story of the name that its file has.
std::string story_called(const std::string& name, const std::string& rest) {
  return "apiVersion: watchlab/v1\nname: " + name + "\nstory: s\n" + rest;
}

const std::string informer = "clients: [{name: x, kind: informer}]\n";
const std::string older = story_called("older", "server: {crowd: 3}\n" + informer);

/// A client of a watch, which leaves after the first line of the answer.
const std::string watches =
    R"(exec 3<>"/dev/tcp/127.0.0.1/${WATCHLAB_URL##*:}"; )"
    R"(printf 'GET /api/v1/configmaps?watch=true HTTP/1.1\r\nHost: localhost\r\n\r\n' >&3; )"
    "head -n 1 <&3";

/// What the calls are about.
class Files {
 public:
  Files() {
    const auto write = [&](const std::string& name, const std::string& rest) {
      (void)files_.write(name + ".yaml", story_called(fs::path(name).filename().string(), rest));
    };
    write("broken", informer + "script: [{create: demo}]\nexpect: [{store: {exactly: []}}]\n");
    write("calm", "clients: [{name: x, kind: external}]\nuntil: 10ms\n");
    write("unfired", informer + "script: [{at: 5s, fault: {fail_list: {answer: gone}}}]\n");
    fs::create_directory(files_.path("go"));
    write("go/go",
          "clients: [{name: x, kind: go, run: [\"false\"]}]\nuntil: 1s\n"
          "expect: [{objects: {exactly: []}}]\n");
    (void)files_.write("older.yaml", older);
    (void)files_.write("seeds.txt", "5\n");
    const std::string other =
        keep("other.txt", {"branch", "missed_delete", "--take", "17=1", "-q"});
    auto cut = watchlab::sim::Schedule::parse(other.substr(0, other.find('\n')));
    cut.deviations.front().next = "main/nobody";
    (void)files_.write("cut.txt", cut.to_string() + "\n");
    (void)keep("explored.jsonl", {"explore", "slow_handler", "--schedules", "5", "--json"});
    (void)run_watchlab(
        {"serve", "--record", files_.path("record.jsonl"), "--", "bash", "-c", watches});
  }

  [[nodiscard]] std::string path(const std::string& name) const { return files_.path(name); }

 private:
  /// Keeps what a call prints, and returns it.
  std::string keep(const std::string& name, const std::vector<std::string>& words) const {
    std::string printed = run_watchlab(words).out;
    (void)files_.write(name, printed);
    return printed;
  }

  TemporaryFolder files_;
};

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  for (std::size_t at = text.find(from); at != std::string::npos;
       at = text.find(from, at + to.size())) {
    text.replace(at, from.size(), to);
  }
  return text;
}

std::vector<std::string> words_of(const std::string& text) {
  std::vector<std::string> words;
  std::istringstream in(text);
  for (std::string word; in >> word;) {
    words.push_back(word);
  }
  return words;
}

/// The words of a call, which writes into that folder.
std::vector<std::string> call_of(const Row& row, const Files& files, const TemporaryFolder& outputs,
                                 bool with_option) {
  (void)outputs.write("older.yaml", older);
  const std::size_t rest = std::min(row.base.find("-- "), row.base.size());
  std::string line = row.command + " " + row.base.substr(0, rest) + " " +
                     (with_option ? row.option : "") + " " + row.base.substr(rest);
  return words_of(replaced(replaced(line, "$", files.path("")), "%", outputs.path("")));
}

/// All that a call leaves, without how long it took and where its outputs are.
std::string left_by(const Row& row, const Files& files, bool with_option) {
  const TemporaryFolder outputs;
  const std::vector<std::string> call = call_of(row, files, outputs, with_option);
  std::vector<std::string> words{"WATCHLAB_ALLOW_RUN=0", "XDG_STATE_HOME=" + outputs.path(""),
                                 WATCHLAB_EXECUTABLE};
  words.insert(words.end(), call.begin(), call.end());
  const Finished finished = run_watchlab(words, {.program = "/usr/bin/env"});
  std::string text = std::to_string(finished.exit_code) + finished.out + finished.err;
  std::set<std::string> written;
  for (const auto& entry : fs::recursive_directory_iterator(outputs.path(""))) {
    if (entry.is_regular_file()) {
      written.insert(entry.path().string() + "\n" + read_whole(entry.path().string()));
    }
  }
  for (const std::string& file : written) {
    text += file;
  }
  static const std::regex kChanging(
      R"re(\d[\d.]* ?(s\b|ms\b|min\b|h\b|a second)|\\?"seconds\\?":[0-9.eE+-]+|time="[0-9.]+")re"
      R"re(|"(checksum|sum)":"?[0-9a-f]*"?|127\.0\.0\.1:\d+)re");
  return std::regex_replace(replaced(text, outputs.path(""), "%/"), kChanging, "*");
}

/// The long options of each command, from what completes them.
std::map<std::string, std::set<std::string>> options_of_commands() {
  std::map<std::string, std::set<std::string>> options;
  std::istringstream page(run_watchlab({"completion", "fish"}).out);
  const std::regex command("-n __fish_use_subcommand -f -a (\\S+)");
  const std::regex option("__watchlab_is (\\S+)'(?: -s .)? -l (\\S+)");
  for (std::string line; std::getline(page, line);) {
    if (std::smatch found; std::regex_search(line, found, command)) {
      options[found[1]];
    } else if (std::regex_search(line, found, option)) {
      options[found[1]].insert("--" + found[2].str());
    }
  }
  options.erase("course");  // these two are the launcher's, which may have started the tests
  options.erase("doctor");
  return options;
}

/// Of rows that stand one after the other: all are played, or in a sanitized build, where each
/// costs a second, every fifth.
bool is_played(std::size_t row) { return std::getenv("WATCHLAB_BRIEF") == nullptr || row % 5 == 0; }

}  // namespace

BOOST_AUTO_TEST_CASE(every_option_of_a_command_has_an_effect) {
  const Files files;
  std::map<std::string, std::set<std::string>> without_row = options_of_commands();
  std::map<std::string, std::string> left;  // by the call without the option
  for (const Row& row : rows) {
    const std::string name = row.option.substr(0, row.option.find(' '));
    BOOST_TEST(without_row[row.command].erase(name) == 1U, row.command << " has no " << name);
    if (!is_played(static_cast<std::size_t>(&row - rows.data()))) {
      continue;
    }
    const auto [before, is_new] = left.try_emplace(row.command + " " + row.base);
    if (is_new) {
      before->second = left_by(row, files, false);
      BOOST_TEST(before->second == left_by(row, files, false),
                 before->first << " differs by itself");
    }
    const std::string after = left_by(row, files, true);
    BOOST_TEST(before->second != after, before->first << " ignores " << row.option << "\n"
                                                      << after.substr(0, 500));
  }
  for (const auto& [command, options] : without_row) {
    for (const std::string& option : options) {
      BOOST_TEST(shown_elsewhere.contains(command + " " + option),
                 "no row says what " << option << " does to " << command);
    }
  }
}

namespace {

/// Commands that say after a signal how they go on; replay has only one run.
const std::set<std::string> heeding{"run",    "explore", "shrink",   "explain", "fuzz",
                                    "digest", "serve",   "validate", "migrate", "replay"};

/// The line to paste with which a text ends, behind a colon; "" for none.
std::string last_line_to_paste(const std::string& text) {
  const std::size_t at = text.rfind(":\n  " WATCHLAB_EXECUTABLE " ");
  return at == std::string::npos ? "" : text.substr(at + 4, text.find('\n', at + 4) - at - 4);
}

}  // namespace

BOOST_AUTO_TEST_CASE(what_goes_on_after_a_signal_has_all_options_of_its_call) {
  const Files files;
  std::set<std::string> stopped_commands;
  for (const Row& row : rows) {
    const TemporaryFolder outputs;
    const std::vector<std::string> call = call_of(row, files, outputs, true);
    const std::string state = "XDG_STATE_HOME=" + outputs.path("state");
    std::vector<std::string> words{"WATCHLAB_ALLOW_RUN=0", state,
                                   "WATCHLAB_CALLED_AS=" WATCHLAB_EXECUTABLE, WATCHLAB_EXECUTABLE};
    words.insert(words.end(), call.begin(), call.end());
    const Finished stopped =
        heeding.contains(row.command)
            ? run_watchlab(words, {.program = "/usr/bin/env", .pending = SIGTERM})
            : Finished{.exit_code = 2};
    if (stopped.exit_code == 2) {
      continue;  // what is refused is so whatever comes
    }
    const std::string what = row.command + " " + row.option + ": " + stopped.err;
    BOOST_TEST(stopped.exit_code == 130, what);
    stopped_commands.insert(row.command);
    if (row.option.starts_with("--junit") && row.command != "shrink") {
      const std::string results = read_whole(outputs.path("j.xml"));
      BOOST_TEST(count_of(results, "<testcase ") > 0U, what);
      BOOST_TEST(count_of(results, "<testcase ") == count_of(results, "<skipped message="),
                 results);
    }
    const std::string line = last_line_to_paste(stopped.err);
    BOOST_TEST(!line.empty(), what);
    std::string before;
    for (const std::string& word : line.empty() ? std::vector<std::string>() : call) {
      const bool is_replaced = before == "--schedule" || before == "--from" || word == "--from";
      BOOST_TEST((is_replaced || count_of(line + " ", " " + word + " ") == 1U),
                 line << " lacks " << word << " of " << what);
      before = word;
    }
    if (!line.empty()) {
      const Finished again =
          run_watchlab({"-c", state + " WATCHLAB_ALLOW_RUN=0 " + line}, {.program = "/bin/sh"});
      const bool had_no_time = row.option == "--time 1ns" || row.base == "--time 1ns";
      BOOST_TEST((again.exit_code <= 1 || had_no_time), line << ": " << again.err);
      BOOST_TEST(count_of(read_whole(outputs.path("j.xml")), "<skipped") == 0U, line);
    }
  }
  BOOST_TEST(stopped_commands == heeding, boost::test_tools::per_element());
}

/// What stands in an option is never a line of ours, whatever becomes of the call.
BOOST_AUTO_TEST_CASE(a_line_break_in_a_value_breaks_no_line) {
  const Files files;
  const std::string forged = "9 held, 0 failed, by somebody else";
  std::size_t calls = 0;
  for (const Row& row : rows) {
    const std::size_t end = row.option.find(' ');
    const std::size_t rest = std::min(row.base.find("-- "), row.base.size());
    if (end == std::string::npos) {
      continue;
    }
    if (!is_played(calls++)) {
      continue;
    }
    const TemporaryFolder outputs;
    const auto filled = [&](const std::string& text) {
      return words_of(replaced(replaced(text, "$", files.path("")), "%", outputs.path("")));
    };
    std::vector<std::string> words{"XDG_STATE_HOME=" + outputs.path(""), WATCHLAB_EXECUTABLE,
                                   row.command};
    std::ranges::move(filled(row.base.substr(0, rest)), std::back_inserter(words));
    const std::string value = replaced(row.option.substr(end + 1), "%", outputs.path(""));
    words.push_back(row.option.substr(0, end));
    words.push_back(replaced(value, "$", files.path("")) + "\n" + forged + "\n" + forged);
    std::ranges::move(filled(row.base.substr(rest)), std::back_inserter(words));
    const Finished finished = run_watchlab(words, {.program = "/usr/bin/env"});
    for (const std::string& text : {"\n" + finished.out, "\n" + finished.err}) {
      BOOST_TEST(text.find("\n" + forged) == std::string::npos,
                 row.command << " " << row.option << ":" << text.substr(0, 500));
    }
  }
  BOOST_TEST(calls > 80U);
}

namespace {

/// Calls with an option that another one leaves without effect.
const std::vector<Row> without_effect{
    {"explore", "slow_handler --strategy random", "--pct-depth 2"},
    {"explore", "slow_handler", "--pct-depth 2"},
    {"explore", "slow_handler --strategy random", "--preemptions 1"},
    {"explore", "slow_handler --strategy dpor", "--preemptions 1"},
    {"explore", "slow_handler --strategy dfs", "--shard 0/2"},
    {"explore", "slow_handler --strategy dpor", "--shard 0/2"},
    {"explore", "slow_handler --strategy dfs", "--from 2"},
    {"explore", "slow_handler --strategy dpor", "--save-every 1s"},
    {"explore", "slow_handler --strategy dfs", "--resume nowhere"},
    {"replay", "missed_delete --schedule default", "--time 1s"},
    {"replay", "missed_delete --schedule default", "--guided"},
    {"fuzz", "--long", "--seeds 1..2"},
    {"fuzz", "--keep-large", "--out %"},
    {"fuzz", "--show 1", "--seeds 1..2"},
    {"fuzz", "--show 1", "--shard 0/2"},
    {"fuzz", "--show 1", "--jobs 2"},
    {"fuzz", "--show 1", "--machine modern"},
    {"fuzz", "--show 1", "--save-every 1s"},
    {"fuzz", "--show 1", "--quiet"},
    {"trace", "missed_delete", "--quiet"},
    {"trace", "missed_delete --json", "--rows 3"},
    {"draw", "missed_delete", "--quiet"},
    {"draw", "missed_delete", "--time 1s"},
    {"draw", "missed_delete", "--nodes 3"},
    {"report", "missed_delete -o -", "--quiet"},
    {"report", "missed_delete -o -", "--json"},
    {"report", "missed_delete -o -", "--guided"},
    {"fault", "list --server http://127.0.0.1:1", "cut_watch"},
    {"serve", "", "--quiet"},
    {"serve-report", "07-two_runs_at_once --terminal", "--port 8001"},
    {"museum", "list", "--quiet"},
};

}  // namespace

BOOST_AUTO_TEST_CASE(an_option_that_another_leaves_without_effect_is_refused) {
  for (const Row& row : without_effect) {
    const std::string option = row.option.substr(0, row.option.find(' '));
    const TemporaryFolder folder;
    std::vector<std::string> words =
        words_of(row.command + " " + row.base + " " + replaced(row.option, "%", folder.path("")));
    if (row.command == "serve") {
      words.insert(words.end(), {"--", "true"});
    }
    const Finished refused = run_watchlab(words);
    BOOST_TEST_CONTEXT(row.command << " " << row.base << " " << row.option) {
      BOOST_TEST(refused.exit_code == 2, refused.err);
      BOOST_TEST(refused.out == "", refused.out.substr(0, 200));
      BOOST_TEST(refused.err.find(option) != std::string::npos, refused.err);
      BOOST_TEST(std::count(refused.err.begin(), refused.err.end(), '\n') == 1, refused.err);
    }
  }
}

BOOST_AUTO_TEST_CASE(a_fault_is_listed_as_json) {
  const std::string list = std::string(WATCHLAB_EXECUTABLE) + " fault list --server $WATCHLAB_URL";
  const Finished words = run_watchlab({"serve", "--", "sh", "-c", list});
  BOOST_TEST(words.out == "no fault is in place\n", words.err);
  const Finished json = run_watchlab({"serve", "--", "sh", "-c", list + " --json"});
  BOOST_TEST(json.out.starts_with("{\"kind\":\"FaultList\""), json.out);
}

BOOST_AUTO_TEST_CASE(an_option_of_another_command_is_refused_with_the_nearest_or_whose_it_is) {
  const auto options = options_of_commands();
  std::set<std::string> all{"--sarif", "--tap", "--jsno"};
  for (const auto& [command, own] : options) {
    all.insert(own.begin(), own.end());
  }
  for (const auto& [command, own] : options) {
    for (const std::string& option : all) {
      if (own.contains(option)) {
        continue;
      }
      const Finished refused = run_watchlab({command, option});
      BOOST_TEST(refused.exit_code == 2, command << " takes " << option);
      BOOST_TEST(refused.out == "", refused.out);
      BOOST_TEST(refused.err.find(command + " has no option " + option) != std::string::npos,
                 refused.err);
    }
  }
  const std::vector<std::vector<std::string>> hints{
      {"run", "--jsno", "did you mean \"--json\"?"},
      {"digest", "--junit", "; it is an option of run, explore, "},
      {"list", "-q", "list has no option -q; it is an option of "},
      {"replay", "--machine", ": the schedule says on which it was made"}};
  for (const std::vector<std::string>& hint : hints) {
    const std::string said = run_watchlab({hint[0], hint[1]}).err;
    BOOST_TEST(said.find(hint[2]) != std::string::npos, said);
  }
}

/// `--allow-run=false` would be a flag with a value, and a line to paste would carry it on.
BOOST_AUTO_TEST_CASE(no_flag_takes_a_value) {
  const auto refuse = [](const Row& row, const std::string& value) {
    const Finished finished = run_watchlab({row.command, row.option + value});
    BOOST_TEST(finished.exit_code == 2);
    BOOST_TEST(finished.err.find(row.option + " has no value; expected " + row.option + ",") !=
                   std::string::npos,
               finished.err);
  };
  std::set<std::string> seen;
  for (const Row& row : rows) {
    const bool is_flag = row.option.starts_with("--") && row.option.find(' ') == std::string::npos;
    if (is_flag && seen.insert(row.option).second) {
      refuse(row, "=false");
    }
  }
  for (const char* value : {"=0", "=no", "=true", "="}) {
    refuse({"run", "", "--allow-run"}, value);
  }
}

BOOST_AUTO_TEST_SUITE_END()
