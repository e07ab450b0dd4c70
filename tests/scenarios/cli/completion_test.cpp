#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include "scenarios/command_line/shell_pages.hpp"
#include "tests/scenarios/cli/process.hpp"

using namespace watchlab::tests;

BOOST_AUTO_TEST_SUITE(completion_test)

namespace {

namespace fs = std::filesystem;

/// What bash would offer for the last of these words in that folder.
std::string offered_in(const std::string& place, const std::string& line) {
  const TemporaryFolder folder;
  const std::string script = folder.write(
      "script", run_watchlab({"completion", "bash"}).out + "\nwatchlab() { " +
                    fs::absolute(WATCHLAB_EXECUTABLE).string() + " \"$@\"; }\ncd '" + place +
                    "'\n"
                    "COMP_WORDS=(watchlab " +
                    line +
                    ")\nCOMP_CWORD=$((${#COMP_WORDS[@]} - 1))\n_watchlab\n"
                    "echo \" ${COMPREPLY[*]} \"\n");
  BOOST_TEST_REQUIRE(std::system(("bash " + script + " > " + folder.path("out")).c_str()) == 0);
  return read_whole(folder.path("out"));
}

std::string offered(const std::string& line) { return offered_in(".", line); }

}  // namespace

BOOST_AUTO_TEST_CASE(bash_completes_commands_options_values_and_scenarios) {
  BOOST_TEST(offered("expl") == " explore explain \n");
  BOOST_TEST(offered("run --trans") == " --transcript --transport \n");
  BOOST_TEST(offered("run --transport w") == " wire \n");
  BOOST_TEST(offered("run -j ''") == offered("run --jobs ''"));
  BOOST_TEST(offered("museum to") == " tour \n");
  BOOST_TEST(says(offered("replay relist/missed_d"), " relist/missed_delete "));
  BOOST_TEST(offered("draw missed_del") == " missed_delete \n");
  BOOST_TEST(offered("museum show recre") == " recreated_object_lost \n");
}

namespace {

/// What stories from elsewhere could be called.
const std::vector<std::string> hostile_names{
    "$(touch ran)", "`touch ran`", "a;touch ran",   "*",
    "-x",           "a'b",         "\033[31m",      "(touch ran)",
    "<(touch ran)", "~root",       "{a,touch,ran}", "-rf.yaml",
    "-dp",          "plain"};

/// Puts a story into a folder of each of these names, and such a folder where files are offered.
void write_hostile_names(const TemporaryFolder& folder) {
  for (const std::string& name : hostile_names) {
    const fs::path place = fs::path(folder.path("scenarios")) / name;
    fs::create_directories(place);
    fs::create_directories(fs::path(folder.path(".")) / name);
    std::ofstream(place / "here.yaml") << "apiVersion: watchlab/v1\nname: here\nstory: s\n"
                                          "clients: [{name: i, kind: informer}]\n";
  }
}

/// Of these only the one that is a plain name is among the words, and nothing was run.
void check_plain_alone(const TemporaryFolder& folder, const std::string& words) {
  BOOST_TEST(!fs::exists(folder.path("ran")));
  BOOST_TEST(says(words, "plain/here"), words);
  for (const std::string& name : hostile_names) {
    BOOST_TEST((name == "plain" || !says(words, name + "/here")), name << ": " << words);
    BOOST_TEST((name == "plain" || name == "*" || !says(words, name)), name << ": " << words);
  }
  BOOST_TEST(!says(words, "touch"), words);
}

}  // namespace

BOOST_AUTO_TEST_CASE(what_a_folder_is_called_is_never_run_and_never_offered) {
  const TemporaryFolder folder;
  write_hostile_names(folder);
  check_plain_alone(folder, offered_in(folder.path("."), "run ''"));
}

// Where they are installed. Of zsh what stands beside `compadd` is asked for: its own line editor
// would take a terminal.
BOOST_AUTO_TEST_CASE(zsh_and_fish_run_and_offer_no_name_that_is_more_than_a_name) {
  const std::map<std::string, std::string> scripts{
      {"zsh",
       "compdef() {}; compadd() { print -rl -- ${(P)2} }\n"
       "_files() { local f p; for f in *(N); do for p in ${(P)2}; do [[ $f != ${~p} ]] || continue "
       "2; done; print -r -- $f; done }\n"
       "source $PAGE; program=watchlab; _watchlab_scenarios\n"},
      {"fish",
       "source $PAGE\n"
       "for line in 'run ' 'run plain/' 'run ./plain' 'run ~/plain' 'run $PWD/plain'\n"
       "  complete -C \"watchlab $line\"\nend\n"
       // Where no file belongs fish would offer its own.
       "for line in 'course check ' 'mcp ' 'doctor ' 'nosuch ' 'run \\$' 'merge x' 'draw -o \\$' "
       "'draw -o x'\n"
       "  complete -C \"watchlab $line\" | string match -v '\\$*' | sed \"s/^/'$line' gets: /\"\n"
       "end\n"}};
  for (const auto& [shell, script] : scripts) {
    if (!fs::exists("/usr/bin/" + shell)) {
      BOOST_TEST_MESSAGE("there is no " << shell);
      continue;
    }
    const TemporaryFolder folder;
    write_hostile_names(folder);
    fs::create_directory(folder.path("bin"));
    fs::create_symlink(fs::absolute(WATCHLAB_EXECUTABLE), folder.path("bin/watchlab"));
    (void)folder.write("page", run_watchlab({"completion", shell}).out);
    (void)folder.write("odd\npart", "");
    const Finished offered = run_watchlab(
        {"PAGE=" + folder.path("page"), "HOME=" + folder.path("."),
         "PATH=" + folder.path("bin") + ":/usr/bin:/bin", "/usr/bin/" + shell, "-c", script},
        {.program = "/usr/bin/env", .folder = folder.path(".")});
    BOOST_TEST_CONTEXT(shell << ": " << offered.err) {
      check_plain_alone(folder, offered.out);
      BOOST_TEST(offered.err == "");
      BOOST_TEST(!says(offered.out, "part"), offered.out);
      BOOST_TEST(!says(offered.out, " gets: "), offered.out);
      BOOST_TEST((shell == "zsh" || says(offered.out, "~/plain/")), offered.out);
    }
  }
}

