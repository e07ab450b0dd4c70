#include "scenarios/cli/server_place.hpp"

#include <arpa/inet.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <filesystem>
#include <stdexcept>
#include <string_view>
#include <system_error>

#include "scenarios/cli/commands.hpp"
#include "scenarios/cli/pasted_line.hpp"
#include "scenarios/command_line/child_process.hpp"
#include "scenarios/command_line/output_file.hpp"
#include "scenarios/command_line/terminal.hpp"
#include "sim/story/client.hpp"

namespace watchlab::scenarios {
namespace {

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
  in6_addr ignored{};
  const bool is_address = ::inet_pton(AF_INET, place.address.c_str(), &ignored) == 1 ||
                          ::inet_pton(AF_INET6, place.address.c_str(), &ignored) == 1;
  const char* const last = port.data() + port.size();
  const auto [end, failure] = std::from_chars(port.data(), last, place.port);
  if (!is_address || port.empty() || failure != std::errc() || end != last) {
    throw std::invalid_argument(
        fmt::format("--listen {}: expected ADDRESS:PORT, as 127.0.0.1:8001", listen));
  }
  return place;
}

bool is_loopback(const std::string& address) {
  return address.starts_with("127.") || address == "::1";
}

}  // namespace

std::string token_of(const ServeArguments& arguments) {
  const std::string token = arguments.token.value_or("");
  const auto is_sign = [](char c) { return std::isgraph(static_cast<unsigned char>(c)) != 0; };
  if (arguments.token && (token.empty() || !std::ranges::all_of(token, is_sign))) {
    throw std::invalid_argument(
        fmt::format("--token '{}': expected letters, digits and signs, without spaces", token));
  }
  return token;
}

std::vector<std::string> chosen_controllers(const std::string& text) {
  const std::vector<std::string> known = sim::controller_names();
  if (text.empty() || text == "all") {
    return known;
  }
  std::vector<std::string> chosen;
  std::string_view rest = text == "none" ? std::string_view() : std::string_view(text);
  while (!rest.empty()) {
    const std::size_t end = std::min(rest.find(','), rest.size());
    const std::string name(rest.substr(0, end));
    rest.remove_prefix(std::min(end + 1, rest.size()));
    if (std::ranges::find(known, name) == known.end()) {
      throw std::invalid_argument(
          describe("--controllers", {{},
                                     fmt::format("there is no controller '{}'", name),
                                     fmt::format("all, none, or some of {}", fmt::join(known, ",")),
                                     nearest_name(name, known)}));
    }
    chosen.push_back(name);
  }
  return chosen;
}

sim::HttpServerOptions checked_place(const ServeArguments& arguments) {
  sim::HttpServerOptions place = place_of(arguments.listen);
  place.tls = arguments.tls;
  const std::string token = token_of(arguments);
  if (!is_loopback(place.address) && token.empty()) {
    throw std::invalid_argument(
        fmt::format("--listen {}: others can reach this address, so --token must say what they "
                    "have to show",
                    arguments.listen));
  }
  (void)chosen_controllers(arguments.controllers);
  return place;
}

Kubeconfig::Kubeconfig(const ServeArguments& arguments, const ServerAccess& access,
                       const std::vector<ServerAccess>& others)
    : Kubeconfig() {  // so that the folder goes also where this throws
  path_ = arguments.kubeconfig;
  if (path_.empty() && arguments.command.empty()) {
    return;
  }
  if (path_.empty()) {
    folder_ = make_temporary_folder("watchlab");
    path_ = folder_ + "/kubeconfig";
  }
  path_ = std::filesystem::absolute(path_).string();
  if (const std::string wrong = write_private_file(path_, kubeconfig_text(access, others));
      !wrong.empty()) {
    throw std::runtime_error(wrong);
  }
}

Kubeconfig::~Kubeconfig() {
  std::error_code ignored;
  if (!folder_.empty()) {
    std::filesystem::remove_all(folder_, ignored);
  }
}

bool announce(const ServeArguments& arguments, const std::vector<ServerAccess>& places,
              const Kubeconfig& kubeconfig, Console& console) {
  if (!arguments.command.empty()) {
    return true;  // the output is that of the command
  }
  const std::string& url = places.front().server;
  console.line(fmt::format("serving {}", url));
  if (kubeconfig.path().empty() && arguments.tls) {
    console.line("clients find its certificate in the file that --kubeconfig FILE writes");
  } else if (!kubeconfig.path().empty() || !arguments.token) {
    console.line(kubeconfig.path().empty()
                     ? fmt::format("kubectl --server {} get namespaces", url)
                     : "export KUBECONFIG=" + word_for_shell(kubeconfig.path()));
  }
  if (arguments.token && !arguments.tls) {
    console.line("kubectl sends no token over plain HTTP: it needs --tls");
  }
  for (std::size_t i = 1; i < places.size(); ++i) {
    console.line(fmt::format("client {}: {}", places[i].name, places[i].server));
  }
  return flush_standard_output().empty();
}

}  // namespace watchlab::scenarios
