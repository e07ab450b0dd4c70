#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>

#include "core/api/object.hpp"
#include "core/api/options.hpp"
#include "core/api/status.hpp"
#include "core/runtime/time.hpp"
#include "sim/apiserver/stamps.hpp"

namespace watchlab::sim {

enum class Verb : std::uint8_t {
  Get,
  List,
  Watch,
  Create,
  Update,
  UpdateStatus,
  Patch,
  Delete,
  DeleteCollection,
};

/// "GET", "LIST", "WATCH" and so on.
[[nodiscard]] std::string_view to_string(Verb verb);
/// The verb with this name; nothing if there is none.
[[nodiscard]] std::optional<Verb> verb_named(std::string_view name);

/// How to read a PATCH body. `Apply` is server-side apply, sim/apiserver/apply_patch.hpp.
enum class PatchType : std::uint8_t { Json, Merge, Strategic, Apply };

/// The options of a DELETE. Mirrors apimachinery meta/v1 DeleteOptions.
struct DeleteOptions {
  std::string uid;                 ///< precondition; "" for none
  std::string resource_version;    ///< precondition; "" for none
  std::string propagation_policy;  ///< "", "Background", "Foreground" or "Orphan"
  bool dry_run = false;            ///< becomes the request's
  /// How long a running pod may take to end; default: as the pod says. Only pods take time.
  std::optional<std::int64_t> grace_period_seconds = std::nullopt;
};

/// One request to an API server, as a value.
struct Request {
  Verb verb = Verb::Get;
  api::GroupVersionResource resource;
  std::string namespace_;    ///< "" for cluster-wide collections, and for all namespaces
  std::string name;          ///< for requests about one object
  api::ListOptions options;  ///< for LIST, WATCH, DELETECOLLECTION; `resource_version` also for GET
  api::ObjectPtr object;     ///< for CREATE and UPDATE
  DeleteOptions deletion;    ///< for DELETE and DELETECOLLECTION
  PatchType patch_type = PatchType::Merge;
  std::string patch;          ///< the body of a PATCH
  std::string field_manager;  ///< who writes, for apply; "" for other writes means the client
  bool force = false;         ///< take over conflicting fields, for apply
  bool of_status = false;     ///< a PATCH through the status subresource
  bool dry_run = false;       ///< answer the write as if it were done, without doing it
  bool validated = false;     ///< refuse an object that a real server would not store

  std::string client;          ///< who sent it
  runtime::TimePoint arrived;  ///< when the server received it
  /// What the server has been waiting for since it answered `Pending`; unset in a new request.
  std::optional<Revision> waits_for;
};

/// Whether it writes only the status of an object.
inline bool writes_status(const Request& request) {
  return request.verb == Verb::UpdateStatus || (request.verb == Verb::Patch && request.of_status);
}

/// The server has to wait until it has seen this revision. Call again then, or at the deadline,
/// with `Request::waits_for` set.
struct Pending {
  Revision needed = 0;
  runtime::TimePoint deadline;
};

/// Identifies an open watch of one server.
using WatchId = std::uint64_t;

/// A watch was accepted: HTTP 200, then the events.
struct WatchOpened {
  WatchId watch = 0;
};

/// A server's answer to a request. A `Status` is a failure, or the success of a delete.
using Answer = std::variant<Pending, api::Status, api::ObjectPtr, api::ObjectList, WatchOpened>;

struct Response {
  std::int32_t code = 200;  ///< the HTTP code; 0 for `Pending`
  Answer answer;
};

[[nodiscard]] Response response_of(api::Status status);

}  // namespace watchlab::sim
