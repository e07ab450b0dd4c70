#include "sim/apiserver/watch_rules.hpp"

#include <optional>
#include <string>
#include <utility>

#include "sim/apiserver/status_bodies.hpp"

namespace watchlab::sim {

using api::ResourceVersionMatch;

namespace {

api::StatusCause forbidden(std::string field, std::string why) {
  return {"FieldValueForbidden", "Forbidden: " + std::move(why), std::move(field)};
}

std::optional<api::StatusCause> contradiction(const api::ListOptions& options,
                                              const ServerProfile& profile) {
  const ResourceVersionMatch match = options.resource_version_match;
  if (!options.send_initial_events) {
    return match == ResourceVersionMatch::Unset
               ? std::nullopt
               : std::optional(forbidden(
                     "resourceVersionMatch",
                     "resourceVersionMatch is forbidden for watch unless sendInitialEvents is "
                     "provided"));
  }
  if (!profile.watch_list) {
    return forbidden("sendInitialEvents",
                     "sendInitialEvents is forbidden for watch unless the WatchList feature gate "
                     "is enabled");
  }
  if (match == ResourceVersionMatch::Unset) {
    return forbidden("resourceVersionMatch",
                     "sendInitialEvents requires setting resourceVersionMatch to NotOlderThan");
  }
  if (match != ResourceVersionMatch::NotOlderThan) {
    return api::StatusCause{"FieldValueNotSupported",
                            "Unsupported value: \"Exact\": supported values: \"NotOlderThan\"",
                            "resourceVersionMatch"};
  }
  return std::nullopt;
}

}  // namespace

api::Result<WatchPlan> plan_watch(const api::ListOptions& options, const ServerProfile& profile) {
  if (std::optional<api::StatusCause> cause = contradiction(options, profile)) {
    return api::error_from(status_bodies::invalid_options(std::move(*cause)));
  }
  const bool unset = options.resource_version.empty();
  const std::optional<Revision> revision = unset ? 0 : parse_revision(options.resource_version);
  if (!revision) {
    return api::error_from(status_bodies::invalid_revision(options.resource_version));
  }
  // A server that knows streamed lists treats the old form of "from the beginning" as one.
  const bool defaulted = profile.watch_list && !options.send_initial_events && *revision == 0;
  const bool streams_list = defaulted || options.send_initial_events.value_or(false);
  if (streams_list) {
    return WatchPlan{.initial_events = true,
                     .reach_store = unset,
                     .marks_initial_end = options.allow_watch_bookmarks,
                     .revision = *revision};
  }
  if (*revision > 0) {
    return WatchPlan{.revision = *revision};
  }
  const bool declined = options.send_initial_events.has_value();
  return WatchPlan{.initial_events = !declined, .from_now = declined};
}

}  // namespace watchlab::sim
