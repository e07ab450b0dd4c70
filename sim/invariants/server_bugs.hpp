#pragma once

#include <string_view>
#include <vector>

namespace watchlab::sim {

/// The illegal faults that make a server confuse revisions. What is promised of revisions, of a
/// client or of a watch, is not promised under them.
[[nodiscard]] inline std::vector<std::string_view> bugs_that_confuse_revisions() {
  return {"bookmark_ahead", "empty_list_revision", "repeat_revision", "replay_event",
          "restore_backup", "revision_back",       "stale_delete"};
}

}  // namespace watchlab::sim
