#include "sim/faults/fault_catalogue.hpp"

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "sim/faults/black_hole.hpp"
#include "sim/faults/bookmark_ahead.hpp"
#include "sim/faults/break_chunk_line.hpp"
#include "sim/faults/buffer_events.hpp"
#include "sim/faults/cache_not_ready.hpp"
#include "sim/faults/close_watch.hpp"
#include "sim/faults/compact_store.hpp"
#include "sim/faults/cut_watch.hpp"
#include "sim/faults/delay.hpp"
#include "sim/faults/drop_event.hpp"
#include "sim/faults/empty_event.hpp"
#include "sim/faults/empty_list.hpp"
#include "sim/faults/empty_list_revision.hpp"
#include "sim/faults/evict_watch_window.hpp"
#include "sim/faults/fail_list.hpp"
#include "sim/faults/fail_requests.hpp"
#include "sim/faults/fail_stream.hpp"
#include "sim/faults/fail_watch.hpp"
#include "sim/faults/freeze_server.hpp"
#include "sim/faults/garble_bytes.hpp"
#include "sim/faults/garble_event.hpp"
#include "sim/faults/hang_requests.hpp"
#include "sim/faults/interim_response.hpp"
#include "sim/faults/join_events.hpp"
#include "sim/faults/lag_server.hpp"
#include "sim/faults/login_page.hpp"
#include "sim/faults/nameless_error.hpp"
#include "sim/faults/omit_last_chunk.hpp"
#include "sim/faults/omit_newline.hpp"
#include "sim/faults/refuse_connections.hpp"
#include "sim/faults/repeat_revision.hpp"
#include "sim/faults/replay_event.hpp"
#include "sim/faults/restart_server.hpp"
#include "sim/faults/restore_backup.hpp"
#include "sim/faults/revision_back.hpp"
#include "sim/faults/split_bytes.hpp"
#include "sim/faults/stale_delete.hpp"
#include "sim/faults/stall_watch.hpp"
#include "sim/faults/stop_progress.hpp"
#include "sim/faults/suppress_bookmarks.hpp"
#include "sim/faults/swallow_error_event.hpp"
#include "sim/faults/tear_bytes.hpp"
#include "sim/faults/tear_event.hpp"
#include "sim/faults/unknown_event_type.hpp"
#include "sim/faults/withdraw_resource.hpp"
#include "sim/faults/wrong_content_length.hpp"
#include "sim/faults/wrong_kind.hpp"

namespace watchlab::sim {

std::vector<FaultEntry> fault_catalogue() {
  return {
      black_hole(),           bookmark_ahead(),      break_chunk_line(),
      buffer_events(),        cache_not_ready(),     close_watch(),
      compact_store(),        cut_watch(),           delay(),
      drop_event(),           empty_event(),         empty_list(),
      empty_list_revision(),  evict_watch_window(),  fail_list(),
      fail_requests(),        fail_stream(),         fail_watch(),
      freeze_server(),        garble_bytes(),        garble_event(),
      hang_requests(),        interim_response(),    join_events(),
      lag_server(),           login_page(),          nameless_error(),
      omit_last_chunk(),      omit_newline(),        refuse_connections(),
      repeat_revision(),      replay_event(),        restart_server(),
      restore_backup(),       revision_back(),       split_bytes(),
      stale_delete(),         stall_watch(),         stop_progress(),
      suppress_bookmarks(),   swallow_error_event(), tear_bytes(),
      tear_event(),           unknown_event_type(),  withdraw_resource(),
      wrong_content_length(), wrong_kind(),
  };
}

bool is_instant(std::string_view name) {
  const std::vector<FaultEntry> entries = fault_catalogue();
  return std::any_of(entries.begin(), entries.end(), [&](const FaultEntry& entry) {
    return entry.name == name && entry.scope == FaultScope::Servers;
  });
}

FaultRule make_fault(std::string_view name, Trigger trigger,
                     const std::map<std::string, ParameterValue, std::less<>>& parameters) {
  const std::vector<FaultEntry> entries = fault_catalogue();
  const auto found = std::find_if(entries.begin(), entries.end(),
                                  [name](const FaultEntry& each) { return each.name == name; });
  if (found == entries.end()) {
    throw std::invalid_argument("there is no fault named \"" + std::string(name) + "\"");
  }
  return {std::string(name), std::move(trigger),
          found->make(FaultParameters(found->parameters, parameters))};
}

}  // namespace watchlab::sim
