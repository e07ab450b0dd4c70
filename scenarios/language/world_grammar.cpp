#include <fmt/format.h>

#include <algorithm>
#include <initializer_list>
#include <string_view>
#include <utility>
#include <vector>

#include "core/features/release_profile.hpp"
#include "scenarios/language/grammar.hpp"
#include "scenarios/language/table.hpp"
#include "sim/controllers/controller_catalogue.hpp"
#include "sim/kernel/article.hpp"
#include "sim/story/client_kinds.hpp"
#include "sim/story/reconciler.hpp"

namespace watchlab::scenarios {
namespace {

using sim::ClientKind;
using sim::ClientTraits;
using sim::HandlerCount;
using sim::StoryClientOptions;
using sim::StoryHandlerOptions;
using sim::StoryReplicaOptions;
using sim::StoryServerOptions;

/// More would take gigabytes, and minutes, in a default run.
constexpr std::int64_t kBulkObjectsMax = 50'000;

constexpr const char* kSlowHandler =
    "'handlers: [{name: slow, takes: 1s}]' for a handler that takes time";

Codec<bool> start_grammar() { return choice<bool>("a start", {{"now", false}, {"later", true}}); }

Codec<StoryHandlerOptions> handler_grammar() {
  Table<StoryHandlerOptions> table("a handler", "Something that an informer notifies of changes.");
  table
      .required("name", &StoryHandlerOptions::name, new_name("handler"),
                "The name that the rest of the file uses for it.")
      .optional("takes", &StoryHandlerOptions::takes, duration(),
                "The virtual time that each call takes; default 0s.")
      .optional("resync", &StoryHandlerOptions::resync, duration(),
                "For a shared informer: its own resync period, 0s for none; default: the client's.")
      .optional("starts", &StoryHandlerOptions::starts_later, start_grammar(),
                "For a shared informer. now: before it runs. later: by a step of the script.")
      .optional("panics", &StoryHandlerOptions::panics, integer("a number of calls", 1, 1'000'000),
                "For a shared informer: which of its calls panics, counted from 1; default: none.")
      .optional("adds", &StoryHandlerOptions::adds, known_name("handler"),
                "For a shared informer: a handler with starts: later, which each call adds when it "
                "ends unless it is there or was there before; default: none.")
      .optional("removes", &StoryHandlerOptions::removes, known_name("handler"),
                "For a shared informer: a handler, possibly itself, which each call removes when "
                "it ends if it is there; default: none.");
  return table.codec();
}

Codec<ClientKind> kind_grammar() {
  std::vector<std::pair<std::string, ClientKind>> kinds;
  for (const ClientTraits& kind : sim::client_kinds()) {
    kinds.emplace_back(kind.name, sim::client_kind_named(kind.name));
  }
  return choice("a kind of client", kinds);
}

/// What each of them does, for the schema.
std::string reconcilers_in_words() {
  std::string text = "What a controller does with a key; default observe.";
  for (const sim::ReconcilerEntry& entry : sim::reconciler_catalogue()) {
    text.append(" ").append(entry.name).append(": ").append(entry.doc).append(".");
  }
  return text;
}

/// The same of the server's controllers.
std::string controllers_in_words() {
  std::string text =
      "What makes a cluster of the server; default: all if a client is of the kind go or external, "
      "else none.";
  for (const sim::ControllerEntry& entry : sim::controller_catalogue()) {
    text.append(" ").append(entry.name).append(": ").append(entry.doc).append(".");
  }
  return text;
}

/// What only a controller has.
bool has_work(const StoryClientOptions& client) {
  const StoryClientOptions defaults;
  return client.reconcile != defaults.reconcile || client.takes != defaults.takes || client.drains;
}

Codec<StoryReplicaOptions> replica_grammar() {
  Table<StoryReplicaOptions> table("a replica", "One of several API servers over the same store.");
  table.optional("lag", &StoryReplicaOptions::lag, duration(),
                 "How late it learns of writes; at once by default.");
  return table.codec();
}

void check_handler(const StoryClientOptions& client, const StoryHandlerOptions& handler,
                   const Node& node, ParseContext& context) {
  if (traits_of(client.kind).handlers != HandlerCount::AnyNumber &&
      (handler.resync || handler.starts_later || handler.panics > 0 || !handler.adds.empty() ||
       !handler.removes.empty())) {
    context.problems.add(
        {node.place_of({"resync", "starts", "panics", "adds", "removes"}),
         "a handler with a resync, start or panic of its own, or that adds or removes one",
         "these only of a shared informer", ""});
  }
  for (const char* const key : {"adds", "removes"}) {
    const std::string& name = key == std::string_view("adds") ? handler.adds : handler.removes;
    const bool is_of_this_client =
        std::any_of(client.handlers.begin(), client.handlers.end(),
                    [&](const StoryHandlerOptions& each) { return each.name == name; });
    if (!name.empty() && !is_of_this_client) {
      context.problems.add({node.place_of({key}),
                            "the handler '" + handler.name + "' that adds or removes '" + name +
                                "' of another client",
                            "a handler of '" + client.name + "'", ""});
    }
  }
  if (!handler.removes.empty() &&
      std::ranges::count(client.handlers, handler.removes, &StoryHandlerOptions::adds) > 0) {
    context.problems.add({node.place_of({"removes"}),
                          fmt::format("the handler '{}' that removes '{}', which a handler adds",
                                      handler.name, handler.removes),
                          "either of both: a handler that was removed does not come back", ""});
  }
}

Codec<sim::Recognition> recognition_grammar() {
  Table<sim::Recognition> table("a recognition", "By what a server knows whose a request is.");
  table
      .optional("user_agent", &sim::Recognition::user_agent, text("a part of a User-Agent"),
                "A part of the User-Agent that it sends.")
      .optional("token", &sim::Recognition::token, text("a token"),
                "The token that it sends as Authorization: Bearer.")
      .optional("port", &sim::Recognition::own_port,
                choice<bool>("a port", {{"shared", false}, {"own", true}}),
                "own: the server opens a separate port for it, and prints the port.");
  return table.codec();
}

/// Where the first key stands that is none of these.
Place place_beside(const Node& node, std::initializer_list<std::string_view> allowed) {
  const auto found = std::ranges::find_if(node.entries, [&](const Node::Entry& entry) {
    return std::ranges::count(allowed, entry.key) == 0;
  });
  return found == node.entries.end() ? node.place : found->place;
}

/// A program has a name and what is run, and nothing that only our own machinery knows.
void check_program(const StoryClientOptions& client, const Node& node, ParseContext& context) {
  if (!traits_of(client.kind).in_lockstep) {
    if (!client.run.empty() || client.chosen) {
      context.problems.add(
          {node.place_of({client.chosen ? "goroutines" : "run"}),
           fmt::format("{} of the client '{}'", client.chosen ? "goroutines" : "something to run",
                       client.name),
           "run and goroutines only of a client of the kind go", ""});
    }
    return;
  }
  const StoryClientOptions allowed{.name = client.name,
                                   .kind = client.kind,
                                   .starts_later = client.starts_later,
                                   .replica = client.replica,
                                   .makes = client.makes,
                                   .run = client.run,
                                   .chosen = client.chosen};
  if (client != allowed) {
    context.problems.add(
        {place_beside(node, {"name", "kind", "run", "goroutines", "starts", "replica", "makes"}),
         fmt::format("a setting of '{}' that only a client of ours has: it is a program",
                     client.name),
         "name, kind, run, goroutines, starts, replica and makes", ""});
  }
}

/// An external client has a name and something to know it by, and nothing that we would run.
void check_external(const StoryClientOptions& client, const Node& node, ParseContext& context) {
  if (!traits_of(client.kind).external || traits_of(client.kind).in_lockstep) {
    if (client.recognised_by != sim::Recognition()) {
      context.problems.add({node.place_of({"recognised_by"}),
                            "a recognition of a client that is no program outside",
                            "recognised_by only of a client of the kind external", ""});
    }
    return;
  }
  const StoryClientOptions allowed{.name = client.name,
                                   .kind = client.kind,
                                   .makes = client.makes,
                                   .recognised_by = client.recognised_by};
  if (client != allowed) {
    context.problems.add(
        {place_beside(node, {"name", "kind", "recognised_by", "makes"}),
         fmt::format("a setting of the external client '{}', which runs by itself", client.name),
         "name, kind, recognised_by and makes", ""});
  }
}

/// What the shapes cannot say: some keys belong to one kind of client.
void check_client(StoryClientOptions& client, const Node& node, ParseContext& context) {
  const StoryClientOptions defaults;
  const ClientTraits& traits = traits_of(client.kind);
  check_external(client, node, context);
  check_program(client, node, context);
  if (traits.external) {
    return;
  }
  const auto put = [&](std::initializer_list<std::string_view> keys, std::string what,
                       std::string expected) {
    context.problems.add({node.place_of(keys), std::move(what), std::move(expected), ""});
  };
  if (!traits.has_work_queue && node.find("makes") != nullptr) {
    put({"makes"}, fmt::format("makes of {}, which writes nothing", sim::with_article(traits.name)),
        "makes only of a controller, a Go program or an external client");
  }
  if (traits.handlers == HandlerCount::None && !client.handlers.empty()) {
    put({"handlers"}, fmt::format("handlers of {}", sim::with_article(traits.name)),
        traits.has_work_queue ? "workers, which it has instead" : "handlers only of an informer");
  }
  if (!traits.pauses && client.pause > runtime::Duration::zero()) {
    put({"pause"}, "a pause of an informer",
        fmt::format("a pause only of a program; {}", kSlowHandler));
  }
  const bool works =
      !traits.has_work_queue && (has_work(client) || node.find("reconcile") != nullptr);
  const bool shares = !traits.has_workers && client.workers != defaults.workers;
  if (works || shares || (!traits.can_fail && client.failures != defaults.failures)) {
    const bool has_handlers = traits.handlers != HandlerCount::None;
    const std::string what = "work of a client that has no workers";
    const std::string expected =
        has_handlers && client.takes > runtime::Duration::zero()
            ? kSlowHandler
            : "reconcile, workers, takes and failures only of a controller";
    works    ? put({"reconcile", "takes", "drains"}, what, expected)
    : shares ? put({"workers"}, what, expected)
             : put({"failures"}, what, expected);
  }
  if (client.reconcile != defaults.reconcile && client.watches != defaults.watches) {
    put({"watches"}, "a reconciler for objects of the kind " + client.watches,
        "ConfigMaps, which all reconcilers work on");
  }
  if (traits.handlers != HandlerCount::AnyNumber && client.runs_twice) {
    put({"runs"}, "a second run of what is no shared informer",
        "runs: twice only of a shared informer");
  }
  if (traits.handlers == HandlerCount::One && client.handlers.size() > 1) {
    put({"handlers"}, "several handlers of a classic informer",
        "one handler: only a shared informer has more");
  }
  const Node* const handlers = node.find("handlers");
  for (std::size_t i = 0; handlers != nullptr && i < client.handlers.size(); ++i) {
    check_handler(client, client.handlers[i], handlers->items.at(i), context);
  }
  if (const std::string problem = machine_problem(client); !problem.empty()) {
    put({"failures"}, problem, "no failures, or 'machine: classic'");
  }
  if (!traits.reads_its_store && client.refuses > 0) {
    put({"refuses"}, "a list that is refused by what is no store", "refuses only of a store");
  }
}

}  // namespace

std::string machine_problem(const StoryClientOptions& client) {
  const bool requeues = client.failures > 0 && !traits_of(client.kind).has_work_queue;
  return requeues && client.machine != StoryClientOptions().machine
             ? fmt::format("failures of '{}' on the machine {}, whose queues take nothing back",
                           client.name, client.machine)
             : "";
}

Codec<StoryServerOptions> server_grammar() {
  Table<StoryServerOptions> table("a server", "The API server as it is before any client starts.");
  table
      .optional("namespaces", &StoryServerOptions::namespaces,
                list_of("a list of names", text("a name")),
                "Namespaces that exist besides default.")
      .optional("objects", &StoryServerOptions::objects,
                list_of("a list of objects", made_object_grammar("An object that exists.")),
                "The objects that exist, in the order of creation.")
      .optional("bulk_objects", &StoryServerOptions::bulk_objects,
                integer("a number of objects", 0, kBulkObjectsMax),
                "How many more objects exist, named crowd-000000 and so on; default 0.")
      .formerly("crowd")
      .optional("rv_as", &StoryServerOptions::rv_as, new_symbol("revision"),
                "A name for the server's revision once these objects exist.")
      .optional("watch_window", &StoryServerOptions::watch_window,
                integer("a number of changes", 1, 1'000'000),
                "How many changes the watch cache keeps; default 100.")
      .optional("watch_queue", &StoryServerOptions::watch_queue,
                integer("a number of events", 1, 1'000'000),
                "How many events the server buffers for a client that does not read its watch "
                "before it ends the watch; default 100.")
      .optional("replicas", &StoryServerOptions::replicas,
                list_of("a list of replicas", replica_grammar()),
                "The API servers; by default one that does not lag.")
      .optional("resources", &StoryServerOptions::resources,
                list_of("a list of resources", resource_grammar()),
                "Custom resources, besides the built-in ones.")
      .optional("release", &StoryServerOptions::release,
                choice("a release of Kubernetes", sim::server_releases()),
                "Which release the servers behave like; default 1.34. 1.30, 1.31 and 1.33 do not "
                "stream lists. For clients, 1.35 and 1.36 are the same as 1.34.")
      .optional("watch_list", &StoryServerOptions::watch_list, boolean(),
                "Whether the servers stream lists (feature gate WatchList); default: as in the "
                "release. 1.30 and 1.31 mark the end a second late.")
      .optional("controllers", &StoryServerOptions::controllers,
                list_of("a list of controllers", word("a controller", sim::controller_names())),
                controllers_in_words())
      .optional("validates", &StoryServerOptions::validates, boolean(),
                "Whether a client of the kind go gets a 422 for an object that a real server would "
                "not store, such as a Pod without containers; default false. External clients "
                "always do.")
      .optional("pods_after", &StoryServerOptions::pods_after, duration(),
                "How long a pod takes to be ready, and to end once it is deleted, where the "
                "controller of pods is on, and how long a Deployment takes; default 1s.")
      .finally([](const StoryServerOptions& server, const Node&, ParseContext& context) {
        context.bulk_objects = server.bulk_objects;
      });
  return table.codec();
}

Codec<StoryClientOptions> client_grammar() {
  Table<StoryClientOptions> table("a client", "A client of the server, which lists and watches.");
  table
      .required("name", &StoryClientOptions::name, new_name("client"),
                "The name that the rest of the file uses for it.")
      .required(
          "kind", &StoryClientOptions::kind, kind_grammar(),
          "informer: a reflector, a queue, a store and a handler. shared: the same for several "
          "handlers, which may come and go. program: a reflector, a queue and a hand-written loop "
          "that pops and maintains the store. controller: a shared informer, a work queue and "
          "workers. fifo: a reflector, a queue of newest states, and workers that pop them. store: "
          "a reflector that fills an indexed store, and a task that reads it. external: a program "
          "in any language that connects to serve over real HTTP. go: a Go program that the story "
          "starts and that runs on its virtual clock.")
      .optional("machine", &StoryClientOptions::machine,
                word("a machine", features::machine_names()),
                "Which release of client-go it behaves like; default classic, which is 0.32. 0.33 "
                "has queues that keep the order of all changes.")
      .optional("resync", &StoryClientOptions::resync, duration(),
                "How often it repeats the stored objects to its handler; default: never.")
      .optional("namespace", &StoryClientOptions::namespace_, text("a namespace"),
                "The only namespace that it watches; default: all.")
      .optional("watches", &StoryClientOptions::watches, known_name("kind"),
                "The kind of objects that it watches, such as Pod or Node, or one of the server's "
                "resources; default ConfigMap.")
      .optional("labels", &StoryClientOptions::label_selector, text("a label selector"),
                "Which objects it watches, as in kubectl get --selector.")
      .optional("fields", &StoryClientOptions::field_selector, text("a field selector"),
                "Which objects it watches, as in kubectl get --field-selector.")
      .optional("handlers", &StoryClientOptions::handlers,
                list_of("a list of handlers", handler_grammar()),
                "Its handlers; by default one that takes no time.")
      .optional("pause", &StoryClientOptions::pause, duration(),
                "How long a program or a fifo's worker pauses after each pop, without holding the "
                "queue's lock; for a store, the pause between two reads.")
      .optional("reconcile", &StoryClientOptions::reconcile,
                word("a reconciler", names_of(sim::reconciler_catalogue())), reconcilers_in_words())
      .optional("makes", &StoryClientOptions::makes, list_of("a list of names", new_name("object")),
                "Names of objects that a controller or an external client creates, so that the "
                "rest of the file can refer to them.")
      .optional(
          "workers", &StoryClientOptions::workers, integer("a number of workers", 1, 16),
          "How many keys a controller processes, or a fifo pops, at the same time; default 1.")
      .optional("takes", &StoryClientOptions::takes, duration(),
                "How long a controller takes for a key; default 0s.")
      .optional("failures", &StoryClientOptions::failures, integer("a number of tries", 0, 100),
                "How often each key fails before a controller, a fifo or an informer succeeds with "
                "it; default 0. A fifo and an informer do not fail on objects of the first list.")
      .optional("refuses", &StoryClientOptions::refuses, integer("a number of lists", 1, 1'000'000),
                "For a store: which list it refuses, counted from 1, as if an object in it had no "
                "key; default: none.")
      .optional(
          "drains", &StoryClientOptions::drains, boolean(),
          "Whether a controller, when it stops, waits until no worker has a key; default false.")
      .optional(
          "runs", &StoryClientOptions::runs_twice,
          choice<bool>("a number of runs", {{"once", false}, {"twice", true}}),
          "twice: another task runs the shared informer a second time, 1500 ms after it started.")
      .optional("replica", &StoryClientOptions::replica, integer("a replica", 0, 100),
                "Which of the server's replicas it talks to, counted from 0; default 0.")
      .optional("starts", &StoryClientOptions::starts_later, start_grammar(),
                "now: with the story. later: by a step of the script.")
      .optional(
          "recognised_by", &StoryClientOptions::recognised_by, recognition_grammar(),
          "For an external client: how to recognise its requests. Requests below /clients/NAME "
          "always belong to it. If this is omitted and it is the only client, all requests do.")
      .optional("run", &StoryClientOptions::run, some_of("a list of words", text("a word")),
                "For a client of the kind go: the program and its arguments, such as [go, test, "
                "-run, TestX, .] or a test binary, started in the folder of this file; default: "
                "the Go test that names this story.")
      .optional(
          "goroutines", &StoryClientOptions::chosen,
          choice<bool>("an order of goroutines", {{"own", false}, {"chosen", true}}),
          "For a client of the kind go. chosen: each schedule orders its goroutines in its own "
          "way, so that explore finds races between them; the program is built with the "
          "overlay of Go's runtime. own, the default: Go's scheduler does.")
      .finally(check_client);
  return table.codec();
}

}  // namespace watchlab::scenarios
