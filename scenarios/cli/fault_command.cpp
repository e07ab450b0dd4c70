#include <fmt/format.h>

#include <boost/json.hpp>
#include <cstdlib>
#include <filesystem>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "core/api/json.hpp"
#include "scenarios/cli/commands.hpp"
#include "scenarios/cli/pasted_line.hpp"
#include "scenarios/cli/serving.hpp"
#include "scenarios/command_line/child_process.hpp"
#include "scenarios/language/input_file.hpp"
#include "scenarios/language/plain_text.hpp"
#include "scenarios/serve/kubeconfig.hpp"
#include "sim/http/http_client.hpp"
#include "sim/network/http_names.hpp"

namespace watchlab::scenarios {
namespace {

const std::string kFaultsPath = "/watchlab/v1/faults";

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
  api::Result<ServerAccess> access = access_from(read_input(path));
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
  request.target = kFaultsPath + request.target;
  request.fields.push_back({"User-Agent", "watchlab"});
  request.fields.push_back({"Connection", "close"});
  api::Result<sim::HttpAnswer> answer = sim::ask(*endpoint, std::move(request));
  if (!answer) {
    const bool is_strange = answer.error().message.find("verify failed") != std::string::npos;
    throw std::runtime_error(
        fmt::format("{} does not answer: {}{}", access.server, answer.error().message,
                    is_strange ? "; --kubeconfig FILE says which certificate is its own, and serve "
                                 "--kubeconfig FILE writes that file"
                               : ""));
  }
  return *std::move(answer);
}

/// One fault as people read it; the first line is that of the titles.
std::string fault_line(std::string_view number, std::string_view name, std::string_view acted,
                       std::string_view fault) {
  const std::string line = fmt::format("{:<6} {:<20} {:>6}  {}", number, name, acted, fault);
  return visible_line(line.substr(0, line.find_last_not_of(' ') + 1));
}

std::string describe_fault(const boost::json::object& fault) {
  std::string acted = boost::json::serialize(fault.at("acted"));
  if (fault.at("over").as_bool()) {
    acted += " over";
  }
  const boost::json::value& written = fault.at("fault");
  return fault_line(
      boost::json::serialize(fault.at("id")), fault.at("as").as_string(), acted,
      written.is_string() ? std::string(written.as_string()) : boost::json::serialize(written));
}

/// The line that heals the fault of that name on the server that was named.
std::string heal_line(const FaultArguments& arguments, const std::string& fault) {
  std::vector<std::string> words{"heal", fault};
  for (const auto& [option, value] :
       {std::pair{"--server", arguments.server}, std::pair{"--kubeconfig", arguments.kubeconfig}}) {
    if (!value.empty()) {
      words.insert(words.end(), {option, value});
    }
  }
  return as_typed("fault" + for_shell(words));
}

/// What the server has said, in words. Throws some `std::exception` for what is no answer of a
/// server of ours.
std::string words_of_answer(const FaultArguments& arguments, const std::string& body) {
  const std::string& action = arguments.action;
  const boost::json::object answer = boost::json::parse(body).as_object();
  if (action == "heal") {
    const std::int64_t count = answer.at("healed").as_int64();
    return fmt::format("{} fault{} healed", count, count == 1 ? "" : "s");
  }
  if (action == "add") {
    const boost::json::value* const note = answer.if_contains("note");
    return fmt::format("in place; to heal it: {}{}",
                       heal_line(arguments, std::string(answer.at("as").as_string())),
                       note == nullptr ? "" : "\n" + std::string(note->as_string()));
  }
  const boost::json::array& items = answer.at("items").as_array();
  std::string table =
      items.empty() ? "no fault is in place" : fault_line("NUMBER", "NAME", "ACTED", "FAULT");
  for (const boost::json::value& each : items) {
    table += "\n" + describe_fault(each.as_object());
  }
  return table;
}

/// The same; throws `std::invalid_argument`, with what came and what was expected.
std::string describe_answer(const FaultArguments& arguments, const std::string& body) {
  try {
    return words_of_answer(arguments, body);
  } catch (const std::exception&) {
    constexpr std::size_t kShown = 200;
    const std::string expected = arguments.action == "heal"  ? R"({"healed": 1})"
                                 : arguments.action == "add" ? R"({"as": "close_watch"})"
                                                             : R"({"items": [{"id": 1, )"
                                                               R"("as": "close_watch", "acted": )"
                                                               R"(0, "over": false, "fault": )"
                                                               R"("close_watch"}]})";
    throw std::invalid_argument(fmt::format(
        "{} answered {}{}, which no watchlab server says; expected an object like {}",
        access_of(arguments).server,
        body.empty() ? "nothing" : fmt::format("'{}'", body.substr(0, kShown)),
        body.size() > kShown ? fmt::format("… ({} bytes)", body.size()) : "", expected));
  }
}

}  // namespace

int fault(const FaultArguments& arguments, Console& console) {
  const bool adds = arguments.action == "add";
  if (adds && !arguments.fault) {
    throw std::invalid_argument("add needs a fault, as close_watch or '{close_watch: {times: 1}}'");
  }
  refuse_unused(arguments.action == "list" && arguments.fault.has_value(),
                fmt::format("'{}'", arguments.fault.value_or("")), "list lists all faults");
  sim::HttpRequest request{.method = adds ? "POST" : arguments.action == "heal" ? "DELETE" : "GET"};
  if (adds) {
    request.body = *arguments.fault;
    request.fields.push_back({"Content-Type", "application/yaml"});
  } else if (arguments.fault && arguments.action == "heal") {
    request.target = "/" + sim::escaped(*arguments.fault);
  }
  const std::pair<std::string, std::string> request_line{request.method,
                                                         kFaultsPath + request.target};
  const sim::HttpAnswer answer = ask_faults(arguments, std::move(request));
  constexpr std::int32_t kFirstFailure = 300;
  if (answer.head.code < kFirstFailure) {
    const std::string words = describe_answer(arguments, answer.body);
    console.line(arguments.json ? answer.body : words);
    return kExitHeld;
  }
  const api::Result<api::Status> status = api::status_from_json(answer.body);
  const bool is_said = status && !status->message.empty();
  console.report_error(is_said ? status->message
                               : fmt::format("{} answered {} to {} {}, and is no watchlab server",
                                             access_of(arguments).server, answer.head.code,
                                             request_line.first, request_line.second));
  return kExitUsage;
}

}  // namespace watchlab::scenarios
