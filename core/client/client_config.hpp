#pragma once

#include <functional>
#include <string>
#include <vector>

#include "core/api/result.hpp"

namespace watchlab::client {

/// A server's address, whom the client trusts, and its credentials.
struct ClientConfig {
  std::string server;         ///< "https://10.0.0.1:6443", possibly with a path
  std::string namespace_{};   ///< the default namespace; "" for "default"
  std::string authority{};    ///< the only trusted CAs, PEM; "" for the system's
  std::string server_name{};  ///< the name that the server's certificate must have; "" for its host
  bool insecure = false;      ///< trust any server
  std::string certificate{};  ///< the client's own, PEM; "" for none
  std::string key{};          ///< the key of that certificate
  std::string token{};        ///< `Authorization: Bearer`; "" for none
  std::string token_file{};   ///< instead of `token`: a file whose token may be replaced
  std::string username{};     ///< for basic authentication; "" for none
  std::string password{};     ///< for basic authentication
  std::string proxy{};        ///< "http://proxy:3128"; "" for the one in the environment
  std::string user_agent = "watchlab-client";
};

/// The value of an environment variable; "" for none.
using Environment = std::function<std::string(const std::string& name)>;
/// The process's environment.
[[nodiscard]] Environment process_environment();

/// The configuration in kubeconfig files for a context; "" for the current one. If several files
/// set something, the first one counts. Names of other files are relative to the file that contains
/// them.
///
/// Errors are messages for people, with the file and, if known, the line: a missing file, invalid
/// YAML, an undefined context, cluster or user, invalid base64. Credentials from a plugin (`exec`,
/// `auth-provider`) are refused, because plugins are not run. Mirrors client-go tools/clientcmd, as
/// far as it is about one client.
[[nodiscard]] api::Result<ClientConfig> config_from_kubeconfig(
    const std::vector<std::string>& files, const std::string& context = "");

/// What a pod finds in its container: the server in the environment; the CA, namespace and token in
/// files. Mirrors client-go rest, InClusterConfig.
[[nodiscard]] api::Result<ClientConfig> in_cluster_config(
    const Environment& environment = process_environment(),
    const std::string& folder = "/var/run/secrets/kubernetes.io/serviceaccount");

/// For a program that runs by hand or in a pod: the files in KUBECONFIG if it is set, otherwise the
/// pod's configuration, otherwise ~/.kube/config.
[[nodiscard]] api::Result<ClientConfig> default_config(
    const Environment& environment = process_environment(), const std::string& context = "");

/// The proxy for a server, from the environment: HTTPS_PROXY or HTTP_PROXY, unless NO_PROXY names
/// the host; lowercase names work, too. "" for none. A loopback host has none. Mirrors Go net/http,
/// ProxyFromEnvironment.
[[nodiscard]] std::string proxy_for(const std::string& server, const Environment& environment);

/// The whole contents of a file.
[[nodiscard]] api::Result<std::string> read_file(const std::string& path);

}  // namespace watchlab::client
