#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/api/object.hpp"

namespace watchlab::api {

/// How a list's resource version is meant. Mirrors apimachinery meta/v1 ResourceVersionMatch.
enum class ResourceVersionMatch : std::uint8_t { Unset, Exact, NotOlderThan };

/// What a LIST or WATCH asks for. Mirrors apimachinery meta/v1 ListOptions; "" and 0 mean unset.
struct ListOptions {
  /// LIST: "" the newest state, "0" whatever the cache has, else a state not older, or that one.
  /// WATCH: everything after this revision; "" and "0" first give what is there.
  std::string resource_version;
  ResourceVersionMatch resource_version_match = ResourceVersionMatch::Unset;
  std::int64_t limit = 0;            ///< objects a page; 0 for all at once
  std::string continue_token;        ///< of the page before
  std::int64_t timeout_seconds = 0;  ///< after which the server ends the watch in order
  bool allow_watch_bookmarks = false;
  std::optional<bool> send_initial_events;  ///< a list through the watch, ended by a bookmark
  std::string label_selector;               ///< see `LabelSelector::parse`
  std::string field_selector;               ///< see `FieldSelector::parse`

  bool operator==(const ListOptions&) const = default;
};

/// What to ask a WATCH for so that it streams the same state as a LIST with these options; nothing
/// where no stream can. The server of "0" passes a limit over, so a stream may. Mirrors client-go
/// 0.35 util/watchlist, PrepareWatchListOptionsFromListOptions. Differs from client-go: the gate
/// WatchListClient is the caller's to ask.
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

/// The answer to a LIST, or one page of it. Mirrors what the kinds' lists share, meta/v1 ListMeta.
struct ObjectList {
  std::string api_version = "v1";
  std::string kind;                                  ///< "ConfigMapList"
  std::string resource_version;                      ///< of the list, not of its newest item
  std::string continue_token;                        ///< for the next page; "" on the last
  std::optional<std::int64_t> remaining_item_count;  ///< on later pages, where the server counts
  std::vector<ObjectPtr> items;
};

/// The annotation of the bookmark that ends a streamed list.
inline constexpr std::string_view kInitialEventsEnd = "k8s.io/initial-events-end";

}  // namespace watchlab::api
