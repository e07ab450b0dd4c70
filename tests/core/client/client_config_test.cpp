#include "core/client/client_config.hpp"

#include <unistd.h>

#include <boost/test/unit_test.hpp>
#include <filesystem>
#include <fstream>
#include <map>
#include <string>

using namespace watchlab;
using namespace watchlab::client;

BOOST_AUTO_TEST_SUITE(client_config_test)

namespace {

/// A folder that goes with the case.
struct Folder {
  Folder() { std::filesystem::create_directories(path); }
  ~Folder() { std::filesystem::remove_all(path); }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;

  std::string write(const std::string& name, const std::string& text) const {
    std::ofstream(path / name) << text;
    return (path / name).string();
  }

  std::filesystem::path path = std::filesystem::temp_directory_path() /
                               ("watchlab-client-config-" + std::to_string(::getpid()));
};

const std::string kTwo = R"(
apiVersion: v1
kind: Config
current-context: home
contexts:
- name: home
  context: {cluster: near, user: me, namespace: mine}
- name: away
  context: {cluster: far, user: robot}
clusters:
- name: near
  cluster: {server: "https://10.0.0.1:6443", certificate-authority: ca.pem}
- name: far
  cluster: {server: "http://far", certificate-authority-data: Y2E=, tls-server-name: other}
users:
- name: me
  user: {client-certificate: me.pem, client-key-data: a2V5}
- name: robot
  user: {tokenFile: robot.token}
)";

Environment environment(std::map<std::string, std::string> values) {
  return [values = std::move(values)](const std::string& name) {
    const auto found = values.find(name);
    return found == values.end() ? std::string() : found->second;
  };
}

/// The message about a file whose user is that, without the path.
std::string error_about(const Folder& folder, const std::string& user) {
  const std::string file =
      folder.write("config",
                   "current-context: c\ncontexts: [{name: c, context: {cluster: c, user: u}}]\n"
                   "clusters: [{name: c, cluster: {server: \"http://a\"}}]\n"
                   "users:\n- name: u\n  user:\n    " +
                       user + "\n");
  const api::Result<ClientConfig> config = config_from_kubeconfig({file});
  return config ? "" : config.error().message.substr(file.size());
}

}  // namespace

BOOST_AUTO_TEST_CASE(a_context_says_which_cluster_and_which_user) {
  const Folder folder;
  folder.write("ca.pem", "authority");
  folder.write("me.pem", "certificate");
  const std::string file = folder.write("config", kTwo);
  const ClientConfig home = *config_from_kubeconfig({file});
  BOOST_TEST(home.server == "https://10.0.0.1:6443");
  BOOST_TEST(home.authority == "authority");
  BOOST_TEST(home.certificate == "certificate");
  BOOST_TEST(home.key == "key");
  BOOST_TEST(home.namespace_ == "mine");
  const ClientConfig away = *config_from_kubeconfig({file}, "away");
  BOOST_TEST(away.authority == "ca");
  BOOST_TEST(away.server_name == "other");
  BOOST_TEST(away.token_file == (folder.path / "robot.token").string());
}

BOOST_AUTO_TEST_CASE(of_several_files_the_first_that_has_something_counts) {
  const Folder folder;
  const std::string first = folder.write("first", R"(
current-context: away
users: [{name: robot, user: {token: first}}]
)");
  const std::string second = folder.write("second", kTwo);
  const ClientConfig config =
      *config_from_kubeconfig({(folder.path / "absent").string(), first, second});
  BOOST_TEST(config.server == "http://far");
  BOOST_TEST(config.token == "first");
}

BOOST_AUTO_TEST_CASE(a_name_is_not_the_beginning_of_another) {
  const Folder folder;
  const std::string file = folder.write("config", R"(
contexts:
- {name: web-2, context: {cluster: web-2, user: web-2}}
- {name: web, context: {cluster: web, user: web}}
clusters:
- {name: web-2, cluster: {server: "http://second"}}
- {name: web, cluster: {server: "http://first"}}
users:
- {name: web-2, user: {token: second}}
- {name: web, user: {token: first}}
)");
  BOOST_TEST(config_from_kubeconfig({file}, "web")->server == "http://first");
  BOOST_TEST(config_from_kubeconfig({file}, "web")->token == "first");
  BOOST_TEST(config_from_kubeconfig({file}, "web-2")->token == "second");
  BOOST_TEST(!config_from_kubeconfig({file}, "we"));
}

