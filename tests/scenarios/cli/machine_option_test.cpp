#include <boost/test/unit_test.hpp>
#include <string>

#include "tests/scenarios/cli/process.hpp"

using namespace watchlab::tests;

BOOST_AUTO_TEST_SUITE(machine_option_test)

namespace {

bool says(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

/// The schedule in the line that a failure prints.
std::string schedule_in(const std::string& text) {
  const std::size_t begin = text.find("--schedule '") + 12;
  return text.substr(begin, text.find('\'', begin) - begin);
}

}  // namespace

BOOST_AUTO_TEST_CASE(all_clients_of_a_file_can_be_put_on_one_machine) {
  const std::string two = "scenarios/relist/relist_on_two_machines.yaml";
  BOOST_TEST(run_watchlab({"run", two}).exit_code == 0);
  const Finished in_order = run_watchlab({"run", two, "--machine", "0.33"});
  BOOST_TEST(in_order.exit_code == 1);
  BOOST_TEST(says(in_order.err, "handler calls of classic: number 3"), in_order.err);
  const Finished again = run_watchlab({"replay", two, "--schedule", schedule_in(in_order.err)});
  BOOST_TEST(again.exit_code == 1);
  BOOST_TEST(says(again.out, "with all clients on the machine 0.33"), again.out);
  BOOST_TEST(run_watchlab({"run", "missed_delete", "--machine", "0.33"}).exit_code == 0);
  BOOST_TEST(run_watchlab({"run", "missed_delete", "--machine", "0.35"}).exit_code == 2);
  const TemporaryFolder folder;
  BOOST_TEST(run_watchlab({"run", "missed_delete", "--machine", "0.33", "--transcript",
                           folder.path("t.json")})
                 .exit_code == 2);
  const std::string failing =
      folder.write("failing.yaml",
                   "apiVersion: watchlab/v1\nname: failing\nstory: s\nserver: {objects: [a]}\n"
                   "clients: [{name: x, kind: informer, failures: 1}]\n");
  BOOST_TEST(run_watchlab({"run", failing}).exit_code == 0);
  const Finished refused = run_watchlab({"run", failing, "--machine", "0.33"});
  BOOST_TEST(refused.exit_code == 2);
  BOOST_TEST(says(refused.err, "take nothing back"), refused.err);
}

BOOST_AUTO_TEST_SUITE_END()
