#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/api/object.hpp"

namespace watchlab::api {

/// How to interpret a list's resource version. Mirrors apimachinery meta/v1 ResourceVersionMatch.
enum class ResourceVersionMatch : std::uint8_t { Unset, Exact, NotOlderThan };

/// What a LIST or WATCH asks for. Mirrors apimachinery meta/v1 ListOptions; "" and 0 mean unset.
struct ListOptions {
  /// LIST: "" is the latest state, "0" any state in the cache, otherwise a state not older than
  /// this, or exactly this one. WATCH: everything after this revision; "" and "0" start with the
  /// existing objects.
  std::string resource_version;
  ResourceVersionMatch resource_version_match = ResourceVersionMatch::Unset;
  std::int64_t limit = 0;            ///< objects per page; 0 for all at once
  std::string continue_token;        ///< from the previous page
  std::int64_t timeout_seconds = 0;  ///< after which the server ends the watch cleanly
  bool allow_watch_bookmarks = false;
  std::optional<bool> send_initial_events;  ///< stream a list first, ended by a bookmark
  std::string label_selector;               ///< see `LabelSelector::parse`
  std::string field_selector;               ///< see `FieldSelector::parse`

  bool operator==(const ListOptions&) const = default;
};

/// The options of a WATCH that streams the same state as a LIST with these options, or nothing if
/// no stream can. With "0" a server ignores the limit, so a stream may, too. Mirrors client-go 0.35
/// util/watchlist, PrepareWatchListOptionsFromListOptions. Differs from client-go: the caller
/// checks the gate WatchListClient.
[[nodiscard]] inline std::optional<ListOptions> streamed_list_options(ListOptions list) {
  const ResourceVersionMatch match = list.resource_version_match;
  const bool matches_nothing =
      match != ResourceVersionMatch::Unset && list.resource_version.empty();
  const bool is_page =
      !list.continue_token.empty() || (list.limit > 0 && list.resource_version != "0");
  if (match == ResourceVersionMatch::Exact || matches_nothing || is_page ||
      list.send_initial_events) {
    return std::nullopt;
  }
  list.limit = 0;
  list.resource_version_match = ResourceVersionMatch::NotOlderThan;
  list.allow_watch_bookmarks = true;
  list.send_initial_events = true;
  return list;
}

/// The answer to a LIST, or one page of it. Mirrors the common part of all list kinds, meta/v1
/// ListMeta.
struct ObjectList {
  std::string api_version = "v1";
  std::string kind;                                  ///< "ConfigMapList"
  std::string resource_version;                      ///< of the list, not of its newest item
  std::string continue_token;                        ///< for the next page; "" on the last one
  std::optional<std::int64_t> remaining_item_count;  ///< for later pages, if the server counts them
  std::vector<ObjectPtr> items;
};

/// The annotation of the bookmark that ends a streamed list.
inline constexpr std::string_view kInitialEventsEnd = "k8s.io/initial-events-end";

}  // namespace watchlab::api
