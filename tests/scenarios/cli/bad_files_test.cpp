#include <sys/stat.h>

#include <algorithm>
#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>
#include <filesystem>
#include <ostream>
#include <string>
#include <vector>

#include "tests/scenarios/cli/process.hpp"

using namespace watchlab::tests;

BOOST_AUTO_TEST_SUITE(bad_files_test)

namespace {

const std::string head =
    "apiVersion: watchlab/v1\nname: bad\nstory: s\nclients: [{name: x, kind: informer}]\n";

/// Ten levels of nine aliases each: 3.5 thousand million values if it were played out.
std::string alias_bomb() {
  std::string text = "a: &a [x,x,x,x,x,x,x,x,x]\n";
  for (char name = 'b'; name <= 'j'; ++name) {
    const std::string before = std::string("*") + static_cast<char>(name - 1) + ",";
    text += std::string(1, name) + ": &" + name + " [";
    for (int i = 0; i < 9; ++i) {
      text += before;
    }
    text += "]\n";
  }
  return text;
}

struct BadFile {
  std::string name;
  std::string text;
  std::string says;  ///< follows the path in the message
};

std::ostream& operator<<(std::ostream& out, const BadFile& file) { return out << file.name; }

const std::vector<BadFile> bad_files{
    {"unknown_key", head + "scirpt: []\n", ":5:1: unknown key 'scirpt'"},
    {"wrong_type", head + "script: 5\n", ":5:9: '5' where a list of steps belongs"},
    {"duplicate_key", head + "name: again\n", ":5:1: the key 'name' for the second time"},
    {"negative_time", head + "within: -5s\n", ":5:9: '-5s' is not a duration"},
    {"unknown_fault", head + "script: [{fault: cut_wach}]\n", ":5:18: 'cut_wach' is not a fault"},
    {"empty", "", ":1:1: the file is empty"},
    {"binary",
     std::string("\x7f"
                 "ELF\0\1\2",
                 7),
     ":1:1: the byte 0x7f"},
    {"ten_megabytes", std::string(10 * 1024 * 1024, 'a'), ":1:1: the file has 10485760 bytes"},
    {"alias_bomb", alias_bomb(), ":1:4: an anchor"},
    {"deep", "a: " + std::string(500'000, '['), ":1:20: nesting deeper"},
    {"no_yaml", "a: b: c\n", ":1:5: a second ': ' in one line"},
};

}  // namespace

BOOST_DATA_TEST_CASE(a_bad_file_is_refused_with_its_place_and_a_hint, bad_files, file) {
  const TemporaryFolder folder;
  const std::string path = folder.write("bad.yaml", file.text);
  for (const std::string command : {"validate", "run"}) {
    const Finished finished = run_watchlab({command, path});
    BOOST_TEST(finished.exit_code == 2);
    BOOST_TEST(finished.err.starts_with(path + file.says), finished.err);
    const bool has_hint = finished.err.find("xpected ") != std::string::npos;
    BOOST_TEST(has_hint, finished.err);
  }
}

namespace {

/// A story with so many names of a kind, each by these words with its number in place of '#'.
struct ManyNames {
  std::string kind;
  std::string each;
  int count = 0;
};

std::ostream& operator<<(std::ostream& out, const ManyNames& names) { return out << names.kind; }

double seconds_to_read(const ManyNames& names, int count) {
  std::string text =
      "apiVersion: watchlab/v1\nname: many\nstory: s\n"
      "clients: [{name: x, kind: informer}]\nserver:\n  " +
      names.kind + ":\n";
  for (int i = 0; i < count; ++i) {
    std::string line = "  - " + names.each + "\n";
    for (std::size_t at = line.find('#'); at != std::string::npos; at = line.find('#')) {
      line.replace(at, 1, std::to_string(i));
    }
    text += line;
  }
  const TemporaryFolder folder;
  const Finished finished = run_watchlab({"validate", folder.write("many.yaml", text)});
  BOOST_TEST(finished.exit_code == 0, finished.err);
  return finished.processor_seconds;
}

const std::vector<ManyNames> many_names{
    {"objects", "o#", 8'000},
    {"resources", "{kind: K#, plural: k#s, group: g#.io, version: v1, namespaced: true}", 1'000}};

}  // namespace

/// Four times as many take about four times as long, and not sixteen.
BOOST_DATA_TEST_CASE(time_to_read_a_story_grows_with_its_names_and_not_with_their_square,
                     many_names, names) {
  const double few = seconds_to_read(names, names.count);
  const double many = seconds_to_read(names, 4 * names.count);
  BOOST_TEST(many < 9 * few + 0.1);
}

BOOST_DATA_TEST_CASE(a_bad_file_costs_little_time_and_memory, bad_files, file) {
  const TemporaryFolder folder;
  const Finished finished = run_watchlab({"validate", folder.write("bad.yaml", file.text)});
  BOOST_TEST(finished.processor_seconds < 1.0);
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
  constexpr long most_kilobytes = 256L * 1024;
  BOOST_TEST(finished.memory_kilobytes < most_kilobytes);
#endif
}

BOOST_AUTO_TEST_CASE(a_name_unlike_the_file_is_reported_where_it_stands) {
  const TemporaryFolder folder;
  const std::string path =
      folder.write("mine.yaml",
                   "apiVersion: watchlab/v1\nstory: s\nname: other\n"
                   "clients: [{name: x, kind: informer}]\nscript: [{create: demo}]\n");
  const Finished finished = run_watchlab({"validate", path});
  BOOST_TEST(finished.exit_code == 2);
  BOOST_TEST(finished.err.find("mine.yaml:3:7: the scenario 'other'") != std::string::npos,
             finished.err);
}

namespace {

/// Calls that read a file, which is `%`.
const std::vector<std::vector<std::string>> readers{
    {"run", "%"},
    {"digest", "%"},
    {"validate", "%"},
    {"migrate", "%"},
    {"transcribe", "%", "-o", "/dev/null"},
    {"story-from", "%"},
    {"merge", "%"},
    {"diff", "%", "missed_delete"},
    {"report", "missed_delete", "-o", "-", "--with", "%"},
    {"report", "missed_delete", "-o", "-", "--with", "@%"},
    {"replay", "missed_delete", "--schedule", "@%"},
    {"fuzz", "--seeds", "1..1", "--kept", "%"},
    {"fuzz", "--seeds", "1..1", "--resume", "%"},
    {"explore", "missed_delete", "-n", "1", "--resume", "%"},
    {"fault", "list", "--kubeconfig", "%"},
};

/// Something that is no file with an end, under a name that each of them reads.
std::string make_unreadable(const TemporaryFolder& folder, const std::string& what,
                            const std::string& ending) {
  const std::string path = folder.path("what" + ending);
  if (what == "folder") {
    std::filesystem::create_directory(path);
  } else if (what == "pipe") {
    BOOST_TEST(::mkfifo(path.c_str(), 0600) == 0);
  } else if (what != "nothing") {
    std::filesystem::create_symlink(what, path);
  }
  return path;
}

}  // namespace

/// /proc/self/mem is a regular file that cannot be read.
BOOST_DATA_TEST_CASE(what_is_no_file_is_refused_by_each_command_that_reads_one,
                     boost::unit_test::data::make({"folder", "pipe", "nothing", "/dev/zero",
                                                   "/proc/self/mem"}),
                     what) {
  for (std::vector<std::string> words : readers) {
    const TemporaryFolder folder;
    const bool is_run = words[0] == "diff" || words.back() == "%";
    const std::string ending = words[0] == "diff" ? ".jsonl" : is_run ? ".json" : "";
    const std::string path = make_unreadable(folder, what, words[0] == "run" ? "" : ending);
    for (std::string& word : words) {
      word = word == "%" ? path : word == "@%" ? "@" + path : word;
    }
    const Finished finished = run_watchlab(words);
    BOOST_TEST(finished.exit_code == 2, words[0] << ": " << finished.err);
    BOOST_TEST(finished.err.find("basic_filebuf") == std::string::npos, finished.err);
    BOOST_TEST(finished.err.find("xception") == std::string::npos, finished.err);
    BOOST_TEST(std::count(finished.err.begin(), finished.err.end(), '\n') <= 1, finished.err);
    BOOST_TEST(!finished.err.empty(), words[0]);
  }
}

BOOST_AUTO_TEST_CASE(what_a_shell_hands_over_is_read) {
  const std::string line = std::string(WATCHLAB_EXECUTABLE) + " merge <(" + WATCHLAB_EXECUTABLE +
                           " explore slow_handler -n 3 --json)";
  const Finished finished = run_watchlab({"-c", line}, {.program = "/bin/bash"});
  BOOST_TEST(finished.exit_code == 0, finished.err);
}

BOOST_AUTO_TEST_CASE(a_missing_file_is_refused) {
  const Finished finished = run_watchlab({"run", "there_is_none.yaml"});
  BOOST_TEST(finished.exit_code == 2);
  BOOST_TEST(finished.err.starts_with("there_is_none.yaml: there is no such file"));
}

BOOST_AUTO_TEST_SUITE_END()