BOOST_AUTO_TEST_CASE(a_file_whose_name_has_lines_is_not_offered_in_parts) {
  const TemporaryFolder folder;
  (void)folder.write("new\n$(touch ran)", "");
  (void)folder.write("red\033[31m", "");
  (void)folder.write("plain.yaml", "");
  const std::string words = offered_in(folder.path("."), "draw -o ''");
  BOOST_TEST(words == " plain.yaml \n");
  const std::string places = offered_in(folder.path("."), "run ''");
  BOOST_TEST(says(places, " plain.yaml "), places);
  BOOST_TEST(!says(places, "touch ran"), places);
  BOOST_TEST(!says(places, " new "), places);
}

BOOST_AUTO_TEST_CASE(the_value_behind_an_equals_sign_is_completed) {
  BOOST_TEST(offered("run --transport = w") == " wire \n");
  BOOST_TEST(offered("run --transport =") == " direct wire both \n");
}

BOOST_AUTO_TEST_CASE(the_launcher_completes_its_own_commands_the_program_alone_does_not) {
  const std::string asked = std::string(WATCHLAB_EXECUTABLE) + " completion ";
  for (const std::string& shell : watchlab::scenarios::shells()) {
    const TemporaryFolder folder;
    const std::string out = folder.path("out");
    const std::string calls = asked + shell + " > " + out;
    BOOST_TEST_REQUIRE(std::system(("env -u WATCHLAB_HOME " + calls).c_str()) == 0);
    BOOST_TEST(!says(read_whole(out), "doctor"), shell);
    BOOST_TEST_REQUIRE(std::system(("WATCHLAB_HOME=. " + calls).c_str()) == 0);
    BOOST_TEST(says(read_whole(out), "doctor"), shell);
    BOOST_TEST(says(read_whole(out), "course"), shell);
    // A TAB asks for names with this, so that the launcher neither builds nor installs.
    BOOST_TEST(says(read_whole(out), "WATCHLAB_COMPLETES=1"), shell);
  }
}

BOOST_AUTO_TEST_CASE(fish_and_zsh_ask_the_program_as_it_was_typed_and_look_at_its_first_word) {
  const std::string fish = run_watchlab({"completion", "fish"}).out;
  BOOST_TEST(!says(fish, "__fish_seen_subcommand_from"), "any word would do");
  BOOST_TEST(says(fish, "-n '__watchlab_is museum' "));
  BOOST_TEST(says(fish, "set -l program (commandline -opc)[1]"));
  const std::string zsh = run_watchlab({"completion", "zsh"}).out;
  BOOST_TEST(says(zsh, "local program=${(Q)words[1]} "));
  BOOST_TEST(says(zsh, "\"$program\" museum list"));
}

BOOST_AUTO_TEST_CASE(no_shell_offers_files_for_a_number) {
  BOOST_TEST(offered("explore --seed ''") == "  \n");
  BOOST_TEST(offered("explore -n ''") == "  \n");
  BOOST_TEST(offered("fuzz --seeds ''") == "  \n");
  BOOST_TEST(offered("museum show mes") == "  \n");  // a file meson.build is here
  BOOST_TEST(says(offered("run --junit mes"), " meson.build "));
  const std::string zsh = run_watchlab({"completion", "zsh"}).out;
  BOOST_TEST(says(zsh, "]:value: '"));
  // A value may stand behind a '=' as well.
  BOOST_TEST(says(zsh, "'*--strategy=["), zsh);
  BOOST_TEST(says(zsh, "'*-j+["));
  BOOST_TEST(says(zsh, "'*--quiet["));
  BOOST_TEST(says(zsh, "'*:SLUG:_watchlab_pieces'"));
  const std::string fish = run_watchlab({"completion", "fish"}).out;
  BOOST_TEST(says(fish, " -l jobs -s j -x "));
  BOOST_TEST(says(fish, " -f -a '(__watchlab_pieces)' "));
}

BOOST_DATA_TEST_CASE(each_shell_has_every_command_and_option, watchlab::scenarios::shells(),
                     shell) {
  const std::string script = run_watchlab({"completion", shell}).out;
  BOOST_TEST(says(script, "watchlab completion " + shell));
  for (const std::string word : {"explore", "story-from", "until-unseen", "strict"}) {
    BOOST_TEST(says(script, word), word);
  }
}

BOOST_AUTO_TEST_CASE(an_unknown_shell_is_refused_with_the_nearest) {
  const Finished finished = run_watchlab({"completion", "bsh"});
  BOOST_TEST(finished.exit_code == 2);
  BOOST_TEST(says(finished.err, "did you mean \"bash\"?"), finished.err);
}

BOOST_AUTO_TEST_CASE(help_says_of_each_call_of_the_launcher_that_it_takes_a_checkout) {
  std::istringstream page(unwrapped(help_of_all_commands()));
  std::size_t calls = 0;
  for (std::string line; std::getline(page, line);) {
    const bool takes_a_checkout = says(line, "n a checkout");  // there, the program as it is typed
    calls += takes_a_checkout ? 1 : 0;
    BOOST_TEST((takes_a_checkout || !says(line, "./watchlab ")), line);
  }
  BOOST_TEST(calls > 5U);
}

BOOST_AUTO_TEST_SUITE_END()
