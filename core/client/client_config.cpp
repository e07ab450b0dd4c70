#include "core/client/client_config.hpp"

#include <fmt/format.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>
#include <optional>
#include <string_view>
#include <utility>

#include "core/client/url.hpp"

namespace watchlab::client {

namespace {

api::Error config_error(std::string message) {
  return {.kind = api::ErrorKind::Other, .message = std::move(message), .status = {}};
}

/// Calls `take` with each piece between the separators, without spaces around it.
template <typename Take>
void each_part(std::string_view text, char separator, Take take) {
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(separator), text.size());
    std::string_view part = text.substr(0, end);
    part.remove_prefix(std::min(part.find_first_not_of(' '), part.size()));
    part = part.substr(0, part.find_last_not_of(' ') + 1);
    if (!part.empty()) {
      take(part);
    }
    text.remove_prefix(std::min(end + 1, text.size()));
  }
}

bool is_loopback(std::string_view host) {
  return host == "localhost" || host == "::1" || host.starts_with("127.");
}

/// Whether NO_PROXY names the host: as it is, by a domain that it ends with, or by "*".
bool is_exempt(std::string_view host, std::string_view exempt) {
  bool found = false;
  each_part(exempt, ',', [&](std::string_view part) {
    if (part.starts_with("*.")) {
      part.remove_prefix(1);
    }
    const bool is_domain = part.starts_with('.');
    const std::string_view name = is_domain ? part.substr(1) : part;
    const bool below = host.size() > name.size() && host.ends_with(name) &&
                       host[host.size() - name.size() - 1] == '.';
    found = found || part == "*" || below || (!is_domain && host == name);
  });
  return found;
}

}  // namespace

Environment process_environment() {
  return [](const std::string& name) {
    const char* const value = std::getenv(name.c_str());
    return std::string(value == nullptr ? "" : value);
  };
}

api::Result<std::string> read_file(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::string content((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
  if (!file.is_open() || file.bad()) {
    return config_error(fmt::format("{}: cannot be read: {}", path, std::strerror(errno)));
  }
  return content;
}

api::Result<ClientConfig> in_cluster_config(const Environment& environment,
                                            const std::string& folder) {
  const std::string host = environment("KUBERNETES_SERVICE_HOST");
  const std::string port = environment("KUBERNETES_SERVICE_PORT");
  if (host.empty() || port.empty()) {
    return config_error(
        "this is no pod of a cluster: KUBERNETES_SERVICE_HOST and KUBERNETES_SERVICE_PORT are not "
        "set");
  }
  ClientConfig config;
  const bool is_ipv6 = host.find(':') != std::string::npos;
  config.server = fmt::format("https://{}:{}", is_ipv6 ? "[" + host + "]" : host, port);
  config.token_file = folder + "/token";
  if (const api::Result<std::string> token = read_file(config.token_file); !token) {
    return token.error();
  }
  api::Result<std::string> authority = read_file(folder + "/ca.crt");
  if (!authority) {
    return authority.error();
  }
  config.authority = *std::move(authority);
  if (api::Result<std::string> named = read_file(folder + "/namespace"); named) {
    config.namespace_ = *std::move(named);
  }
  return config;
}

api::Result<ClientConfig> default_config(const Environment& environment,
                                         const std::string& context) {
  std::vector<std::string> files;
  each_part(environment("KUBECONFIG"), ':',
            [&](std::string_view file) { files.emplace_back(file); });
  if (!files.empty()) {
    return config_from_kubeconfig(files, context);
  }
  if (!environment("KUBERNETES_SERVICE_HOST").empty()) {
    return in_cluster_config(environment);
  }
  return config_from_kubeconfig({environment("HOME") + "/.kube/config"}, context);
}

std::string proxy_for(const std::string& server, const Environment& environment) {
  const std::optional<ServerUrl> url = server_url_from(server);
  const auto either = [&](const std::string& small, const std::string& large) {
    const std::string value = environment(large);
    return value.empty() ? environment(small) : value;
  };
  if (!url || is_loopback(url->host) || is_exempt(url->host, either("no_proxy", "NO_PROXY"))) {
    return "";
  }
  return url->tls ? either("https_proxy", "HTTPS_PROXY") : either("http_proxy", "HTTP_PROXY");
}

}  // namespace watchlab::client
