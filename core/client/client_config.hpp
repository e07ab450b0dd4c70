#pragma once

#include <functional>
#include <string>
#include <vector>

#include "core/api/result.hpp"

namespace watchlab::client {

/// Where a server is, what the client trusts, and who it says it is.
struct ClientConfig {
  std::string server;         ///< "https://10.0.0.1:6443", perhaps with a path
  std::string namespace_{};   ///< that a person means who names none; "" for "default"
  std::string authority{};    ///< the only ones that are trusted, PEM; "" for the system's
  std::string server_name{};  ///< that the server's certificate must have; "" for its host
  bool insecure = false;      ///< trusts any server
  std::string certificate{};  ///< the client's own, PEM; "" for none
  std::string key{};          ///< of that certificate
  std::string token{};        ///< `Authorization: Bearer`; "" for none
  std::string token_file{};   ///< instead: holds a token that is replaced from time to time
  std::string username{};     ///< of basic authentication; "" for none
  std::string password{};     ///< the same
  std::string proxy{};        ///< "http://proxy:3128"; "" for what the environment says
  std::string user_agent = "watchlab-client";
};

/// The value of an environment variable; "" for none.
using Environment = std::function<std::string(const std::string& name)>;
/// That of the process.
[[nodiscard]] Environment process_environment();

/// What a kubeconfig file says about a context; "" for its current one. Of several files, the first
/// that has something counts, and names of other files are relative to the file that has them.
///
/// Errors are messages for people, with the file and where there is one the line: a file that is
/// not there, what is no YAML, a context, cluster or user that is not defined, base64 that is none;
/// credentials that a plugin would have to make (`exec`, `auth-provider`) are refused, because
/// plugins are not run.
/// Mirrors client-go tools/clientcmd, as far as it is about one client.
[[nodiscard]] api::Result<ClientConfig> config_from_kubeconfig(
    const std::vector<std::string>& files, const std::string& context = "");

/// What a pod finds in itself: the server in its environment, the authority, namespace and token in
/// files. Mirrors client-go rest, InClusterConfig.
[[nodiscard]] api::Result<ClientConfig> in_cluster_config(
    const Environment& environment = process_environment(),
    const std::string& folder = "/var/run/secrets/kubernetes.io/serviceaccount");

/// What a program wants that is started by hand and in a pod: the files of KUBECONFIG if it is set,
/// else what a pod has, else ~/.kube/config.
[[nodiscard]] api::Result<ClientConfig> default_config(
    const Environment& environment = process_environment(), const std::string& context = "");

/// The proxy on the way to a server, as the environment says: HTTPS_PROXY or HTTP_PROXY, unless
/// NO_PROXY names the host; the names may be written in small letters. "" for none. A loopback host
/// has none. Mirrors Go net/http, ProxyFromEnvironment.
[[nodiscard]] std::string proxy_for(const std::string& server, const Environment& environment);

/// The whole content of a file.
[[nodiscard]] api::Result<std::string> read_file(const std::string& path);

}  // namespace watchlab::client
