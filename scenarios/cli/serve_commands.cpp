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
#include "scenarios/cli/report.hpp"
#include "scenarios/cli/serving.hpp"
#include "scenarios/command_line/child_process.hpp"
#include "scenarios/language/input_file.hpp"
#include "scenarios/serve/kubeconfig.hpp"
#include "scenarios/serve/server_record.hpp"
#include "scenarios/serve/story_from_record.hpp"
#include "sim/http/http_client.hpp"
#include "sim/network/http_names.hpp"

namespace watchlab::scenarios {
namespace {

struct StoryFromArguments {
  std::string record;
  std::string client;
  std::string output;
};

/// A name for a scenario, after the file: its stem, with what names may have.
std::string scenario_name(const std::string& path) {
  std::string name = std::filesystem::path(path).stem().string();
  for (char& each : name) {
    const bool is_allowed =
        (each >= 'a' && each <= 'z') || (each >= '0' && each <= '9') || each == '_';
    each = is_allowed ? each : '_';
  }
  return name.empty() ? "recorded" : name;
}

int story_from_record(const StoryFromArguments& arguments, Console& console) {
  std::string problem = overwriting(arguments.output, arguments.record);
  if (!problem.empty()) {
    throw std::invalid_argument(problem);
  }
  const std::optional<ServerRecord> record = read_record(arguments.record, problem);
  if (!record) {
    console.report_error(problem);
    return kExitUsage;
  }
  if (record->torn) {
    console.report_error(fmt::format(
        "{}: its last line is cut off, and is left out: the server was killed", arguments.record));
  }
  const std::string& path = arguments.output.empty() ? arguments.record : arguments.output;
  const RecordedStory made = story_from(*record, arguments.client, scenario_name(path));
  for (const std::string& each : made.left_out) {
    console.report_error("left out: " + each);
  }
  const std::string text =
      scenario_text(made.scenario,
                    fmt::format("Made by `watchlab story-from{}`.", for_shell({arguments.record})));
  if (arguments.output.empty()) {
    console.verbatim(text.substr(0, text.find_last_not_of('\n') + 1));
    return kExitHeld;
  }
  return write_output(arguments.output, text, console);
}

const std::string kFaultsPath = "/watchlab/v1/faults";

struct FaultArguments {
  std::string action;
  std::optional<std::string> fault;
  std::string server;
  std::string kubeconfig;
  bool json = false;
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
  return line.substr(0, line.find_last_not_of(' ') + 1);
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

Command serve_command() {
  return command<ServeArguments>(
      {.name = "serve",
       .group = "Go and other languages",
       .summary = "Serves the fake API server over HTTP to any client.",
       .footer =
           "STORY is a scenario, as run plays it, but in real time: its objects are there, its "
           "script and faults happen, and at the end its expectations are checked. Its clients "
           "of kind external come from outside.\nOf a folder each story is served, one after the "
           "other, each to a command of its own.\n"
           "What follows -- is a command that is run with KUBECONFIG and WATCHLAB_URL set; "
           "serve ends with it, with its status, or 1 when the story failed. A story whose "
           "`until` says when it is over ends the command then; a time there counts from the "
           "client's first request that is no probe (/healthz, /version), so compiling it first "
           "costs nothing.\n"
           "Without one, it serves until the story is over, or Ctrl-C.\n"
           "docs/serve.md has examples, and the pages below /watchlab/v1.\n"
           "Examples:\n  watchlab serve\n"
           "  watchlab serve --listen 127.0.0.1:8001 --kubeconfig serve.kubeconfig\n"
           "  watchlab serve -- kubectl create namespace demo\n"
           "  watchlab serve story.yaml --junit result.xml -- go test ./...\n"
           "  watchlab serve stories --junit result.xml -- ./my_operator\n"
           "  watchlab serve -- ./test_of_my_controller.sh",
       .shares = {.json = true, .junit = true, .quiet = true},
       .arguments = [](ServeArguments& to) -> std::vector<Argument> {
         return {
             {"STORY", &to.story,
              "A scenario, or a folder of them, played with the clients that come"},
             {"--listen", &to.listen,
              "Where: ADDRESS:PORT; port 0 is one that is free. 127.0.0.1:0 if left out"},
             {"--token", &to.token,
              "What clients must show, as Authorization: Bearer TOKEN; needed where others "
              "can reach the address"},
             {"--tls", &to.tls,
              "Speaks TLS; the certificate is made in memory and stands in the kubeconfig"},
             {.name = "--kubeconfig",
              .target = &to.kubeconfig,
              .help = "Writes a file by which clients find it",
              .type_name = "FILE",
              .is_output = true},
             {.name = "--record",
              .target = &to.record,
              .help = "Writes down what clients live through; story-from makes a scenario of it",
              .type_name = "FILE",
              .is_output = true},
             {.name = "--pods",
              .target = &to.pods,
              .help = "become-ready: a pod that is made runs and is ready some time later, "
                      "and a deployment has its replicas",
              .one_of = {"become-ready"}},
             {"--after", &to.after, "How long that takes, as 2s; at once if left out"},
             {.name = "--tasks-max",
              .target = &to.tasks_max,
              .help = "How many tasks the clients of posted stories may have at a time",
              .least = 0},
             {.name = "--",
              .target = &to.command,
              .help = "A command to run while it serves",
              .type_name = "COMMAND"}};
       },
       .run = refusing("serve", serve)});
}

Command story_from_command() {
  return command<StoryFromArguments>(
      {.name = "story-from",
       .group = "Go and other languages",
       .summary = "Turns a record of serve --record into a story.",
       .footer = "A client of ours lives through the same in simulation: the objects that it "
                 "found, what was written meanwhile, what it was refused, and how its watches "
                 "ended, each at its time.\n"
                 "Examples:\n"
                 "  watchlab serve --record seen.jsonl -- ./test_of_my_controller.sh\n"
                 "  watchlab story-from seen.jsonl -o seen.yaml\n"
                 "  watchlab explore seen.yaml",
       .arguments = [](StoryFromArguments& to) -> std::vector<Argument> {
         return {{.name = "RECORD",
                  .target = &to.record,
                  .help = "A file that serve --record has written",
                  .required = true},
                 {"--client", &to.client, "Whose story; the one that watched if left out"},
                 output_argument(to.output, "The scenario file; standard output if left out")};
       },
       .run = refusing("story-from", story_from_record)});
}

Command fault_command() {
  return command<FaultArguments>(
      {.name = "fault",
       .group = "Go and other languages",
       .summary = "Adds, lists and heals the faults of a running server.",
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
                          "left out"},
                 {"--json", &to.json, "What the server answers, a line of JSON"}};
       },
       .run = refusing("fault", fault)});
}

}  // namespace

std::vector<Command> serve_commands() {
  return {serve_command(), story_from_command(), fault_command()};
}

}  // namespace watchlab::scenarios
