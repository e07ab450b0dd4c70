#include <string>
#include <vector>

#include "scenarios/cli/commands.hpp"
#include "scenarios/cli/serving.hpp"

namespace watchlab::scenarios {
namespace {

Command serve_command() {
  return command<ServeArguments>(
      {.name = "serve",
       .group = "Go and other languages",
       .summary = "Serves the fake API server over HTTP to any client.",
       .footer =
           "STORY is a scenario as for run, but played in real time: its objects exist, its "
           "script and faults happen, and its expectations are checked at the end. Its clients "
           "of kind external connect from outside.\n"
           "The stories of a folder are served one after the other, each to its own run of the "
           "command.\n"
           "The command after -- runs with KUBECONFIG and WATCHLAB_URL set. When it ends, serve "
           "ends with its status, or with 1 if the story failed. If the story's `until` says "
           "when it ends, serve ends the command then. A time in `until` counts from the first "
           "request that is not a probe (/healthz, /version), so compiling the client first does "
           "no harm.\n"
           "Without a command, serve runs until the story ends, or until Ctrl-C.\n"
           "Ctrl-C, SIGTERM and SIGHUP: serve alone says how many requests it has answered, and "
           "ends with status 0. A story without a command is judged by "
           "what has come until then. A story with a command is stopped together with that, and "
           "the status is 130. A command without a story gets the signal, and decides. What has "
           "not begun does not begin, and the status is 130.\n"
           "Faults come from the story, or from watchlab fault while serve runs.\n"
           "docs/serve.md has examples, and describes the pages under /watchlab/v1.\n"
           "Examples:\n"
           "  watchlab serve\n"
           "  watchlab serve --listen 127.0.0.1:8001 --kubeconfig serve.kubeconfig\n"
           "  watchlab serve -- kubectl create namespace demo\n"
           "  watchlab serve story.yaml --junit result.xml -- go test ./...\n"
           "  watchlab serve stories --junit result.xml -- ./my_operator\n"
           "  watchlab serve -- ./test_of_my_controller.sh",
       .shares = {.json = true, .junit = true, .quiet = true},
       .heeds_signals = true,
       .arguments = [](ServeArguments& to) -> std::vector<Argument> {
         return {{"STORY", &to.story,
                  "A scenario, or a folder of them, to play with the clients that connect"},
                 {"--listen", &to.listen,
                  "ADDRESS:PORT to listen on; port 0 picks a free one. Default 127.0.0.1:0"},
                 {"--token", &to.token,
                  "The token that clients must send as Authorization: Bearer TOKEN; required if "
                  "others can reach the address"},
                 {"--tls", &to.tls,
                  "Serves TLS with a certificate made in memory; the kubeconfig contains it"},
                 {.name = "--kubeconfig",
                  .target = &to.kubeconfig,
                  .help = "Writes a kubeconfig for clients",
                  .type_name = "FILE",
                  .is_output = true},
                 {.name = "--record",
                  .target = &to.record,
                  .help = "Records what clients do and get; story-from turns the record into a "
                          "scenario",
                  .type_name = "FILE",
                  .is_output = true},
                 {"--controllers", &to.controllers,
                  "What makes a cluster of the server: all, none, or names with commas, such as "
                  "garbage,namespaces; default: all, or as the story says"},
                 {"--after", &to.after,
                  "How long pods take to be ready, and to end once they are deleted, such as 2s; "
                  "default: 1s"},
                 {.name = "--tasks-max",
                  .target = &to.tasks_max,
                  .help = "How many tasks the clients of posted stories may have at the same time",
                  .least = 0},
                 {.name = "--store-max",
                  .target = &to.store_max,
                  .help = "Limit in MiB for the objects of the server, old versions included; "
                          "beyond it, writes fail as if etcd were full. Default: 2048",
                  .least = 1,
                  .most = 1'048'576},
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
       .footer = "In the story, a simulated client experiences what the recorded one did: the "
                 "objects that it found, the writes meanwhile, the refused requests, and the "
                 "ends of its watches, each at its time.\n"
                 "Examples:\n"
                 "  watchlab serve --record seen.jsonl -- ./test_of_my_controller.sh\n"
                 "  watchlab story-from seen.jsonl -o seen.yaml\n"
                 "  watchlab explore seen.yaml",
       .arguments = [](StoryFromArguments& to) -> std::vector<Argument> {
         return {{.name = "RECORD",
                  .target = &to.record,
                  .help = "A file written by serve --record",
                  .required = true},
                 {"--client", &to.client, "Whose story; default: the client that watched"},
                 output_argument(to.output, "The scenario file; default: standard output")};
       },
       .run = refusing("story-from", story_from_record)});
}

Command fault_command() {
  return command<FaultArguments>(
      {.name = "fault",
       .group = "Go and other languages",
       .summary = "Adds, lists and heals the faults of a running server.",
       .footer = "Write a fault as in a scenario; docs/faults.md lists all of them.\n"
                 "Examples:\n"
                 "  watchlab fault add close_watch --server http://127.0.0.1:8001\n"
                 "  watchlab fault add '{cut_watch: {of: kubectl, times: 1}}' --server URL\n"
                 "  watchlab fault add '{cut_watch: {after: 5s}}' --server URL   # when 5 s old\n"
                 "  watchlab fault list --server URL\n"
                 "  watchlab fault heal close_watch --server URL\n"
                 "  watchlab fault heal --server URL",
       .arguments = [](FaultArguments& to) -> std::vector<Argument> {
         return {{.name = "ACTION",
                  .target = &to.action,
                  .help = "add a fault, heal one by its name or number, or all of them, or list "
                          "them",
                  .required = true,
                  .one_of = {"add", "heal", "list"}},
                 {"FAULT", &to.fault, "The fault to add, or what to heal"},
                 {.name = "--server",
                  .target = &to.server,
                  .help = "The URL that serve printed; default: that of the kubeconfig"},
                 {.name = "--kubeconfig",
                  .target = &to.kubeconfig,
                  .help = "The file that serve wrote, for TLS and a token; default: KUBECONFIG"},
                 {"--json", &to.json, "Prints the server's answer as a line of JSON"}};
       },
       .run = refusing("fault", fault)});
}

}  // namespace

std::vector<Command> serve_commands() {
  return {serve_command(), story_from_command(), fault_command()};
}

}  // namespace watchlab::scenarios
