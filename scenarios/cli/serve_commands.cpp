#include <fmt/format.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <memory>
#include <optional>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

#include "core/api/json.hpp"
#include "scenarios/cli/child_process.hpp"
#include "scenarios/cli/commands.hpp"
#include "scenarios/serve/fault_desk.hpp"
#include "scenarios/serve/kubeconfig.hpp"
#include "sim/http/http_client.hpp"
#include "sim/http/http_server.hpp"

namespace watchlab::scenarios {
namespace {

struct ServeArguments {
  std::string listen = "127.0.0.1:0";
  std::string token;
  bool tls = false;
  std::string kubeconfig;
  std::vector<std::string> command;
};

/// "ADDRESS:PORT", ":PORT", "PORT" or "[ADDRESS]:PORT". Throws `std::invalid_argument`.
sim::HttpServerOptions place_of(const std::string& listen) {
  sim::HttpServerOptions place;
  const std::size_t colon = listen.rfind(':');
  std::string address = colon == std::string::npos ? "" : listen.substr(0, colon);
  const std::string port = colon == std::string::npos ? listen : listen.substr(colon + 1);
  if (address.starts_with('[') && address.ends_with(']')) {
    address = address.substr(1, address.size() - 2);
  }
  if (!address.empty() && address != "localhost") {
    place.address = address;
  }
  const char* const last = port.data() + port.size();
  const auto [end, failure] = std::from_chars(port.data(), last, place.port);
  if (port.empty() || failure != std::errc() || end != last) {
    throw std::invalid_argument(
        fmt::format("--listen {}: expected ADDRESS:PORT, as 127.0.0.1:8001", listen));
  }
  return place;
}

bool is_loopback(const std::string& address) {
  return address.starts_with("127.") || address == "::1";
}

/// Each connection is a descriptor, and there may be many.
void allow_many_connections() {
  rlimit limit{};
  if (::getrlimit(RLIMIT_NOFILE, &limit) == 0 && limit.rlim_cur < limit.rlim_max) {
    limit.rlim_cur = limit.rlim_max;
    (void)::setrlimit(RLIMIT_NOFILE, &limit);
  }
}

/// The file that a command finds its server by: the one that was asked for, or a private one that
/// goes with this. Throws `std::runtime_error` when it cannot be written.
class Kubeconfig {
 public:
  Kubeconfig(const ServeArguments& arguments, const ServerAccess& access)
      : path_(arguments.kubeconfig) {
    if (path_.empty() && arguments.command.empty()) {
      return;
    }
    if (path_.empty()) {
      std::string folder = (std::filesystem::temp_directory_path() / "watchlab-XXXXXX").string();
      if (::mkdtemp(folder.data()) == nullptr) {
        throw std::runtime_error("there is no place for a temporary file");
      }
      folder_ = folder;
      path_ = folder_ + "/kubeconfig";
    }
    path_ = std::filesystem::absolute(path_).string();
    if (const std::string wrong = write_file(path_, kubeconfig_text(access)); !wrong.empty()) {
      throw std::runtime_error(wrong);
    }
  }
  Kubeconfig(const Kubeconfig&) = delete;
  Kubeconfig& operator=(const Kubeconfig&) = delete;
  ~Kubeconfig() {
    std::error_code ignored;
    if (!folder_.empty()) {
      std::filesystem::remove_all(folder_, ignored);
    }
  }
  /// "" when there is none.
  [[nodiscard]] const std::string& path() const { return path_; }

