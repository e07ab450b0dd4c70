// The one writer of outputs: what it replaces, what it writes through, and what it says when it
// cannot.
#include "scenarios/command_line/console.hpp"

#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <boost/test/unit_test.hpp>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <string>

#include "scenarios/command_line/child_process.hpp"
#include "scenarios/command_line/output_file.hpp"
#include "scenarios/command_line/wrapped_text.hpp"
#include "scenarios/language/plain_text.hpp"
#include "tests/scenarios/cli/process.hpp"

namespace watchlab::tests {

BOOST_AUTO_TEST_SUITE(console_test)

namespace {

/// Whether the disk loses what it is asked to keep.
bool sync_fails = false;
/// Whether the process is killed where it waits for the disk.
bool sync_kills = false;

/// Takes the place of the one of the C library in this program.
extern "C" int fsync(int descriptor) {
  if (sync_kills) {
    (void)std::raise(SIGKILL);
  }
  if (sync_fails) {
    errno = EIO;
    return -1;
  }
  return ::fdatasync(descriptor);
}

namespace fs = std::filesystem;
using scenarios::write_file;

mode_t mode_of(const std::string& path) {
  struct stat found {};
  BOOST_TEST_REQUIRE(::stat(path.c_str(), &found) == 0);
  return found.st_mode & 07777U;
}

/// Runs a line of shell in the source tree; $W is the program, $D the folder. Returns the status.
int shell(const TemporaryFolder& folder, const std::string& line) {
  const std::string words =
      "D='" + folder.path(".") + "'; W='" + WATCHLAB_EXECUTABLE + "'; " + line;
  const int status = std::system(words.c_str());
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

/// The files of a folder.
std::size_t files_in(const TemporaryFolder& folder) {
  const fs::directory_iterator files(folder.path("."));
  return static_cast<std::size_t>(std::distance(begin(files), end(files)));
}

}  // namespace

BOOST_AUTO_TEST_CASE(a_file_is_replaced_and_keeps_its_mode) {
  const TemporaryFolder folder;
  const std::string path = folder.write("out.json", "a longer text that was there");
  for (const mode_t mode : {0640U, 0755U, 0600U}) {
    ::chmod(path.c_str(), mode);
    BOOST_TEST(write_file(path, "new") == "");
    BOOST_TEST(mode_of(path) == mode);
    BOOST_TEST(read_whole(path) == "new");
  }
  BOOST_TEST(files_in(folder) == 1);
}

BOOST_AUTO_TEST_CASE(a_new_file_gets_the_mode_of_any_new_file) {
  const TemporaryFolder folder;
  const mode_t before = ::umask(027);
  BOOST_TEST(write_file(folder.path("new"), "text") == "");
  ::umask(before);
  BOOST_TEST(mode_of(folder.path("new")) == 0640U);
}

BOOST_AUTO_TEST_CASE(a_name_that_the_program_chose_is_no_way_to_another_file) {
  const TemporaryFolder folder;
  const std::string other = folder.write("other", "before");
  const std::string path = folder.path("link");
  fs::create_symlink(other, path);
  BOOST_TEST(scenarios::write_own_file(path, "new") == "");
  BOOST_TEST(read_whole(other) == "before");
  BOOST_TEST((fs::symlink_status(path).type() == fs::file_type::regular));
  BOOST_TEST(read_whole(path) == "new");
  ::chmod(path.c_str(), 0640);
  BOOST_TEST(scenarios::write_own_file(path, "newer") == "");
  BOOST_TEST(mode_of(path) == 0640U);
  BOOST_TEST(says(scenarios::write_own_file(folder.path("."), "x"), "cannot be written"));
}

BOOST_AUTO_TEST_CASE(a_word_is_quoted_for_those_who_paste_and_for_sh) {
  for (const std::string& word : std::vector<std::string>{
           "plain.yaml", "", "two words", "it's", "a\nb", "\t'\\x", "\033[2J", "\xff", "$x`y`"}) {
    const std::string pasted = scenarios::word_for_shell(word);
    BOOST_TEST(scenarios::plain_line(pasted) == pasted);
    for (const auto& [shell, quoted] :
         {std::pair("/bin/bash", pasted), std::pair("/bin/sh", scenarios::word_for_sh(word))}) {
      const std::string line = "printf %s " + quoted;
      BOOST_TEST(run_watchlab({"-c", line}, {.program = shell}).out == word, line);
    }
  }
}

BOOST_AUTO_TEST_CASE(json_keeps_what_it_says_without_characters_that_a_terminal_obeys) {
  BOOST_TEST(scenarios::visible_text("{\"a\":\"b\"}\n") == "{\"a\":\"b\"}\n");
  BOOST_TEST(scenarios::visible_text("\"\xff\xe4\xb8\xad\xc2\x9b\x7f\"") ==
             "\"\xEF\xBF\xBD\xe4\xb8\xad\\u009b\\u007f\"");
  BOOST_TEST(scenarios::visible_text("\"\xe2\x80\xae\"") == "\"\\u202e\"");
  BOOST_TEST(scenarios::visible_text("\033[31mred\r\n\tb\r") == "\\u001b[31mred\n\tb\\r");
  BOOST_TEST(scenarios::visible_line("a\r\n\tb") == "a\\r\\n\\tb");
}

BOOST_AUTO_TEST_CASE(a_link_stays_a_link) {
  const TemporaryFolder folder;
  const std::string target = folder.write("target", "a longer text that was there");
  fs::create_symlink(target, folder.path("link"));
  BOOST_TEST(write_file(folder.path("link"), "new") == "");
  BOOST_TEST(fs::is_symlink(folder.path("link")));
  BOOST_TEST(read_whole(target) == "new");
}

BOOST_AUTO_TEST_CASE(a_link_that_leads_nowhere_yet_is_looked_at_where_it_leads) {
  const TemporaryFolder folder;
  fs::create_directory(folder.path("sub"));
  fs::create_symlink("sub/second", folder.path("first"));
  fs::create_symlink("new", folder.path("sub/second"));
  fs::create_symlink(folder.path("missing/new"), folder.path("broken"));
  fs::create_symlink("loop", folder.path("loop"));
  BOOST_TEST(scenarios::behind_links(folder.path("first")) == folder.path("sub/new"));
  BOOST_TEST(scenarios::write_problem(folder.path("first")) == "");
  BOOST_TEST(
      shell(folder, "$W run missed_delete --junit $D/first --transcript $D/sub/new 2> $D/said") ==
      2);
  BOOST_TEST(says(read_whole(folder.path("said")), "would both write it"));
  BOOST_TEST(write_file(folder.path("first"), "text") == "");
  BOOST_TEST(read_whole(folder.path("sub/new")) == "text");
  for (const std::string link : {"broken", "loop"}) {
    BOOST_TEST(shell(folder, "$W schema -o $D/" + link + " 2> $D/said") == 2, link);
    BOOST_TEST(says(read_whole(folder.path("said")), "cannot be written"), link);
    BOOST_TEST(fs::is_symlink(folder.path(link)));
  }
}

BOOST_AUTO_TEST_CASE(what_a_link_leads_to_is_written_whole_or_not_at_all) {
  const TemporaryFolder folder;
  const std::string target = folder.write("target", "before");
  fs::create_symlink(target, folder.path("link"));
  BOOST_TEST(shell(folder, "(ulimit -f 1; $W schema -o $D/link 2> $D/said)") == 1);
  BOOST_TEST(read_whole(target) == "before");
  BOOST_TEST(files_in(folder) == 3);
}

BOOST_AUTO_TEST_CASE(a_pipe_gets_all_of_it_and_stays_a_pipe) {
  const TemporaryFolder folder;
  BOOST_TEST_REQUIRE(::mkfifo(folder.path("pipe").c_str(), 0600) == 0);
  BOOST_TEST(shell(folder,
                   "cat $D/pipe > $D/got & $W schema -o $D/pipe; wait; "
                   "test -p $D/pipe && test -s $D/got") == 0);
  BOOST_TEST(shell(folder, "$W schema > $D/again; cmp $D/got $D/again") == 0);
}

BOOST_AUTO_TEST_CASE(devices_are_written_to_and_stay) {
  BOOST_TEST(write_file("/dev/null", "text") == "");
  BOOST_TEST(fs::is_character_file("/dev/null"));
  const std::string wrong = write_file("/dev/full", "text");
  BOOST_TEST(says(wrong, "/dev/full: "), wrong);
  BOOST_TEST(says(wrong, "No space left on device"), wrong);
  BOOST_TEST(fs::is_character_file("/dev/full"));
}

BOOST_AUTO_TEST_CASE(standard_output_by_its_name_is_standard_output) {
  const TemporaryFolder folder;
  BOOST_TEST(shell(folder, "(echo first; $W schema -o /dev/stdout; echo last) > $D/out") == 0);
  const std::string text = read_whole(folder.path("out"));
  BOOST_TEST(text.starts_with("first\n"));
  BOOST_TEST(says(text, "$schema"));
  BOOST_TEST(text.ends_with("last\n"));
  BOOST_TEST(fs::is_symlink("/dev/stdout"));
}

BOOST_AUTO_TEST_CASE(what_cannot_be_written_is_reported_with_its_reason) {
  const TemporaryFolder folder;
  const std::string wrong = write_file(folder.path("nowhere/out"), "text");
  BOOST_TEST(says(wrong, "nowhere/out: "), wrong);
  BOOST_TEST(says(wrong, "No such file or directory"), wrong);
  fs::create_directory(folder.path("folder"));
  BOOST_TEST(says(write_file(folder.path("folder"), "text"), "Is a directory"));
}

BOOST_AUTO_TEST_CASE(a_short_write_leaves_what_was_there) {
  const TemporaryFolder folder;
  folder.write("schema.json", "before");
  BOOST_TEST(shell(folder, "(ulimit -f 1; $W schema -o $D/schema.json 2> $D/said)") == 1);
  BOOST_TEST(read_whole(folder.path("schema.json")) == "before");
  BOOST_TEST(says(read_whole(folder.path("said")), "File too large"),
             read_whole(folder.path("said")));
  BOOST_TEST(files_in(folder) == 2);
}

BOOST_AUTO_TEST_CASE(what_must_outlast_a_crash_is_written_in_the_same_way) {
  const TemporaryFolder folder;
  const std::string path = folder.write("out.json", "before");
  ::chmod(path.c_str(), 0640);
  BOOST_TEST(scenarios::write_file_synced(path, "new") == "");
  BOOST_TEST(read_whole(path) == "new");
  BOOST_TEST(mode_of(path) == 0640U);
  BOOST_TEST(says(scenarios::write_file_synced("/dev/full", "text"), "No space left on device"));
}

BOOST_AUTO_TEST_CASE(a_disk_that_does_not_keep_what_must_outlast_a_crash_is_reported) {
  const TemporaryFolder folder;
  const std::string path = folder.write("out.json", "before");
  sync_fails = true;
  const std::string wrong = scenarios::write_file_synced(path, "new");
  const std::string other = write_file(folder.path("other"), "new");
  sync_fails = false;
  BOOST_TEST(says(wrong, path + ": cannot be written: Input/output error"), wrong);
  BOOST_TEST(read_whole(path) == "before");
  BOOST_TEST(other == "");
  BOOST_TEST(files_in(folder) == 2);
}

BOOST_AUTO_TEST_CASE(what_is_killed_before_the_new_file_takes_its_place_leaves_the_old_one) {
  const TemporaryFolder folder;
  const std::string path = folder.write("out.json", "before");
  const pid_t child = ::fork();
  if (child == 0) {
    sync_kills = true;
    (void)scenarios::write_file_synced(path, "new");
    ::_exit(0);
  }
  int status = 0;
  BOOST_TEST_REQUIRE(::waitpid(child, &status, 0) == child);
  BOOST_TEST(WIFSIGNALED(status));
  BOOST_TEST(read_whole(path) == "before");
  BOOST_TEST(files_in(folder) == 2);  // the new one lies beside it, and is in nobody's way
  BOOST_TEST(scenarios::write_file_synced(path, "newer") == "");
  BOOST_TEST(read_whole(path) == "newer");
}

BOOST_AUTO_TEST_CASE(a_full_disk_is_an_error_for_standard_output_too) {
  const TemporaryFolder folder;
  for (const std::string words :
       {"list", "show missed_delete", "schema", "run exercises/00-tour/scenarios/first_steps.yaml",
        "--help", "digest exercises/00-tour/scenarios/first_steps.yaml", "list --json"}) {
    BOOST_TEST(shell(folder, "$W " + words + " > /dev/full 2> $D/said") == 1, words);
    const std::string said = read_whole(folder.path("said"));
    BOOST_TEST(says(said, "standard output"), words + ": " + said);
  }
  BOOST_TEST(shell(folder, "$W trace missed_delete -o /dev/full 2> $D/said > $D/out") != 0);
  BOOST_TEST(says(read_whole(folder.path("said")), "/dev/full: "));
}

BOOST_AUTO_TEST_CASE(streams_that_are_closed_or_full_cost_no_more_than_what_is_said) {
  const TemporaryFolder folder;
  for (const std::string streams : {"2>&-", "2>/dev/full", ">&- 2>&-", "<&- >&- 2>&-"}) {
    for (const std::string words : {"nosuch", "run nosuch", "run", "", "run --nosuch"}) {
      BOOST_TEST(shell(folder, "$W " + words + " " + streams + " >/dev/null") == 2,
                 words + " " + streams);
    }
    BOOST_TEST(shell(folder, "$W list " + streams + " < /dev/null > $D/out") == 0, streams);
  }
  BOOST_TEST(shell(folder, "$W list >&- 2> $D/said") == 1);
  BOOST_TEST(says(read_whole(folder.path("said")), "standard output: cannot be written"));
  for (const std::string words : {"nosuch", "list", "explore --help"}) {
    const int status = shell(folder, "$W " + words + " >&- 2>&-");
    BOOST_TEST(status == (words == "nosuch" ? 2 : 1), words);
  }
}

BOOST_AUTO_TEST_CASE(no_file_takes_the_place_of_a_stream_that_is_closed) {
  const TemporaryFolder folder;
  BOOST_TEST(shell(folder, "$W serve --record $D/record >&- 2>/dev/null") == 1);
  BOOST_TEST(!says(read_whole(folder.path("record")), "serving"),
             read_whole(folder.path("record")));
  BOOST_TEST(shell(folder, "$W serve --record $D/other <&- >&- 2>&-") == 1);
  BOOST_TEST(!says(read_whole(folder.path("other")), "watchlab:"),
             read_whole(folder.path("other")));
}

BOOST_AUTO_TEST_CASE(lines_break_between_words_and_go_on_below_their_column) {
  using scenarios::wrapped;
  BOOST_TEST(wrapped("one two three", 20) == "one two three");
  BOOST_TEST(wrapped("one two three four", 9) == "one two\nthree\nfour");
  BOOST_TEST(wrapped("  one two three", 10) == "  one two\n  three");
  BOOST_TEST(wrapped("name    one two three four five", 20) ==
             "name    one two\n        three four\n        five");
  BOOST_TEST(wrapped("a         b cccccccccccc", 20) == "a         b\ncccccccccccc");
  BOOST_TEST(wrapped("a\n\nbb cc dd ee ff", 8) == "a\n\nbb cc dd\nee ff");
  BOOST_TEST(wrapped("averylongword and", 5) == "averylongword\nand");
  BOOST_TEST(wrapped("\033[32mheld\033[0m it is", 10) == "\033[32mheld\033[0m it is");
  BOOST_TEST(wrapped("中文 中文 中文", 10) == "中文 中文\n中文");
  BOOST_TEST(wrapped("中文中文。中文", 8) == "中文中\n文。中文");
  BOOST_TEST(wrapped("a中文 run b", 6) == "a中文\nrun b");
  const std::string paste = "replay it: ./watchlab replay x.yaml --schedule 'w1:0'";
  BOOST_TEST(wrapped(paste, 20) == paste);
  setenv("WATCHLAB_CALLED_AS", "w l", 1);
  const std::string own = "try: 'w l' run a_long_name.yaml";
  BOOST_TEST(wrapped(own, 20) == own);
  setenv("WATCHLAB_CALLED_AS", "wl", 1);
  BOOST_TEST(wrapped("try: wl run a_long_name.yaml", 20) == "try: wl run a_long_name.yaml");
  BOOST_TEST(wrapped("to owl run a_long_name.yaml", 20) == "to owl run\na_long_name.yaml");
  unsetenv("WATCHLAB_CALLED_AS");
  BOOST_TEST(wrapped("it goes with --schedule alone", 20) == "it goes with\n--schedule alone");
  BOOST_TEST(wrapped("", 10).empty());
}

BOOST_AUTO_TEST_CASE(of_a_page_of_help_examples_continue_behind_a_backslash) {
  const std::string row = "  --seed UINT    Of the random draws; the file's if left out";
  BOOST_TEST(scenarios::wrapped_help(row, 42) ==
             "  --seed UINT    Of the random draws; the\n                 file's if left out");
  const std::string examples = "Examples:\n  watchlab run missed_delete --transport wire";
  const std::string narrow =
      "Examples:\n  watchlab run \\\n      missed_delete \\\n      --transport \\\n      wire";
  BOOST_TEST(scenarios::wrapped_help(examples, 80) == examples);
  BOOST_TEST(scenarios::wrapped_help(examples, 20) == narrow);
  BOOST_TEST(scenarios::wrapped_help("Examples:\n  wl run 'a b c' -o x   # in a checkout", 20) ==
             "Examples:\n  wl run 'a b c' \\\n      -o x\n      # in a\n      # checkout");
  BOOST_TEST(scenarios::wrapped_help("  -x TEXT:{one,two,three,four,five}", 24) ==
             "  -x\n  TEXT:{one,two,three,\n  four,five}");
  BOOST_TEST(scenarios::wrapped_help(examples + "\nas watchlab run does it", 20) ==
             narrow + "\nas watchlab run does\nit");
}

BOOST_AUTO_TEST_CASE(what_is_counted_gets_its_pace_after_two_seconds) {
  using std::chrono::seconds;
  const std::chrono::steady_clock::time_point begin;
  scenarios::ProgressRate rate;
  BOOST_TEST(rate.words_of("checking", begin).empty());
  BOOST_TEST(rate.words_of("10 of 100: a.yaml", begin).empty());
  BOOST_TEST(rate.words_of("12 of 100: b.yaml", begin + seconds(1)).empty());
  BOOST_TEST(rate.words_of("20 of 100: c.yaml", begin + seconds(5)) ==
             "2 a second, about 40 s left");
  BOOST_TEST(rate.words_of("tests: 1 of 9", begin + seconds(6)).empty());  // begins anew
  BOOST_TEST(rate.words_of("tests: 5 of 9", begin + seconds(10)) == "1 a second, about 4 s left");
  BOOST_TEST(rate.words_of("part of 9", begin + seconds(12)).empty());
  BOOST_TEST(rate.words_of("", begin).empty());
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace watchlab::tests
