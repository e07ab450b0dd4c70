#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>
#include <csignal>
#include <filesystem>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "core/runtime/fibers/switch.hpp"
#include "tests/scenarios/cli/process.hpp"

using namespace watchlab::tests;

BOOST_AUTO_TEST_SUITE(serve_commands_test)

namespace {

/// What a shell script does while a server is there; $watchlab is the program, $server its URL.
Finished serving(const std::string& script, const std::vector<std::string>& options = {}) {
  std::vector<std::string> words{"serve"};
  words.insert(words.end(), options.begin(), options.end());
  const std::string setup =
      "watchlab=" WATCHLAB_EXECUTABLE
      "\nserver=$(sed -n 's/.*server: \"\\(.*\\)\".*/\\1/p' \"$KUBECONFIG\" | head -n 1)\n"
      "ask() {  # METHOD URL [BODY]: what is answered\n"
      "  local path=/${2#http://*/} place=${2#http://}\n"
      "  place=${place%%/*}\n"
      "  exec 3<>\"/dev/tcp/${place%:*}/${place#*:}\"\n"
      "  printf '%s %s HTTP/1.1\\r\\nHost: localhost\\r\\nConnection: close\\r\\nContent-Length: "
      "%d\\r\\n\\r\\n%s' \"$1\" "
      "\"$path\" \"${#3}\" \"${3-}\" >&3\n"
      "  cat <&3\n"
      "}\n";
  words.insert(words.end(), {"--", "bash", "-c", setup + script});
  return run_watchlab(words);
}

/// Writes a story with a client from outside, and these lines. Returns its path.
std::string write_story(const TemporaryFolder& folder, const std::string& name,
                        const std::string& lines = {}) {
  return folder.write(name + ".yaml",
                      "apiVersion: watchlab/v1\nname: " + name +
                          "\nstory: One.\nclients: [{name: outside, kind: external}]\n" + lines);
}

/// A server that answers one request with these bytes, whatever it is.
class OneAnswer {
 public:
  explicit OneAnswer(std::string answer) : listener_(::socket(AF_INET, SOCK_STREAM, 0)) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof address;
    auto* const any = reinterpret_cast<sockaddr*>(&address);
    BOOST_REQUIRE(::bind(listener_, any, size) == 0 && ::listen(listener_, 1) == 0 &&
                  ::getsockname(listener_, any, &size) == 0);
    port_ = ntohs(address.sin_port);
    task_ = std::thread([this, answer = std::move(answer)] {
      const int peer = ::accept(listener_, nullptr, nullptr);
      std::string request;
      std::array<char, 512> part{};
      while (request.find("\r\n\r\n") == std::string::npos) {
        const auto count = ::read(peer, part.data(), part.size());
        if (count <= 0) {
          break;
        }
        request.append(part.data(), static_cast<std::size_t>(count));
      }
      (void)!::write(peer, answer.data(), answer.size());
      ::close(peer);
    });
  }
  OneAnswer(const OneAnswer&) = delete;
  OneAnswer& operator=(const OneAnswer&) = delete;
  ~OneAnswer() {
    task_.join();
    ::close(listener_);
  }
  [[nodiscard]] std::string url() const { return "http://127.0.0.1:" + std::to_string(port_); }

 private:
  int listener_;
  int port_ = 0;
  std::thread task_;
};

std::string ok(const std::string& body) {
  return "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: " +
         std::to_string(body.size()) + "\r\n\r\n" + body;
}

}  // namespace