 private:
  std::string path_;
  std::string folder_;
};

/// False when the URL could not be printed, so that no client could find the server.
bool announce(const ServeArguments& arguments, const std::string& url, const Kubeconfig& kubeconfig,
              Console& console) {
  if (!arguments.command.empty()) {
    return true;  // the output is that of the command
  }
  console.line(fmt::format("serving {}", url));
  if (kubeconfig.path().empty() && arguments.tls) {
    console.line("clients find its certificate in the file that --kubeconfig FILE writes");
    return flush_standard_output().empty();
  }
  console.line(kubeconfig.path().empty() ? fmt::format("kubectl --server {} get namespaces", url)
                                         : fmt::format("export KUBECONFIG={}", kubeconfig.path()));
  return flush_standard_output().empty();
}

int serve(const ServeArguments& arguments, Console& console) {
  sim::HttpServerOptions place = place_of(arguments.listen);
  place.tls = arguments.tls;
  if (!is_loopback(place.address) && arguments.token.empty()) {
    throw std::invalid_argument(
        fmt::format("--listen {}: others can reach this address, so --token must say what they "
                    "have to show",
                    arguments.listen));
  }
  allow_many_connections();
  sim::HttpFront front({.token = arguments.token, .json_from_yaml = json_from_yaml});
  front.add_pages(control_pages(front));
  sim::HttpServer server(front, place);
  const Kubeconfig kubeconfig(
      arguments,
      {.server = server.url(), .authority = server.authority(), .token = arguments.token});
  std::optional<ChildProcess> child;
  std::optional<int> child_status;
  server.on_signals({SIGINT, SIGTERM, SIGCHLD}, [&](int signal) {
    if (signal != SIGCHLD && child) {
      child->signal(signal);  // the command decides; its end is ours
      return;
    }
    child_status = child ? child->ended() : std::nullopt;
    if (signal != SIGCHLD || child_status) {
      server.stop();
    }
  });
  if (!arguments.command.empty()) {
    child.emplace(arguments.command, "KUBECONFIG", kubeconfig.path());
  }
  if (!announce(arguments, server.url(), kubeconfig, console)) {
    return kExitFound;
  }
  server.run();
  return child_status.value_or(kExitHeld);
}

struct FaultArguments {
  std::string action;
  std::optional<std::string> fault;
  std::string server;
  std::string kubeconfig;
};

/// The server that is meant: that of --server, with what the kubeconfig says of how to reach it, or
/// that of the kubeconfig. Throws `std::invalid_argument`.
ServerAccess access_of(const FaultArguments& arguments) {
  const char* const set = std::getenv("KUBECONFIG");
  const std::string path =
      arguments.kubeconfig.empty() && set != nullptr ? set : arguments.kubeconfig;
  if (path.empty() && arguments.server.empty()) {
    throw std::invalid_argument("no server is named: --server URL or --kubeconfig FILE says which");
  }
  const bool optional = arguments.kubeconfig.empty() && !arguments.server.empty();
  if (path.empty() || (optional && !std::filesystem::exists(path))) {
    return {.server = arguments.server};
  }
  std::ifstream file(path);
  std::stringstream text;
  if (!(text << file.rdbuf())) {
    throw std::invalid_argument(path + " cannot be read");
  }
  api::Result<ServerAccess> access = access_from(text.str());
  if (!access && !optional) {
    throw std::invalid_argument(fmt::format("{}: {}", path, access.error().message));
  }
  const bool same = access && (arguments.server.empty() || access->server == arguments.server);
  return same ? *std::move(access) : ServerAccess{.server = arguments.server};
}

/// What the server says to a request to one of its pages of faults. Throws `std::invalid_argument`
/// for a URL that is none, `std::runtime_error` when the server does not answer.
sim::HttpAnswer ask_faults(const FaultArguments& arguments, sim::HttpRequest request) {
  const ServerAccess access = access_of(arguments);
  std::optional<sim::HttpEndpoint> endpoint = sim::endpoint_from(access.server);
  if (!endpoint) {
    throw std::invalid_argument(
        fmt::format("--server {}: expected a URL, as http://127.0.0.1:8001", access.server));
  }
  endpoint->authority = access.authority;
  if (!access.token.empty()) {
    request.fields.push_back({"Authorization", "Bearer " + access.token});
  }
  request.target = "/watchlab/v1/faults" + request.target;
  request.fields.push_back({"User-Agent", "watchlab"});
  request.fields.push_back({"Connection", "close"});
  api::Result<sim::HttpAnswer> answer = sim::ask(*endpoint, std::move(request));
  if (!answer) {
    throw std::runtime_error(
        fmt::format("{} does not answer: {}", access.server, answer.error().message));
  }
  return *std::move(answer);
}

int fault(const FaultArguments& arguments, Console& console) {
  const bool adds = arguments.action == "add";
  if (adds && !arguments.fault) {
    throw std::invalid_argument("add needs a fault, as close_watch or '{close_watch: {times: 1}}'");
  }
  sim::HttpRequest request{.method = adds ? "POST" : arguments.action == "heal" ? "DELETE" : "GET"};
  if (adds) {
    request.body = *arguments.fault;
    request.fields.push_back({"Content-Type", "application/yaml"});
  } else if (arguments.fault && arguments.action == "heal") {
    request.target = "/" + sim::escaped(*arguments.fault);
  }
  const sim::HttpAnswer answer = ask_faults(arguments, std::move(request));
  constexpr std::int32_t kFirstFailure = 300;
  if (answer.head.code < kFirstFailure) {
    console.line(answer.body);
    return kExitHeld;
  }
  const api::Result<api::Status> status = api::status_from_json(answer.body);
  console.report_error(status ? status->message : answer.body);
  return kExitUsage;
}

}  // namespace

std::vector<Command> serve_commands() {
  return {
      command<ServeArguments>(
          {.name = "serve",
           .summary = "Serves the API over real HTTP, with faults, to any client.",
           .footer =
               "What follows -- is a command that is run with KUBECONFIG set; serve ends with it, "
               "with its status.\n"
               "Without one, it serves until Ctrl-C. docs/serve.md has the pages below "
               "/watchlab/v1.\n"
               "Examples:\n  watchlab serve\n"
               "  watchlab serve --listen 127.0.0.1:8001 --kubeconfig serve.kubeconfig\n"
               "  watchlab serve -- kubectl create namespace demo\n"
               "  watchlab serve -- ./test_of_my_controller.sh",
           .arguments = [](ServeArguments& to) -> std::vector<Argument> {
             return {{"--listen", &to.listen,
                      "Where: ADDRESS:PORT; port 0 is one that is free. 127.0.0.1:0 if left out"},
                     {"--token", &to.token,
                      "What clients must show, as Authorization: Bearer TOKEN; needed where others "
                      "can reach the address"},
                     {"--tls", &to.tls,
                      "Speaks TLS; the certificate is made in memory and stands in the kubeconfig"},
                     {"--kubeconfig", &to.kubeconfig, "Writes a file by which clients find it"},
                     {.name = "--",
                      .target = &to.command,
                      .help = "A command to run while it serves",
                      .type_name = "COMMAND"}};
           },
           .run = refusing("serve", serve)}),
      command<FaultArguments>(
          {.name = "fault",
           .summary = "Breaks a server that serves, and heals it.",
           .footer = "A fault is written as in a scenario: docs/faults.md has all of them.\n"
                     "Examples:\n"
                     "  watchlab fault add close_watch --server http://127.0.0.1:8001\n"
                     "  watchlab fault add '{cut_watch: {of: kubectl, times: 1}}' --server URL\n"
                     "  watchlab fault list --server URL\n"
                     "  watchlab fault heal close_watch --server URL\n"
                     "  watchlab fault heal --server URL",
           .arguments = [](FaultArguments& to) -> std::vector<Argument> {
             return {{.name = "ACTION",
                      .target = &to.action,
                      .help = "add one, heal one by its name or number, or all; list them",
                      .required = true,
                      .one_of = {"add", "heal", "list"}},
                     {"FAULT", &to.fault, "The fault to add, or what to heal"},
                     {.name = "--server",
                      .target = &to.server,
                      .help = "The URL that serve has printed; that of the kubeconfig if left out"},
                     {.name = "--kubeconfig",
                      .target = &to.kubeconfig,
                      .help = "The file that serve has written, for TLS and a token; KUBECONFIG if "
                              "left out"}};
           },
           .run = refusing("fault", fault)})};
}

}  // namespace watchlab::scenarios
