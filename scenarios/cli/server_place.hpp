#pragma once

#include <string>
#include <vector>

#include "scenarios/cli/serving.hpp"
#include "scenarios/command_line/console.hpp"
#include "scenarios/serve/kubeconfig.hpp"
#include "sim/http/http_server.hpp"

namespace watchlab::scenarios {

/// Where `serve` serves, as its arguments say it. Throws `std::invalid_argument` for what is wrong
/// with them, before anything is served.
[[nodiscard]] sim::HttpServerOptions checked_place(const ServeArguments& arguments);

/// What clients must show; "" for nothing. Throws `std::invalid_argument` for what no client can
/// show in a header.
[[nodiscard]] std::string token_of(const ServeArguments& arguments);

/// The controllers that the command line names. Throws `std::invalid_argument` for others.
[[nodiscard]] std::vector<std::string> chosen_controllers(const std::string& text);

/// The file that a command finds its server by: the one that was asked for, or a private one that
/// goes with this. Throws `std::runtime_error` when it cannot be written.
class Kubeconfig {
 public:
  Kubeconfig(const ServeArguments& arguments, const ServerAccess& access,
             const std::vector<ServerAccess>& others);
  Kubeconfig(const Kubeconfig&) = delete;
  Kubeconfig& operator=(const Kubeconfig&) = delete;
  ~Kubeconfig();
  /// "" when there is none.
  [[nodiscard]] const std::string& path() const { return path_; }

 private:
  Kubeconfig() = default;

  std::string path_;
  std::string folder_;
};

/// Says where the server is. False when the URL could not be printed, so that no client could find
/// it.
[[nodiscard]] bool announce(const ServeArguments& arguments,
                            const std::vector<ServerAccess>& places, const Kubeconfig& kubeconfig,
                            Console& console);

}  // namespace watchlab::scenarios
