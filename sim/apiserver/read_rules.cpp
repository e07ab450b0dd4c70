#include "sim/apiserver/read_rules.hpp"

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "sim/apiserver/list_page.hpp"
#include "sim/apiserver/status_bodies.hpp"

namespace watchlab::sim {

std::vector<std::pair<std::string, ServerRelease>> server_releases() {
  using enum ServerRelease;
  return {{"1.30", V1_30}, {"1.31", V1_31}, {"1.32", V1_32}, {"1.33", V1_33},
          {"1.34", V1_34}, {"1.35", V1_35}, {"1.36", V1_36}};
}

ServerProfile profile_of(ServerRelease release) {
  switch (release) {
    case ServerRelease::V1_30:
      return {.watch_list = false,
              .lists_from_cache = false,
              .marks_at_once = false,
              .snapshots = false};
    case ServerRelease::V1_31:
      return {.watch_list = false, .marks_at_once = false, .snapshots = false};
    case ServerRelease::V1_32:
      return {.snapshots = false};
    case ServerRelease::V1_33:  // which switched them off again
      return {.watch_list = false, .snapshots = false};
    case ServerRelease::V1_34:
    case ServerRelease::V1_35:
    case ServerRelease::V1_36:
      break;
  }
  return {};
}

using api::ResourceVersionMatch;

namespace {

using Causes = std::vector<api::StatusCause>;

/// A cause about the field with which the sentence begins.
api::StatusCause forbidden(const std::string& why) {
  return {"FieldValueForbidden", "Forbidden: " + why, why.substr(0, why.find(' '))};
}

/// All that is wrong with the options of a LIST.
Causes contradictions(const api::ListOptions& options) {
  Causes causes;
  const bool matches = options.resource_version_match != ResourceVersionMatch::Unset;
  if (matches && options.resource_version.empty()) {
    causes.push_back(
        forbidden("resourceVersionMatch is forbidden unless resourceVersion is provided"));
  }
  if (matches && !options.continue_token.empty()) {
    causes.push_back(forbidden("resourceVersionMatch is forbidden when continue is provided"));
  }
  if (options.resource_version_match == ResourceVersionMatch::Exact &&
      options.resource_version == "0") {
    causes.push_back(
        forbidden("resourceVersionMatch \"exact\" is forbidden for resourceVersion \"0\""));
  }
  if (options.send_initial_events) {
    causes.push_back(forbidden("sendInitialEvents is forbidden for list"));
  }
  return causes;
}

api::Result<ListPlan> plan_next_page(const api::ListOptions& options) {
  if (!options.resource_version.empty() && options.resource_version != "0") {
    return api::error_from(status_bodies::bad_request(
        "specifying resource version is not allowed when using continue"));
  }
  api::Result<ContinueToken> token = decode_continue_token(options.continue_token);
  if (!token) {
    return token.error();
  }
  // With "0" the watch cache gives the whole rest, whatever the limit.
  const std::int64_t limit = options.resource_version == "0" ? 0 : options.limit;
  ListPlan plan{.limit = limit, .start_key = token->start_key, .from_cache = false};
  plan.state = token->revision < 0 ? ListState::Remainder : ListState::Page;
  plan.revision = token->revision < 0 ? 0 : token->revision;
  return plan;
}

ListPlan plan_from(Revision revision, const api::ListOptions& options,
                   const ServerProfile& profile) {
  ListPlan plan{.revision = revision, .limit = options.limit};
  const ResourceVersionMatch match = options.resource_version_match;
  // The legacy rule: a revision together with a limit and no match means exactly that revision.
  const bool legacy_exact = match == ResourceVersionMatch::Unset && options.limit > 0;
  if (match == ResourceVersionMatch::Exact || legacy_exact) {
    plan.state = ListState::Exact;
    plan.from_cache = false;
  } else {
    plan.state = ListState::NotOlderThan;
    plan.from_cache = profile.lists_from_cache || options.limit == 0;
  }
  return plan;
}

}  // namespace

api::Result<ListPlan> plan_list(const api::ListOptions& options, const ServerProfile& profile) {
  if (Causes causes = contradictions(options); !causes.empty()) {
    return api::error_from(status_bodies::invalid_options(std::move(causes)));
  }
  const std::optional<Revision> revision =
      options.resource_version.empty() ? 0 : parse_revision(options.resource_version);
  if (!revision) {
    return api::error_from(status_bodies::list_of_no_revision(options.resource_version));
  }
  if (!options.continue_token.empty()) {
    return plan_next_page(options);
  }
  if (options.resource_version.empty()) {
    return ListPlan{.state = ListState::MostRecent,
                    .limit = options.limit,
                    .from_cache = profile.lists_from_cache};
  }
  if (*revision == 0) {
    // The watch cache answers whole lists here, whatever the limit.
    return ListPlan{.state = ListState::Any};
  }
  return plan_from(*revision, options, profile);
}

namespace {

/// All that is wrong with the options of a WATCH. `defaulted`: the server has put a match there.
Causes contradictions(const api::ListOptions& options, const ServerProfile& profile,
                      bool defaulted) {
  Causes causes;
  const ResourceVersionMatch match =
      defaulted ? ResourceVersionMatch::NotOlderThan : options.resource_version_match;
  const bool streams = defaulted || options.send_initial_events.has_value();
  if (streams && match != ResourceVersionMatch::NotOlderThan) {
    causes.push_back(
        {"FieldValueForbidden",
         "Forbidden: sendInitialEvents requires setting resourceVersionMatch to NotOlderThan",
         "resourceVersionMatch"});
  }
  if (streams && !profile.watch_list) {
    causes.push_back(forbidden(
        "sendInitialEvents is forbidden for watch unless the WatchList feature gate is enabled"));
  }
  if (match == ResourceVersionMatch::Unset) {
    return causes;
  }
  if (!streams) {
    causes.push_back(forbidden(
        "resourceVersionMatch is forbidden for watch unless sendInitialEvents is provided"));
  }
  if (match != ResourceVersionMatch::NotOlderThan) {
    causes.push_back({"FieldValueNotSupported",
                      "Unsupported value: \"Exact\": supported values: \"NotOlderThan\"",
                      "resourceVersionMatch"});
  }
  if (!options.continue_token.empty()) {
    causes.push_back(forbidden("resourceVersionMatch is forbidden when continue is provided"));
  }
  return causes;
}

}  // namespace

api::Result<WatchPlan> plan_watch(const api::ListOptions& options, const ServerProfile& profile) {
  // A server that knows streamed lists treats the old form of "from the beginning" as one.
  const bool defaulted = profile.watch_list && !options.send_initial_events &&
                         options.resource_version_match == ResourceVersionMatch::Unset &&
                         (options.resource_version.empty() || options.resource_version == "0");
  if (Causes causes = contradictions(options, profile, defaulted); !causes.empty()) {
    return api::error_from(status_bodies::invalid_options(std::move(causes)));
  }
  const bool unset = options.resource_version.empty();
  const std::optional<Revision> revision = unset ? 0 : parse_revision(options.resource_version);
  if (!revision) {
    return api::error_from(status_bodies::no_revision(options.resource_version));
  }
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