BOOST_AUTO_TEST_CASE(what_cannot_be_used_is_said_with_its_place) {
  const Folder folder;
  const std::string plugin = error_about(folder, "exec: {command: aws}");
  BOOST_TEST(
      plugin.starts_with(":7:11: the credentials of user 'u' come from a plugin (exec aws)"));
  BOOST_TEST(error_about(folder, "client-certificate-data: \"?\"")
                 .starts_with(":7:30: client-certificate-data is no base64"));
  BOOST_TEST(error_about(folder, "client-key-data: a2V5").find("one of them is missing") !=
             std::string::npos);
  BOOST_TEST(error_about(folder, "client-key: absent.pem").find("absent.pem: cannot be read") !=
             std::string::npos);
  BOOST_TEST(error_about(folder, "token: [a").starts_with(":"));
  BOOST_TEST(error_about(folder, "as: root").find("to act as another user") != std::string::npos);
  BOOST_TEST(error_about(folder, "token: a") == "");
  const std::string file = folder.write("two", kTwo);
  BOOST_TEST(config_from_kubeconfig({file}, "work").error().message ==
             file + ": there is no context 'work'; there are: home, away");
  BOOST_TEST(config_from_kubeconfig({"/absent/config"})
                 .error()
                 .message.starts_with("/absent/config: cannot be read"));
}

BOOST_AUTO_TEST_CASE(a_pod_finds_everything_in_itself) {
  const Folder folder;
  folder.write("token", "secret\n");
  folder.write("ca.crt", "authority");
  folder.write("namespace", "apps");
  const Environment pod =
      environment({{"KUBERNETES_SERVICE_HOST", "fd00::1"}, {"KUBERNETES_SERVICE_PORT", "443"}});
  const ClientConfig config = *in_cluster_config(pod, folder.path.string());
  BOOST_TEST(config.server == "https://[fd00::1]:443");
  BOOST_TEST(config.authority == "authority");
  BOOST_TEST(config.namespace_ == "apps");
  BOOST_TEST(config.token_file == (folder.path / "token").string());
  BOOST_TEST(in_cluster_config(environment({}))
                 .error()
                 .message.starts_with("this is no pod of a cluster"));
}

BOOST_AUTO_TEST_CASE(the_environment_says_which_configuration_is_meant) {
  const Folder folder;
  const std::string file = folder.write("config", kTwo);
  const ClientConfig config = *default_config(environment({{"KUBECONFIG", file}}), "away");
  BOOST_TEST(config.server == "http://far");
  const std::string before = folder.write("before", "current-context: away\n");
  const auto both = default_config(environment({{"KUBECONFIG", before + ":" + file}}));
  BOOST_REQUIRE(both.ok());
  BOOST_TEST(both->server == "http://far");
  const auto at_home = default_config(environment({{"HOME", folder.path.string()}}));
  BOOST_TEST(at_home.error().message.find(".kube/config: cannot be read") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(the_environment_says_which_proxy_is_on_the_way) {
  const Environment set = environment({{"HTTPS_PROXY", "http://proxy:3128"},
                                       {"http_proxy", "http://small:80"},
                                       {"NO_PROXY", "10.0.0.1, .inside,example.org"}});
  BOOST_TEST(proxy_for("https://far", set) == "http://proxy:3128");
  BOOST_TEST(proxy_for("http://far", set) == "http://small:80");
  for (const std::string exempt : {"10.0.0.1", "a.inside", "example.org", "a.example.org",
                                   "localhost", "127.0.0.1", "[::1]"}) {
    BOOST_TEST(proxy_for("https://" + exempt + ":6443", set) == "", exempt);
  }
  BOOST_TEST(proxy_for("https://inside", set) != "");
  BOOST_TEST(proxy_for("https://notexample.org", set) != "");
}

BOOST_AUTO_TEST_SUITE_END()
