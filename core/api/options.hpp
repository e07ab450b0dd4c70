#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/api/object.hpp"

namespace watchlab::api {

enum class ResourceVersionMatch : std::uint8_t { Unset, Exact, NotOlderThan };

/// What a LIST or WATCH asks for. Mirrors apimachinery meta/v1 ListOptions; "" and 0 mean unset.
struct ListOptions {
  std::string resource_version;
  ResourceVersionMatch resource_version_match = ResourceVersionMatch::Unset;
  std::int64_t limit = 0;
  std::string continue_token;
  std::int64_t timeout_seconds = 0;
  bool allow_watch_bookmarks = false;
  std::optional<bool> send_initial_events;
  std::string label_selector;
  std::string field_selector;

  bool operator==(const ListOptions&) const = default;
};

/// The answer to a LIST.
struct ObjectList {
  std::string api_version = "v1";
  std::string kind;              ///< "ConfigMapList"
  std::string resource_version;  ///< of the list, not of its newest item
  std::string continue_token;
  std::optional<std::int64_t> remaining_item_count;
  std::vector<ObjectPtr> items;
};

/// The annotation of the bookmark that ends a streamed list.
inline constexpr std::string_view kInitialEventsEnd = "k8s.io/initial-events-end";

}  // namespace watchlab::api
