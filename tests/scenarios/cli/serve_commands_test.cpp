#include <boost/test/unit_test.hpp>
#include <filesystem>
#include <string>

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
      "\nserver=$(sed -n 's/.*server: \"\\(.*\\)\".*/\\1/p' \"$KUBECONFIG\")\n";
  words.insert(words.end(), {"--", "sh", "-c", setup + script});
  return run_watchlab(words);
}

}  // namespace

BOOST_AUTO_TEST_CASE(it_ends_with_the_status_of_its_command) {
  BOOST_TEST(serving("exit 0").exit_code == 0);
  BOOST_TEST(serving("exit 7").exit_code == 7);
  BOOST_TEST(serving("kill -KILL $$").exit_code == 137);
  const Finished missing = run_watchlab({"serve", "--", "no-such-program"});
  BOOST_TEST(missing.exit_code == 1);
  BOOST_TEST(missing.err.find("no-such-program") != std::string::npos);
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
  BOOST_TEST(refused.exit_code == 1);
  BOOST_TEST(refused.err.find("cannot be written") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(addresses_that_others_can_reach_need_a_token) {
  const Finished refused = run_watchlab({"serve", "--listen", "0.0.0.0:0", "--", "true"});
  BOOST_TEST(refused.exit_code == 2);
  BOOST_TEST(refused.err.find("--token") != std::string::npos);
  BOOST_TEST(serving("true", {"--listen", "0.0.0.0:0", "--token", "t"}).exit_code == 0);
  BOOST_TEST(run_watchlab({"serve", "--listen", "nowhere"}).exit_code == 2);
  BOOST_TEST(run_watchlab({"serve", "--listen", "127.0.0.1:99999"}).exit_code == 2);
  BOOST_TEST(run_watchlab({"serve", "--listen", "192.0.2.1:1", "--token", "t"}).exit_code == 1);
}

BOOST_AUTO_TEST_CASE(signals_end_it_in_order) {
  const std::string script =
      "for signal in INT TERM; do\n"
      "  \"$watchlab\" serve >\"$1.out\" & server=$!\n"
      "  until grep -q kubectl \"$1.out\"; do sleep 0.02; done\n"
      "  kill -$signal $server; wait $server; echo $?\n"
      "done";
  const TemporaryFolder folder;
  const Finished finished = serving("set -- " + folder.path("inner") + "\n" + script);
  BOOST_TEST(finished.out == "0\n0\n");
}

BOOST_AUTO_TEST_CASE(faults_are_added_listed_and_healed) {
  const Finished finished = serving(
      "\"$watchlab\" fault add '{fail_requests: {answer: internal, as: mine}}' --server "
      "\"$server\"\n"
      "\"$watchlab\" fault list --server \"$server\"\n"
      "\"$watchlab\" fault heal mine --server \"$server\"\n"
      "\"$watchlab\" fault add cut_wach --server \"$server\"; echo $?\n");
  BOOST_TEST(finished.out.find("\"as\":\"mine\"") != std::string::npos);
  BOOST_TEST(finished.out.find("\"kind\":\"FaultList\"") != std::string::npos);
  BOOST_TEST(finished.out.find("{\"healed\":1}\n2\n") != std::string::npos);
  BOOST_TEST(finished.err.find("cut_watch") != std::string::npos);
  BOOST_TEST(run_watchlab({"fault", "list", "--server", "ftp://a"}).exit_code == 2);
  BOOST_TEST(run_watchlab({"fault", "list", "--server", "http://127.0.0.1:1"}).exit_code == 1);
  BOOST_TEST(run_watchlab({"fault", "add", "--server", "http://127.0.0.1:1"}).exit_code == 2);
}

BOOST_AUTO_TEST_CASE(a_server_that_speaks_tls_is_found_by_its_kubeconfig) {
  const Finished finished = serving(
      "\"$watchlab\" fault add close_watch && \"$watchlab\" fault list --server \"$server\"\n"
      "KUBECONFIG= \"$watchlab\" fault list --server \"$server\"; echo $?\n"
      "sed s/shown/other/ \"$KUBECONFIG\" >\"$KUBECONFIG.other\"\n"
      "\"$watchlab\" fault list --kubeconfig \"$KUBECONFIG.other\"; echo $?\n"
      "KUBECONFIG= \"$watchlab\" fault list; echo $?\n",
      {"--tls", "--token", "shown"});
  BOOST_TEST(finished.out.find("\"kind\":\"FaultList\"") != std::string::npos);
  BOOST_TEST(finished.out.ends_with("1\n2\n2\n"));
  BOOST_TEST(finished.err.find("verify failed") != std::string::npos);
  BOOST_TEST(finished.err.find("Unauthorized") != std::string::npos);
  BOOST_TEST(finished.err.find("no server is named") != std::string::npos);
}

BOOST_AUTO_TEST_SUITE_END()