BOOST_AUTO_TEST_CASE(it_ends_with_the_status_of_its_command) {
  BOOST_TEST(serving("exit 0").exit_code == 0);
  BOOST_TEST(serving("exit 7").exit_code == 7);
  const Finished killed = serving("kill -KILL $$");
  BOOST_TEST(killed.exit_code == 137);
  BOOST_TEST(killed.err == "the command 'bash' was ended by signal 9 (Killed)\n");
  const Finished missing = run_watchlab({"serve", "--", "no-such-program"});
  BOOST_TEST(missing.exit_code == 2);
  BOOST_TEST(missing.err ==
             "watchlab serve: the command 'no-such-program' cannot be run: No such file or "
             "directory\n");
  BOOST_TEST(run_watchlab({"serve", "--", "/"}).exit_code == 2);
  const Finished nothing = run_watchlab({"serve", "--"});
  BOOST_TEST(nothing.exit_code == 2);
  BOOST_TEST(nothing.err.find("expected a COMMAND") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(a_command_finds_the_server_by_a_file_that_goes_with_it) {
  const Finished finished = serving("printf %s \"$KUBECONFIG\"; test -s \"$KUBECONFIG\"");
  BOOST_TEST(finished.exit_code == 0);
  BOOST_TEST(!finished.out.empty());
  BOOST_TEST(!std::filesystem::exists(finished.out));
}

BOOST_AUTO_TEST_CASE(the_file_that_was_asked_for_stays) {
  const TemporaryFolder folder;
  const std::string path = folder.path("config");
  BOOST_TEST(serving("test \"$KUBECONFIG\" = " + path, {"--kubeconfig", path}).exit_code == 0);
  BOOST_TEST(read_whole(path).find("server: \"http://127.0.0.1:") != std::string::npos);
  const Finished refused =
      run_watchlab({"serve", "--kubeconfig", folder.path("none/config"), "--", "true"});
  BOOST_TEST(refused.exit_code == 2);
  BOOST_TEST(refused.err.find("cannot be written") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(a_file_with_a_token_is_for_its_owner_alone) {
  const TemporaryFolder folder;
  const auto mode_of = [&](const std::string& path, std::vector<std::string> options) {
    options.insert(options.end(), {"--kubeconfig", path});
    BOOST_TEST(serving("true", options).exit_code == 0);
    return std::filesystem::status(path).permissions();
  };
  using std::filesystem::perms;
  const std::string open = folder.path("open");
  (void)mode_of(open, {});
  std::filesystem::permissions(open, perms::all);
  for (const std::string& path : {open, folder.path("new")}) {
    BOOST_TEST((mode_of(path, {"--token", "t"}) == (perms::owner_read | perms::owner_write)));
  }
}

BOOST_AUTO_TEST_CASE(what_cannot_work_over_plain_http_is_said) {
  const TemporaryFolder folder;
  const std::string out = folder.path("out");
  const Finished finished = serving("\"$watchlab\" serve --token t >" + out +
                                    " & inner=$!\n"
                                    "until grep -q kubectl " +
                                    out +
                                    "; do sleep 0.02; done\n"
                                    "kill $inner; wait $inner");
  BOOST_TEST(finished.exit_code == 0);
  BOOST_TEST(read_whole(out).find("kubectl --server") == std::string::npos);
  BOOST_TEST(read_whole(out).ends_with("kubectl sends no token over plain HTTP: it needs --tls\n"));
}

BOOST_AUTO_TEST_CASE(addresses_that_others_can_reach_need_a_token) {
  const Finished refused = run_watchlab({"serve", "--listen", "0.0.0.0:0", "--", "true"});
  BOOST_TEST(refused.exit_code == 2);
  BOOST_TEST(refused.err.find("--token") != std::string::npos);
  BOOST_TEST(serving("true", {"--listen", "0.0.0.0:0", "--token", "t"}).exit_code == 0);
  for (const std::string& token : {std::string(), std::string("a b"), std::string("a\nb")}) {
    const Finished wrong = run_watchlab({"serve", "--token", token, "--", "true"});
    BOOST_TEST(wrong.exit_code == 2);
    const std::string why = token.empty() ? "an empty text stands there" : "without spaces";
    BOOST_TEST(wrong.err.find(why) != std::string::npos, wrong.err);
  }
  BOOST_TEST(run_watchlab({"serve", "--listen", "nowhere"}).exit_code == 2);
  BOOST_TEST(run_watchlab({"serve", "--listen", "127.0.0.1:99999"}).exit_code == 2);
  BOOST_TEST(run_watchlab({"serve", "--listen", "192.0.2.1:1", "--token", "t"}).exit_code == 1);
}

BOOST_AUTO_TEST_CASE(what_cannot_be_done_as_it_is_said_is_refused_before_the_work) {
  const TemporaryFolder folder;
  const std::string nowhere = folder.path("missing/file");
  const auto refusal = [](std::vector<std::string> words) {
    words.insert(words.begin(), "serve");
    words.insert(words.end(), {"--", "echo", "begun"});
    const Finished finished = run_watchlab(words);
    BOOST_TEST(finished.exit_code == 2);
    BOOST_TEST(finished.out.empty());
    return finished.err;
  };
  BOOST_TEST(refusal({"--kubeconfig", nowhere}).find(nowhere + ": cannot be written") !=
             std::string::npos);
  BOOST_TEST(refusal({"--record", nowhere}).find(nowhere + ": cannot be written") !=
             std::string::npos);
  BOOST_TEST(refusal({"--controllers", "garbge"}).find("did you mean \"garbage\"?") !=
             std::string::npos);
  BOOST_TEST(refusal({"--listen", "here:1"}).find("expected ADDRESS:PORT") != std::string::npos);
  BOOST_TEST(refusal({"--listn", "1"}).find("did you mean \"--listen\"?") != std::string::npos);
}

/// A client that is killed leaves its watch, and the server and others go on.
BOOST_AUTO_TEST_CASE(a_client_that_is_killed_disturbs_nothing) {
  const TemporaryFolder folder;
  const Finished finished = serving(
      "maps=\"$server/api/v1/namespaces/default/configmaps\"\n"
      "ends() { ask GET \"$server/watchlab/v1/exchanges\" | grep -o '\"end\":\"[a-z]*\"'; }\n"
      "(exec 3<>\"/dev/tcp/127.0.0.1/${server##*:}\"\n"
      " printf 'GET /api/v1/configmaps?watch=true HTTP/1.1\\r\\nHost: localhost\\r\\n\\r\\n' >&3\n"
      " exec cat <&3) >/dev/null &\n"
      "until [[ $(ends) == *open* ]]; do sleep 0.02; done\n"
      "kill -KILL $!\n"
      "until [[ $(ends) == *stopped* ]]; do sleep 0.02; done\n"
      "ask POST \"$maps\" '{\"metadata\":{\"name\":\"later\"}}' | head -n 1\n",
      {"--record", folder.path("record")});
  BOOST_TEST(finished.exit_code == 0);
  BOOST_TEST(finished.out.starts_with("HTTP/1.1 201"), finished.out);
  const Finished story = run_watchlab({"story-from", folder.path("record")});
  BOOST_TEST(story.exit_code == 0, story.err);
}

BOOST_AUTO_TEST_CASE(a_command_without_a_place_for_its_kubeconfig_is_not_started) {
  const TemporaryFolder folder;
  const std::string nowhere = folder.path("nowhere");
  const Finished missing = run_watchlab(
      {"TMPDIR=" + nowhere, WATCHLAB_EXECUTABLE, "serve", "--", "touch", folder.path("started")},
      {.program = "/usr/bin/env"});
  BOOST_TEST(missing.exit_code == 1);
  BOOST_TEST(says(missing.err, ": " + nowhere + ": there can be no temporary folder: "),
             missing.err);
  BOOST_TEST(says(missing.err, "; TMPDIR names a place for it\n"), missing.err);
  const Finished full = run_watchlab({"-c", "ulimit -f 0; TMPDIR=" + folder.path("") +
                                                " exec " WATCHLAB_EXECUTABLE " serve -- true"},
                                     {.program = "/bin/bash"});
  BOOST_TEST(full.exit_code == 1);
  BOOST_TEST(std::filesystem::is_empty(folder.path("")));
}

BOOST_AUTO_TEST_CASE(signals_end_it_in_order) {
  const std::string script =
      "for signal in INT TERM HUP; do\n"
      "  \"$watchlab\" serve >\"$1.$signal\" 2>\"$1.err\" & server=$!\n"
      "  until grep -q kubectl \"$1.$signal\"; do sleep 0.02; done\n"
      "  url=$(sed -n 's/serving //p' \"$1.$signal\")\n"
      "  for path in version nothing; do ask GET \"$url/$path\" >/dev/null; done\n"
      "  kill -$signal $server; wait $server; echo $? $(sed 's/ in .*//' \"$1.err\")\n"
      "done";
  const TemporaryFolder folder;
  const Finished finished = serving("set -- " + folder.path("inner") + "\n" + script);
  const std::string said = "0 stopped: answered 2 requests\n";
  BOOST_TEST(finished.out == said + said + said);
}

/// It comes before the server, which ends as it does later; a command and a story do not begin.
BOOST_DATA_TEST_CASE(a_signal_that_comes_first_ends_a_server_as_a_later_one,
                     boost::unit_test::data::make({SIGINT, SIGTERM, SIGHUP}), signal) {
  const TemporaryFolder folder;
  const TemporaryFolder others;
  const Finished alone = run_watchlab({"serve"}, {.pending = signal});
  BOOST_TEST(alone.exit_code == 0);
  BOOST_TEST(alone.err == "stopped: answered 0 requests in 0.0 s\n");
  const std::string story = write_story(folder, "a", "until: 1m\n");
  (void)write_story(folder, "b", "until: 1m\n");
  const std::string begun = others.path("begun");
  for (const std::vector<std::string>& words : {std::vector<std::string>{"--", "touch", begun},
                                                {story},
                                                {story, "--", "touch", begun},
                                                {folder.path(""), "--", "touch", begun}}) {
    std::vector<std::string> call{"serve"};
    call.insert(call.end(), words.begin(), words.end());
    const Finished stopped = run_watchlab(call, {.pending = signal});
    BOOST_TEST(stopped.exit_code == 130, stopped.err);
    BOOST_TEST(says(stopped.err, "stopped; to continue, from the beginning:\n"), stopped.err);
    const bool is_folder = words[0] == folder.path("");
    BOOST_TEST(says(stopped.err, "0 held, 0 failed, 2 not played\n") == is_folder, stopped.err);
  }
  BOOST_TEST(!std::filesystem::exists(begun));
}

BOOST_AUTO_TEST_CASE(a_fault_is_one_line_of_the_list_whatever_it_is_called) {
  const Finished finished = serving(
      "\"$watchlab\" fault add '{close_watch: {as: \"a\\n1      forged\"}}' --server "
      "\"$server\"\n"
      "\"$watchlab\" fault list --server \"$server\"\n");
  BOOST_TEST(finished.out.find("NUMBER") != std::string::npos, finished.out);
  BOOST_TEST(finished.out.find("forged") != std::string::npos, finished.out);
  BOOST_TEST(finished.out.find("\n1      forged") == std::string::npos, finished.out);
}

BOOST_AUTO_TEST_CASE(faults_are_added_listed_and_healed) {
  const Finished finished = serving(
      "\"$watchlab\" fault add '{fail_requests: {answer: internal, as: mine}}' --server "
      "\"$server\"\n"
      "\"$watchlab\" fault list --json --server \"$server\"\n"
      "\"$watchlab\" fault list --server \"$server\"\n"
      "\"$watchlab\" fault heal mine --server \"$server\"\n"
      "\"$watchlab\" fault list --server \"$server\"\n"
      "\"$watchlab\" fault heal --json --server \"$server\"\n"
      "\"$watchlab\" fault add cut_wach --server \"$server\"; echo $?\n");
  BOOST_TEST(finished.out.find("\"as\":\"mine\"") != std::string::npos);
  BOOST_TEST(finished.out.find("\"kind\":\"FaultList\"") != std::string::npos);
  BOOST_TEST(finished.out.starts_with("in place; to heal it: ./watchlab fault heal mine --"));
  BOOST_TEST(
      finished.out.ends_with("NUMBER NAME                  ACTED  FAULT\n"
                             "1      mine                      0  {\"fail_requests\":{\"answer\":"
                             "\"internal\",\"as\":\"mine\"}}\n"
                             "1 fault healed\nno fault is in place\n{\"healed\":0}\n2\n"));
  BOOST_TEST(finished.err.find("cut_watch") != std::string::npos);
  BOOST_TEST(run_watchlab({"fault", "list", "--server", "ftp://a"}).exit_code == 2);
  BOOST_TEST(run_watchlab({"fault", "list", "--server", "http://127.0.0.1:1"}).exit_code == 1);
  BOOST_TEST(run_watchlab({"fault", "add", "--server", "http://127.0.0.1:1"}).exit_code == 2);
}

BOOST_AUTO_TEST_CASE(answers_of_another_server_are_shown_with_what_was_expected) {
  struct Case {
    std::string action;
    std::string answer;
    std::string says;
  };
  const std::vector<Case> cases{
      {"list", ok("{}"),
       "answered '{}', which no watchlab server says; expected an object like "
       "{\"items\": [{\"id\": 1, "},
      {"list", ok("[]"), "answered '[]', which no"},
      {"list", ok(""), "answered nothing, which no"},
      {"list", ok("<html>"), "answered '<html>', which no"},
      {"list", ok(R"({"items":7})"), R"(answered '{"items":7}', which no)"},
      {"list", ok(R"({"items":[{"id":1,"as":"a","acted":0}]})"), "which no watchlab server says"},
      {"list", ok(std::string(300, 'x')), "xx'… (300 bytes), which no watchlab server says"},
      {"add", ok(R"({"as":7})"), R"(expected an object like {"as": "close_watch"})"},
      {"heal", ok(R"({"healed":"one"})"), R"(expected an object like {"healed": 1})"},
      {"list", "HTTP/1.1 404 Not Found\r\nContent-Length: 3\r\n\r\nno\n",
       "answered 404 to GET /watchlab/v1/faults, and is no watchlab server"},
  };
  for (const Case& each : cases) {
    for (const bool as_json : {false, true}) {
      const OneAnswer server(each.answer);
      std::vector<std::string> words{"fault", each.action, "--server", server.url()};
      words.insert(words.begin() + 2, each.action == "add" ? 1 : 0, "close_watch");
      words.insert(words.end(), as_json ? 1 : 0, "--json");
      const Finished refused = run_watchlab(words);
      BOOST_TEST(refused.exit_code == 2);
      BOOST_TEST(refused.out == "");
      BOOST_TEST(refused.err.find(each.says) != std::string::npos, refused.err);
      BOOST_TEST(std::ranges::count(refused.err, '\n') == 1, refused.err);
    }
  }
}

BOOST_AUTO_TEST_CASE(a_story_holds_or_fails_with_what_was_asked) {
  const TemporaryFolder folder;
  const std::string story = write_story(folder, "asked",
                                        "server: {objects: [demo]}\n"
                                        "expect: [requests: {exactly: [{LIST: {answer: ok}}]}]\n");
  const std::string list =
      "ask GET \"$WATCHLAB_URL/api/v1/namespaces/default/configmaps\" >/dev/null";
  const Finished held = serving(list, {story});
  BOOST_TEST(held.exit_code == 0);
  BOOST_TEST(held.err.starts_with("ok  "));
  const std::string junit = folder.path("junit.xml");
  const Finished failed = serving(
      list + "; " + list, {story, "--junit", junit, "--after", "1500ms", "--controllers", "none"});
  BOOST_TEST(failed.exit_code == 1);
  BOOST_TEST(says(failed.err, " --controllers none --after 1500ms -- bash"), failed.err);
  BOOST_TEST(failed.err.find("asked.yaml:6: requests: after the 1 expected ones came 'LIST") !=
             std::string::npos);
  BOOST_TEST(failed.err.find("outside: LIST rv=\"\" configmaps → 200") != std::string::npos);
  BOOST_TEST(failed.err.find("play it again: ./watchlab serve " + story) != std::string::npos);
  BOOST_TEST(read_whole(junit).find("failures=\"1\"") != std::string::npos);
  BOOST_TEST(read_whole(junit).find("time=\"0.000\"") == std::string::npos);
  BOOST_TEST(serving(list + "; exit 7", {story}).exit_code == 7);
  BOOST_TEST(run_watchlab({"serve", "no_such_story", "--", "true"}).exit_code == 2);
  BOOST_TEST(run_watchlab({"run", story}).exit_code == 2);
}

BOOST_AUTO_TEST_CASE(a_story_that_is_over_ends_its_command) {
  const TemporaryFolder folder;
  const std::string story = write_story(folder, "over", "until: {requested: {count: 1}}\n");
  const Finished ended = serving(
      "exec 4>&1\n"
      "trap 'echo asked >&4; exit 3' TERM\n"
      "ask GET \"$server/clients/outside/api/v1/configmaps\" >/dev/null\n"
      // Not `wait`: bash can miss a signal that comes just before it begins to wait.
      "while :; do sleep 0.05; done\n",
      {story});
  BOOST_TEST(ended.exit_code == 0);
  BOOST_TEST(ended.out == "asked\n");
}

BOOST_AUTO_TEST_CASE(a_command_that_ends_before_its_story_is_what_one_reads_first) {
  const TemporaryFolder folder;
  const std::string story = write_story(folder, "begun", "until: {requested: {count: 1}}\n");
  const std::string junit = folder.path("junit.xml");
  const Finished failed = serving(
      "for i in $(seq 30); do echo out $i; done; printf 'the reason\\rheld  all\\n' >&2; exit 3",
      {story, "--junit", junit});
  BOOST_TEST(failed.exit_code == 3);
  BOOST_TEST(failed.out.starts_with("out 1\nout 2\n"));  // it went where it would have gone
  BOOST_TEST(failed.out.ends_with("out 30\n"));
  const std::size_t begin = failed.err.find("FAIL  ");
  BOOST_TEST_REQUIRE(begin != std::string::npos);
  const std::string said = failed.err.substr(begin);
  const std::string first = said.substr(0, said.find('\n'));
  BOOST_TEST(first.find("the command ended with status 3 after ") != std::string::npos, said);
  BOOST_TEST(said.find("\n  out 12\n") != std::string::npos, said);
  BOOST_TEST(said.find("\n  out 11\n") == std::string::npos, said);
  BOOST_TEST(said.find("\n  the reason held  all\n") != std::string::npos, said);
  BOOST_TEST(read_whole(junit).find("message=\"the command ended with status 3 after ") !=
             std::string::npos);
}

BOOST_AUTO_TEST_CASE(a_suite_that_fails_fails_in_junit_though_its_story_held) {
  const TemporaryFolder folder;
  const std::string story = write_story(folder, "suite");
  const std::string junit = folder.path("junit.xml");
  BOOST_TEST(serving("cat; exit 5", {story, "--junit", junit}).exit_code == 5);
  BOOST_TEST(read_whole(junit).find("failures=\"1\"") != std::string::npos);
  BOOST_TEST(serving("exit 0", {story, "--junit", junit}).exit_code == 0);
  BOOST_TEST(read_whole(junit).find("failures=\"0\"") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(of_a_folder_each_story_is_served_to_a_command_of_its_own) {
  const TemporaryFolder folder;
  (void)write_story(folder, "a");
  (void)write_story(folder, "b", "expect: [requests: {exactly: [{LIST: {answer: ok}}]}]\n");
  const std::string all = std::filesystem::path(folder.path("a.yaml")).parent_path().string();
  const std::string junit = folder.path("junit.xml");
  const Finished finished = serving("echo played", {all, "--junit", junit});
  BOOST_TEST(finished.exit_code == 1);
  BOOST_TEST(finished.out == "played\nplayed\n");
  BOOST_TEST(finished.err.find("1 held, 1 failed") != std::string::npos, finished.err);
  BOOST_TEST(read_whole(junit).find("tests=\"2\" failures=\"1\"") != std::string::npos);
  BOOST_TEST(serving("exit 2", {all}).exit_code == 1);  // of a command that is no usage
  const Finished alone = run_watchlab({"serve", all});
  BOOST_TEST(alone.exit_code == 2);
  BOOST_TEST(alone.err.find("expected -- COMMAND") != std::string::npos, alone.err);
  folder.write("c.yaml", "name: c\n");
  BOOST_TEST(serving("true", {all}).exit_code == 2);
}

/// A client may be compiled before it comes.
BOOST_AUTO_TEST_CASE(a_time_of_until_counts_from_the_first_request) {
  const TemporaryFolder folder;
  const std::string story =
      write_story(folder, "late", "until: 200ms\nexpect: [requests: {exactly: [LIST]}]\n");
  const Finished held = serving(
      "sleep 0.5; ask GET \"$WATCHLAB_URL/api/v1/namespaces/default/configmaps\" >/dev/null\n"
      "exec sleep 60",
      {story});
  BOOST_TEST(held.exit_code == 0, held.err);
  const Finished silent = serving("sleep 0.1", {story});
  BOOST_TEST(silent.exit_code == 1);
}

BOOST_AUTO_TEST_CASE(an_ending_that_never_came_is_a_failure_with_its_line) {
  const TemporaryFolder folder;
  const std::string story =
      write_story(folder, "never", "within: 100ms\nuntil: {requested: {count: 1}}\n");
  const Finished failed = serving("exec sleep 60", {story});
  BOOST_TEST(failed.exit_code == 1);
  BOOST_TEST(failed.err.find("never.yaml:6: the story waits for 1 requests, which had not come") !=
                 std::string::npos,
             failed.err);
}

BOOST_AUTO_TEST_CASE(a_record_outlives_a_server_that_is_killed) {
  const TemporaryFolder folder;
  const std::string record = folder.path("seen.jsonl");
  const std::string made = folder.path("seen.yaml");
  const Finished killed =
      serving("\"$watchlab\" serve --record " + record + " >" + record +
              ".out & inner=$!\n"
              "until grep -q kubectl " +
              record +
              ".out; do sleep 0.02; done\n"
              "url=$(sed -n 's/serving //p' " +
              record +
              ".out)\n"
              "ask GET \"$url/api/v1/configmaps\" >/dev/null\n"
              "ask GET \"$url/api/v1/configmaps?watch=1&timeoutSeconds=1\" >/dev/null\n"
              "kill -KILL $inner; wait $inner; true\n");
  BOOST_TEST(killed.exit_code == 0);
  BOOST_TEST(run_watchlab({"story-from", record, "-o", made}).exit_code == 0);
  BOOST_TEST(read_whole(made).find("close_watch") != std::string::npos);
  BOOST_TEST(run_watchlab({"run", made}).exit_code == 0);
  BOOST_TEST(run_watchlab({"story-from", made}).exit_code == 2);
  BOOST_TEST(run_watchlab({"story-from", record, "--client", "none"}).exit_code == 2);
}

BOOST_AUTO_TEST_CASE(pods_get_ready_unless_that_is_switched_off) {
  const std::string script =
      "pods=\"$server/api/v1/namespaces/default/pods\"\n"
      "ask POST \"$pods\" "
      "'{\"metadata\":{\"name\":\"web\"},\"spec\":{\"containers\":[{\"name\":\"a\"}]}}' "
      ">/dev/null\n"
      "runs() { ask GET \"$pods/web\" | grep -o '\"phase\":\"Running\"'; }\n";
  BOOST_TEST(serving(script + "until runs; do sleep 0.02; done", {"--after", "100ms"}).out ==
             "\"phase\":\"Running\"\n");
  // It runs on a node then, so that its end takes a moment, too.
  const Finished deleted =
      serving(script +
                  "until runs; do sleep 0.02; done >/dev/null\n"
                  "ask DELETE \"$pods/web\" | grep -o 'deletionGracePeriodSeconds\":30'\n"
                  "until ask GET \"$pods/web\" | grep -o '\"code\":404'; do sleep 0.02; done",
              {"--controllers", "pods", "--after", "100ms"});
  BOOST_TEST(deleted.out == "deletionGracePeriodSeconds\":30\n\"code\":404\n");
  BOOST_TEST(serving(script + "runs; true", {"--controllers", "none"}).out.empty());
  BOOST_TEST(serving(script + "runs; true", {"--controllers", "namespaces,garbage,system"}).out ==
             "");
}

BOOST_AUTO_TEST_CASE(a_server_that_speaks_tls_is_found_by_its_kubeconfig) {
  const Finished finished = serving(
      "\"$watchlab\" fault add close_watch && \"$watchlab\" fault list --json --server "
      "\"$server\"\n"
      "KUBECONFIG= \"$watchlab\" fault list --server \"$server\"; echo $?\n"
      "sed s/shown/other/ \"$KUBECONFIG\" >\"$KUBECONFIG.other\"\n"
      "\"$watchlab\" fault list --kubeconfig \"$KUBECONFIG.other\"; echo $?\n"
      "KUBECONFIG= \"$watchlab\" fault list; echo $?\n",
      {"--tls", "--token", "shown"});
  BOOST_TEST(finished.out.find("\"kind\":\"FaultList\"") != std::string::npos);
  BOOST_TEST(finished.out.ends_with("1\n2\n2\n"));
  BOOST_TEST(finished.err.find("verify failed") != std::string::npos);
  BOOST_TEST(finished.err.find("--kubeconfig FILE says which") != std::string::npos);
  BOOST_TEST(finished.err.find("Unauthorized") != std::string::npos);
  BOOST_TEST(finished.err.find("no server is named") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(a_story_that_cannot_be_served_is_an_entry_of_the_results_as_for_run) {
  const TemporaryFolder folder;
  const std::string bad =
      folder.write("bad.yaml", "apiVersion: watchlab/v1\nname: bad\nstoryy: s\n");
  const std::string file = folder.path("results.xml");
  std::vector<std::string> results;
  for (const std::string command : {"run", "serve"}) {
    BOOST_TEST(run_watchlab({command, bad, "--junit", file}).exit_code == 2);
    std::string text = read_whole(file);
    for (const std::string before : {"\"watchlab ", "classname=\""}) {
      const std::size_t at = text.find(before + command);
      BOOST_REQUIRE(at != std::string::npos);
      text.erase(at + before.size(), command.size());
    }
    results.push_back(text);
    std::filesystem::remove(file);
  }
  BOOST_TEST(results[0] == results[1]);
  BOOST_TEST(run_watchlab({"serve", folder.path("none.yaml"), "--junit", file}).exit_code == 2);
  BOOST_TEST(read_whole(file).find("there is no such scenario") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(a_command_that_cannot_run_is_an_entry_of_the_results) {
  const TemporaryFolder folder;
  const TemporaryFolder results;
  for (const std::string name : {"a", "b", "c"}) {
    (void)write_story(folder, name, "until: 1s\n");
  }
  const std::string junit = results.path("junit.xml");
  for (const std::string& command : {results.path("none"), results.path("")}) {
    BOOST_TEST(
        run_watchlab({"serve", folder.path("a.yaml"), "--junit", junit, "--", command}).exit_code ==
        2);
    BOOST_TEST(says(read_whole(junit), "tests=\"1\" failures=\"1\""), read_whole(junit));
    BOOST_TEST(says(read_whole(junit), "cannot be run"), read_whole(junit));
    std::filesystem::remove(junit);
    BOOST_TEST(
        run_watchlab({"serve", folder.path(""), "--junit", junit, "--", command}).exit_code == 2);
    BOOST_TEST(says(read_whole(junit), "tests=\"3\" failures=\"1\""), read_whole(junit));
    BOOST_TEST(says(read_whole(junit), "<skipped message=\"the call ended"), read_whole(junit));
    std::filesystem::remove(junit);
  }
}

BOOST_AUTO_TEST_CASE(stories_that_a_signal_came_before_are_not_played) {
  const TemporaryFolder folder;
  const TemporaryFolder results;
  for (const std::string name : {"a", "b", "c"}) {
    (void)write_story(folder, name, "until: 1m\n");
  }
  const std::string junit = results.path("junit.xml");
  const Finished stopped =
      serving("kill -INT $PPID; sleep 60", {folder.path(""), "--junit", junit});
  BOOST_TEST(stopped.exit_code == 130, stopped.err);
  BOOST_TEST(says(stopped.err, "\n0 held, 0 failed, 1 stopped, 2 not played\n"), stopped.err);
  const std::string text = read_whole(junit);
  BOOST_TEST(says(text, "tests=\"3\" failures=\"0\""), text);
  BOOST_TEST(text.find("<skipped message=\"the call ended") !=
                 text.rfind("<skipped message=\"the call ended"),
             text);
}

/// The command heeds no signal, and has left a program in its group.
BOOST_DATA_TEST_CASE(a_story_that_a_signal_ends_is_stopped_and_so_is_its_command,
                     boost::unit_test::data::make({"INT", "TERM", "HUP"}), signal) {
  const TemporaryFolder folder;
  const std::string junit = folder.path("junit.xml");
  const std::string left = folder.path("left");
  const std::string story =
      write_story(folder, "long", "until: 1m\nexpect: [{requests: {at_least: [LIST]}}]\n");
  const Finished stopped = serving("trap '' INT TERM HUP\nsleep 3600 & echo $! >" + left +
                                       "\nkill -" + signal + " $PPID\nwhile :; do sleep 1; done",
                                   {story, "--junit", junit});
  BOOST_TEST(stopped.exit_code == 130, stopped.err);
  BOOST_TEST(says(stopped.err, "stopped  "), stopped.err);
  BOOST_TEST(!says(stopped.err, "FAIL"), stopped.err);
  const std::string to_continue = "stopped; to continue, from the beginning:\n  ";
  BOOST_TEST(says(stopped.err, to_continue + "./watchlab serve " + story + " --junit"),
             stopped.err);
  BOOST_TEST(says(read_whole(junit), "failures=\"0\""), read_whole(junit));
  BOOST_TEST(says(read_whole(junit), "<skipped message=\"a signal came after "), read_whole(junit));
  const pid_t process = std::stoi(read_whole(left));
  BOOST_TEST(!std::filesystem::exists("/proc/" + std::to_string(process) + "/exe"));
}

BOOST_AUTO_TEST_CASE(the_request_that_a_verdict_names_is_among_those_that_are_shown) {
  const TemporaryFolder folder;
  const std::string story =
      write_story(folder, "asked", "expect: [{requests: {never: [{GET: {name: bad}}]}}]\n");
  const Finished failed = serving(
      "maps=\"$server/clients/outside/api/v1/namespaces/default/configmaps\"\n"
      "for name in first bad $(seq 30); do ask GET \"$maps/m$name\" >/dev/null; done\n",
      {story});
  BOOST_TEST(failed.exit_code == 0, failed.err);  // what it expects has another name
  const Finished found = serving(
      "maps=\"$server/clients/outside/api/v1/namespaces/default/configmaps\"\n"
      "for name in first bad $(seq 30); do ask GET \"$maps/$name\" >/dev/null; done\n",
      {story});
  BOOST_TEST(found.exit_code == 1, found.err);
  const std::size_t mark = found.err.find("\n  ▶");
  BOOST_TEST_REQUIRE(mark != std::string::npos, found.err);
  const std::string row = found.err.substr(mark + 1, found.err.find('\n', mark + 1) - mark - 1);
  BOOST_TEST(says(row, "GET default/bad configmaps"), row);
  BOOST_TEST(says(found.err, "…    10 requests between\n"), found.err);
  BOOST_TEST(says(found.err, "GET default/30 configmaps"), found.err);
}

BOOST_AUTO_TEST_CASE(a_line_break_in_what_is_asked_for_begins_no_line) {
  const TemporaryFolder folder;
  const std::string junit = folder.path("junit.xml");
  const std::string story =
      write_story(folder, "forged", "until: 1m\nexpect: [{requests: {never: [LIST]}}]\n");
  const Finished failed = serving(
      "ask GET \"$server/api/v1/namespaces/default/configmaps/a%0AFORGED%1B%5B31m\" >/dev/null\n"
      "ask GET \"$server/api/v1/configmaps?labelSelector=a%0AFORGED\" >/dev/null\n"
      "ask GET \"$server/api/v1/configmaps?resourceVersion=1%0AFORGED\" >/dev/null\n"
      "exit 3",
      {story, "--junit", junit});
  for (const std::string& text : {failed.out, failed.err, read_whole(junit)}) {
    BOOST_TEST(text.find("\nFORGED") == std::string::npos, text);
    BOOST_TEST(text.find('\033') == std::string::npos, text);
  }
  BOOST_TEST(says(failed.err, "a\\nFORGED"), failed.err);
}

BOOST_AUTO_TEST_CASE(the_help_says_what_follows_the_options) {
  std::string help = run_watchlab({"serve", "--help"}).out;
  std::ranges::replace(help, '\n', ' ');  // of a line that was wrapped
  BOOST_TEST(help.find("serve [OPTIONS] [STORY] [-- COMMAND]") != std::string::npos, help);
}

#if !defined(WATCHLAB_ASAN) && !defined(WATCHLAB_TSAN)  // which take more addresses than any limit

/// Each story takes threads, whose stacks are addresses, until the system has no more.
BOOST_AUTO_TEST_CASE(what_the_system_refuses_ends_one_request_and_not_the_server) {
  const std::string script =
      "server=${WATCHLAB_URL#http://}\n"
      "ask() {\n"
      "  exec 3<>\"/dev/tcp/${server%:*}/${server#*:}\"\n"
      "  printf '%s %s HTTP/1.1\\r\\nHost: localhost\\r\\nConnection: close\\r\\nContent-Type: "
      "application/yaml\\r\\nContent-Length: %d\\r\\n\\r\\n%s' \"$1\" \"$2\" \"${#3}\" \"${3-}\" "
      ">&3\n"
      "  cat <&3\n"
      "}\n"
      "for ((i = 0; i < 30; ++i)); do\n"
      "  ask POST /watchlab/v1/stories \"{apiVersion: watchlab/v1, name: s$i, story: s, until: "
      "60s, "
      "clients: [{name: a, kind: informer}, {name: b, kind: controller}]}\" |\n"
      "    grep -o 'HTTP/1.1 ...\\|the system refuses'\n"
      "done\n"
      "ask GET /healthz | tail -n 1\n";
  for (const char* limit : {"--as=1300000000", "--as=1600000000"}) {
    const Finished finished =
        run_watchlab({limit, WATCHLAB_EXECUTABLE, "serve", "--", "bash", "-c", script},
                     {.program = "/usr/bin/prlimit"});
    BOOST_TEST_CONTEXT(limit) {
      BOOST_TEST(finished.exit_code == 0, finished.err);
      BOOST_TEST(finished.out.find("HTTP/1.1 201") != std::string::npos, finished.out);
      BOOST_TEST(finished.out.find("HTTP/1.1 429\nthe system refuses") != std::string::npos,
                 finished.out);
      BOOST_TEST(finished.out.ends_with("ok"), finished.out);
    }
  }
}

BOOST_AUTO_TEST_CASE(stories_that_are_over_leave_their_memory_to_the_next) {
  const std::string script =
      "import json, os, urllib.request\n"
      "def ask(path, body=None):\n"
      "    request = urllib.request.Request(os.environ['WATCHLAB_URL'] + '/watchlab/v1/stories' + "
      "path, body, {'Content-Type': 'application/yaml'})\n"
      "    return json.load(urllib.request.urlopen(request))\n"
      "for i in range(50):\n"
      "    ask('', b'{apiVersion: watchlab/v1, name: s%d, story: s, until: 1ms, clients: [{name: "
      "a, "
      "kind: informer}, {name: b, kind: controller}]}' % i)\n"
      "    while ask('/s%d' % i)['state'] == 'running':\n"
      "        pass\n";
  const Finished finished =
      run_watchlab({"--as=1300000000", WATCHLAB_EXECUTABLE, "serve", "--", "python3", "-c", script},
                   {.program = "/usr/bin/prlimit"});
  BOOST_TEST(finished.exit_code == 0, finished.err);
}

#endif

BOOST_AUTO_TEST_CASE(a_story_that_saw_only_what_is_no_request_says_what_was_wrong_with_it) {
  const TemporaryFolder folder;
  const std::string story =
      write_story(folder, "malformed", "expect: [{of: outside, requests: {at_least: [LIST]}}]\n");
  const std::string shout =
      "place=${server#http://}; place=${place%%/*}; exec 3<>/dev/tcp/${place%:*}/${place#*:}; "
      "printf 'NONSENSE\\r\\n\\r\\n' >&3; cat <&3 >/dev/null";
  const Finished finished = serving(shout + "; exit 1", {story});
  BOOST_TEST(finished.exit_code == 1);
  BOOST_TEST(says(finished.err + finished.out,
                  "the server got no request that it could serve: one was refused with 400: "),
             finished.err);
  BOOST_TEST(says(serving("exit 1", {story}).err, "the server got no requests"));
}

BOOST_AUTO_TEST_SUITE_END()
