#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "core/api/object.hpp"
#include "core/runtime/time.hpp"
#include "sim/apiserver/read_rules.hpp"
#include "sim/apiserver/request.hpp"
#include "sim/apiserver/resource_type.hpp"
#include "sim/faults/fault_parameters.hpp"
#include "sim/faults/fault_rules.hpp"

namespace watchlab::sim {

/// An object that a story creates or changes. The server adds the rest.
struct ObjectSketch {
  std::string name;
  std::string namespace_ = "default";
  api::Labels labels;
  api::Labels annotations;
  api::Labels data;    ///< the content, as in a ConfigMap
  std::string rv_as;   ///< a name for the revision of this write, for use as `$name`; "" for none
  std::string uid_as;  ///< a name for the object's uid, likewise
  std::string kind = "ConfigMap";  ///< a kind that the server serves
  std::string body = {};           ///< other fields, such as `spec`: a JSON object, "" for none
  std::vector<std::string> finalizers = {};
  /// Which of labels, annotations, finalizers and data the story explicitly empties. An update
  /// keeps those that the story does not mention.
  std::set<std::string> emptied = {};

  bool operator==(const ObjectSketch&) const = default;
};

/// A change to an existing object, in one of two forms.
struct PatchSketch {
  ObjectSketch object;     ///< which object, and a name for the revision
  std::string merge;       ///< a JSON merge patch (RFC 7396); "" for the other form
  std::string json;        ///< a JSON patch (RFC 6902)
  bool of_status = false;  ///< through the status subresource

  bool operator==(const PatchSketch&) const = default;
};

/// A server-side apply: creates the object, or sets the fields of the sketch.
struct ApplySketch {
  ObjectSketch object;
  std::string manager = "script";  ///< the field manager that owns the fields
  bool force = false;              ///< take over fields of other managers

  bool operator==(const ApplySketch&) const = default;
};

/// The ConfigMap that the sketch describes, without uid and revision.
[[nodiscard]] api::Object config_map_from(const ObjectSketch& sketch);
/// The same for an object of any type; the sketch's kind is ignored. The namespace is dropped if
/// the type has none. The fields of the body go next to `data`.
[[nodiscard]] api::Object object_from(const ObjectSketch& sketch, const ResourceType& type);
/// A body in which the given members replace those of the same name; "" is an empty body.
[[nodiscard]] std::string body_with(const std::string& body, const std::string& members);
/// A body without this member; "" if nothing is left.
[[nodiscard]] std::string body_without(const std::string& body, const std::string& member);

/// The `data` of a ConfigMap; empty if its body has none.
[[nodiscard]] api::Labels data_of(const api::Object& object);

/// What `bulk_objects` are called, counted from 0: "crowd-000000".
inline constexpr std::string_view kBulkName = "crowd-";
[[nodiscard]] std::string bulk_object_name(std::int64_t number);
/// Whether it is the name of one of so many.
[[nodiscard]] bool is_bulk_object(std::string_view name, std::int64_t count);

/// One of several API servers over the same store.
struct StoryReplicaOptions {
  runtime::Duration lag{0};  ///< how late it learns of writes
  bool operator==(const StoryReplicaOptions&) const = default;
};

/// A custom resource that the story's server serves, besides the built-in types.
struct StoryResourceOptions {
  std::string kind;    ///< "Widget"
  std::string plural;  ///< "widgets"
  std::string group = "example.com";
  std::string version = "v1";
  bool namespaced = true;
  bool status = true;       ///< whether it has the status subresource
  std::string schema = {};  ///< its openAPIV3Schema: a JSON object, "" for any object
  std::optional<ScalePaths> scale = std::nullopt;
  /// `spec.versions` of a CustomResourceDefinition, instead of all that one version says: a JSON
  /// list, "" for one version.
  std::string versions = {};

  bool operator==(const StoryResourceOptions&) const = default;
};

/// The spec of the CustomResourceDefinition that would declare it, as JSON.
[[nodiscard]] std::string definition_of(const StoryResourceOptions& resource);

/// The server of a story before any client starts.
struct StoryServerOptions {
  std::vector<std::string> namespaces;  ///< namespaces besides "default"
  std::vector<ObjectSketch> objects;    ///< created in this order
  std::int64_t bulk_objects = 0;        ///< this many objects are created first: crowd-000000 …
  std::string rv_as;                    ///< a name for the server's revision once the objects exist
  std::int64_t watch_window = 100;      ///< changes that the watch cache keeps at least
  std::int64_t watch_queue = 100;       ///< events that may be buffered for a slow client's watch
  std::vector<StoryReplicaOptions> replicas;  ///< if empty: one that does not lag
  std::vector<StoryResourceOptions> resources = {};
  ServerRelease release = ServerRelease::V1_34;
  std::optional<bool> watch_list;  ///< the feature gate; if unset, as in the release
  /// Names from `controller_catalogue()`; if unset: all if a client is a program outside, else
  /// none.
  std::optional<std::vector<std::string>> controllers = std::nullopt;
  /// Whether objects of a client of the kind go are refused that a real server would not store.
  bool validates = false;
  runtime::Duration pods_after = std::chrono::seconds(1);  ///< until they are ready, or end

