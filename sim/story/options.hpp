#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "core/api/object.hpp"
#include "core/runtime/time.hpp"
#include "sim/apiserver/read_rules.hpp"
#include "sim/apiserver/request.hpp"
#include "sim/apiserver/resource_type.hpp"
#include "sim/faults/fault_parameters.hpp"

namespace watchlab::sim {

/// What a story says about an object that it creates or changes. The server adds the rest.
struct ObjectSketch {
  std::string name;
  std::string namespace_ = "default";
  api::Labels labels;
  api::Labels annotations;
  api::Labels data;    ///< the content, as a ConfigMap has it
  std::string rv_as;   ///< names the revision that the write gets, for `$name`; "" for no name
  std::string uid_as;  ///< names the uid that the object has, likewise
  std::string kind = "ConfigMap";  ///< of a collection that the server serves
  std::string body = {};  ///< other members of the object, as `spec`: a JSON object, "" for none
  std::vector<std::string> finalizers = {};
  /// Of labels, annotations, finalizers and data what the story says is empty. What it does not
  /// name at all, an update keeps.
  std::set<std::string> emptied = {};

  bool operator==(const ObjectSketch&) const = default;
};

/// A change of an object that is there, in one of two forms.
struct PatchSketch {
  ObjectSketch object;     ///< which one, and a name for the revision
  std::string merge;       ///< a JSON merge patch (RFC 7396); "" for the other form
  std::string json;        ///< a JSON patch (RFC 6902)
  bool of_status = false;  ///< through the status subresource

  bool operator==(const PatchSketch&) const = default;
};

/// A server-side apply: the object is made, or has the fields from now on that the sketch says.
struct ApplySketch {
  ObjectSketch object;
  std::string manager = "script";  ///< the field manager, who owns the fields
  bool force = false;              ///< whether fields of other managers are taken over

  bool operator==(const ApplySketch&) const = default;
};

/// The ConfigMap that the sketch describes, without uid and revision.
[[nodiscard]] api::Object config_map_from(const ObjectSketch& sketch);
/// The same of an object of any type, whatever kind the sketch says. An object without a namespace
/// gets none. Members of the body stand beside `data`.
[[nodiscard]] api::Object object_from(const ObjectSketch& sketch, const ResourceType& type);
/// A body with the members of another one instead of its own of these names; "" is an empty one.
[[nodiscard]] std::string body_with(const std::string& body, const std::string& members);
/// A body without that member; "" when nothing is left.
[[nodiscard]] std::string body_without(const std::string& body, const std::string& member);

/// The `data` of a ConfigMap; empty when its body has none.
[[nodiscard]] api::Labels data_of(const api::Object& object);

/// One of several API servers over the same store.
struct StoryReplicaOptions {
  runtime::Duration lag{0};  ///< how late it learns what was written
  bool operator==(const StoryReplicaOptions&) const = default;
};

/// A custom resource that the server of a story serves beside the built-in types.
struct StoryResourceOptions {
  std::string kind;    ///< "Widget"
  std::string plural;  ///< "widgets"
  std::string group = "example.com";
  std::string version = "v1";
  bool namespaced = true;

  bool operator==(const StoryResourceOptions&) const = default;
};

/// The server of a story, before any client starts.
struct StoryServerOptions {
  std::vector<std::string> namespaces;        ///< those that exist beside "default"
  std::vector<ObjectSketch> objects;          ///< created in this order
  std::int64_t bulk_objects = 0;              ///< that many more before these: crowd-000000 …
  std::string rv_as;                          ///< names the server's revision once they are there
  std::int64_t watch_window = 100;            ///< changes that the watch cache keeps at least
  std::int64_t watch_queue = 100;             ///< events that may wait for a slow client's watch
  std::vector<StoryReplicaOptions> replicas;  ///< none stands for one that does not lag
  std::vector<StoryResourceOptions> resources = {};
  ServerRelease release = ServerRelease::V1_34;
  std::optional<bool> watch_list;  ///< the feature gate; as the release has it if not set