  bool operator==(const StoryServerOptions&) const = default;
};

/// The types that this server serves: the built-in ones and its own.
[[nodiscard]] ResourceTypes types_of(const StoryServerOptions& server);

/// The name of a handler that the story does not name.
inline constexpr std::string_view kUnnamedHandler = "handler";

/// The name that the story gave the handler; "" if none.
[[nodiscard]] inline std::string_view given_name(std::string_view handler) {
  return handler == kUnnamedHandler ? "" : handler;
}

/// A handler of an informer.
struct StoryHandlerOptions {
  std::string name{kUnnamedHandler};
  runtime::Duration takes{0};  ///< virtual time that each call takes
  /// For a shared informer: its own resync period, 0 for none; if unset, the informer's.
  std::optional<runtime::Duration> resync;
  bool starts_later = false;  ///< for a shared informer: a step of the script adds it
  /// For a shared informer: which of its calls panics, counted from 1; 0 for none.
  std::int64_t panics = 0;
  /// For a shared informer: a handler of the same informer, possibly itself, that each of its calls
  /// adds or removes when it ends; "" for none. What was removed does not come back.
  std::string adds;
  std::string removes;

  bool operator==(const StoryHandlerOptions&) const = default;
};

/// The kinds of clients; see `traits_of` for the details of each.
enum class ClientKind : std::uint8_t {
  Informer,    ///< a classic informer: reflector, queue, controller, store, one handler
  Shared,      ///< a shared informer: any number of handlers, which may come and go
  Program,     ///< the tutorial's program: a reflector, a queue, and a hand-written loop that
               ///< maintains the store
  Controller,  ///< a shared informer, a work queue, and workers that reconcile keys
  Fifo,        ///< a reflector, a queue of newest states, and workers that pop them
  Store,       ///< a reflector that fills an indexed store, and a task that reads it
  External,    ///< a program in any language that connects over real HTTP
  Go,          ///< an external program on the story's virtual clock: see sim/http/lockstep
};

/// How an HTTP server recognises the requests of a client. If several criteria are set, all must
/// match. Requests below /clients/NAME always belong to the client.
struct Recognition {
  std::string user_agent;  ///< part of its User-Agent; "" for any
  std::string token;       ///< its Authorization: Bearer token; "" for any
  bool own_port = false;   ///< it has a separate port

  [[nodiscard]] bool says_something() const {
    return own_port || !user_agent.empty() || !token.empty();
  }
  bool operator==(const Recognition&) const = default;
};

/// A client of a story's server.
struct StoryClientOptions {
  std::string name = "client";
  ClientKind kind = ClientKind::Informer;
  std::string machine = "classic";
  runtime::Duration resync{0};  ///< 0 for never
  std::string namespace_;       ///< "" for all namespaces
  std::string label_selector;
  std::string field_selector;
  std::vector<StoryHandlerOptions> handlers;  ///< if empty: one that takes no time
  /// For a program or a fifo: the pause after each pop, without the lock. For a store: the pause
  /// between two reads.
  runtime::Duration pause{0};
  std::int64_t workers = 1;           ///< for a controller or a fifo
  std::string reconcile = "observe";  ///< for a controller: a name from reconciler_catalogue()
  runtime::Duration takes{0};         ///< for a controller: the time to reconcile a key
  /// For a controller, a fifo or an informer: how often each key fails before it succeeds. A fifo
  /// and an informer do not fail on the first list; they put back what failed.
  std::int64_t failures = 0;
  std::int64_t refuses = 0;   ///< for a store: which list it refuses, counted from 1; 0 for none
  bool drains = false;        ///< for a controller: stopping waits until no worker has a key
  bool runs_twice = false;    ///< for a shared informer: `run` is called a second time
  bool starts_later = false;  ///< started by a step of the script
  std::int64_t replica = 0;   ///< which API server it talks to
  /// Names of objects that a controller may create, to check names before the story starts.
  std::vector<std::string> makes = {};
  std::string watches = "ConfigMap";  ///< the kind of objects that it lists and watches
  Recognition recognised_by = {};     ///< for an external client
  std::vector<std::string> run = {};  ///< for a client of the kind go: its program and arguments
  bool chosen = false;      ///< for a client of the kind go: the schedule orders its goroutines
  std::string folder = {};  ///< where the program runs; "" for the current folder
  /// What to run instead of `run`, if that would have to be built first.
  std::vector<std::string> built = {};

  bool operator==(const StoryClientOptions&) const = default;
};

/// A fault of the catalogue, as a story injects it.
struct FaultSketch {
  std::string name;          ///< "cut_watch"
  std::string as;            ///< the name for healing it; "" for the fault's own name
  std::string of;            ///< the client that it hits; "" for all
  std::optional<Verb> verb;  ///< nothing for all
  std::int64_t times = 0;    ///< after how many messages it ends; 0 for never
  std::int64_t skip = 0;     ///< how many matching messages to let pass first
  /// Its own parameters; those not given have the catalogue's default values.
  std::map<std::string, ParameterValue> parameters;
  /// Let the schedule decide each time whether it acts: the default schedule says no, others may
  /// say yes.
  bool choice = false;
  int line = 0;               ///< its line in the scenario file; 0 if there is none
  std::string resource = {};  ///< the plural name of the collection that it hits; "" for all

  bool operator==(const FaultSketch&) const = default;
};

/// Which messages such a fault hits.
[[nodiscard]] Trigger trigger_of(const FaultSketch& sketch);

}  // namespace watchlab::sim