  bool operator==(const StoryServerOptions&) const = default;
};

/// The types that such a server serves: the built-in ones and its own.
[[nodiscard]] ResourceTypes types_of(const StoryServerOptions& server);

/// What a handler is called that a story gives no name.
inline constexpr std::string_view kUnnamedHandler = "handler";

/// The name that its story gives a handler; "" for none.
[[nodiscard]] inline std::string_view given_name(std::string_view handler) {
  return handler == kUnnamedHandler ? "" : handler;
}

/// A handler of an informer.
struct StoryHandlerOptions {
  std::string name{kUnnamedHandler};
  runtime::Duration takes{0};  ///< virtual time that each call takes
  /// Of a shared informer: its own resync period, 0 for none; the informer's if left out.
  std::optional<runtime::Duration> resync;
  bool starts_later = false;  ///< of a shared informer: added by a step of the script
  /// Of a shared informer: which of its calls panics, counted from 1; 0 for none.
  std::int64_t panics = 0;
  /// Of a shared informer: a handler of the same informer, perhaps itself, that each of its calls
  /// adds or removes at its end, if it is not or is there; "" for none.
  std::string adds;
  std::string removes;

  bool operator==(const StoryHandlerOptions&) const = default;
};

/// The kinds of clients; `traits_of` says the rest of each.
enum class ClientKind : std::uint8_t {
  Informer,    ///< the classic informer: reflector, queue, controller, store, one handler
  Shared,      ///< the shared informer: any number of handlers, which may come and go
  Program,     ///< the tutorial's: reflector, queue, and a pop loop of its own that keeps the store
  Controller,  ///< a shared informer, a work queue, and workers that reconcile keys
  Fifo,        ///< a reflector, a queue of newest states, and workers that pop them
  Store,       ///< a reflector that fills an indexed store, and a task that reads it
  External,    ///< a program in any language, which comes to the server over real HTTP
  Go,          ///< a program outside, which lives on the story's clock: see sim/http/lockstep
};

/// By what a server of real HTTP knows a client of a story. With several, each must fit. Whatever
/// it is known by, its requests below /clients/NAME are always its own.
struct Recognition {
  std::string user_agent;  ///< a part of its User-Agent; "" for any
  std::string token;       ///< what it shows as Authorization: Bearer …; "" for any
  bool own_port = false;   ///< it has a port of its own

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
  std::vector<StoryHandlerOptions> handlers;  ///< none stands for one that takes no time
  /// Of a program or a fifo: after each pop, without the lock. Of a store: between two looks.
  runtime::Duration pause{0};
  std::int64_t workers = 1;           ///< of a controller or a fifo
  std::string reconcile = "observe";  ///< of a controller: a name of reconciler_catalogue()
  runtime::Duration takes{0};         ///< of a controller: the time to reconcile a key
  /// Of a controller, a fifo, or an informer: how often each key fails before it succeeds. A fifo
  /// and an informer fail only at what is not of the first list, and put it back.
  std::int64_t failures = 0;
  std::int64_t refuses = 0;   ///< of a store: which list it refuses, counted from 1; 0 for none
  bool drains = false;        ///< of a controller: its end waits until no worker has a key
  bool runs_twice = false;    ///< of a shared informer: `run` is called a second time
  bool starts_later = false;  ///< by a step of the script, not with the story
  std::int64_t replica = 0;   ///< which API server it talks to
  /// Names of objects that a controller may make, for a check of names before the story.
  std::vector<std::string> makes = {};
  std::string watches = "ConfigMap";  ///< the kind of the objects that it lists and watches
  Recognition recognised_by = {};     ///< of an external client
  std::vector<std::string> run = {};  ///< of a client of the kind go: its program and arguments
  std::string folder = {};            ///< where that runs; "" for here
  /// What is run in the place of `run`, when that would first have to be built.
  std::vector<std::string> built = {};

  bool operator==(const StoryClientOptions&) const = default;
};

/// Something that goes wrong, as a story asks for it: a fault of the catalogue.
struct FaultSketch {
  std::string name;          ///< "cut_watch"
  std::string as;            ///< by what name it is healed; "" for its own
  std::string of;            ///< the client that it hits; "" for all
  std::optional<Verb> verb;  ///< List or Watch; nothing for both
  std::int64_t times = 0;    ///< how many messages it hits before it is over; 0 for no end
  std::int64_t skip = 0;     ///< how many that it would hit it lets pass first
  /// Its own parameters; those left out have the catalogue's standard values.
  std::map<std::string, ParameterValue> parameters;
  /// Whether it acts is a choice each time: the undisturbed schedule says no, others may say yes.
  bool choice = false;
  int line = 0;  ///< where a scenario file says it; 0 when none does

  bool operator==(const FaultSketch&) const = default;
};

}  // namespace watchlab::sim
