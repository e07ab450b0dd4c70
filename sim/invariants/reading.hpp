#pragma once

#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "sim/story/record.hpp"

/// How the invariants read a record.
namespace watchlab::sim::invariants {

/// Revisions by key: what a store would hold.
using Revisions = std::map<std::string, std::string>;

/// Whether the server had revision `a` before `b`. Both are revisions of this simulation's own
/// server, which counts.
[[nodiscard]] bool is_earlier(std::string_view a, std::string_view b);

/// Whether the client was started and neither stopped nor came to its end by itself.
[[nodiscard]] bool is_running(const Record& record, const ClientRecord& client);

/// Whether a watch of the client was open at the end.
[[nodiscard]] bool watch_is_open(const Record& record, const std::string& client);
/// Whether a fault took events from a watch of the client that was open at the end.
[[nodiscard]] bool is_robbed(const Record& record, const std::string& client);

/// The clients of whom the end of the story shows whether they know the truth: it is quiet, they
/// are running, their watch is open, no event was lost on it, and no server is held back; and they
/// have a store.
[[nodiscard]] std::vector<const ClientRecord*> informed_clients(const Record& record);
/// The same of one client, whether it has a store to show it or not.
[[nodiscard]] bool knows_everything(const Record& record, const ClientRecord& client);

/// What a client's store should hold of the server's objects, by its namespace and selectors.
[[nodiscard]] Revisions truth_for(const Record& record, const ClientRecord& client);

/// What the client's store held at the end.
[[nodiscard]] Revisions stored_by(const Record& record, const std::string& client);

/// The calls of each handler, by client and handler.
using HandlerName = std::pair<std::string, std::string>;
[[nodiscard]] std::map<HandlerName, std::vector<const CallRecord*>> calls_by_handler(
    const Record& record);
/// The client of that name; null when there is none.
[[nodiscard]] const ClientRecord* client_named(const Record& record, const std::string& client);
/// Whether a step of the story has removed the handler.
[[nodiscard]] bool has_left(const Record& record, const HandlerName& handler);
/// The client's deltas in the order in which they were popped.
[[nodiscard]] std::vector<const DeltaRecord*> deltas_of(const Record& record,
                                                        const std::string& client);

/// What a handler knows after these calls.
[[nodiscard]] Revisions told_last(const std::vector<const CallRecord*>& calls);

/// A watch that was accepted, as its events reached the client.
struct WatchReading {
  std::string client;
  std::string from;                         ///< the revision that was asked for
  std::vector<const FrameRecord*> frames;   ///< all but errors, in the order of arrival
  std::vector<const FrameRecord*> changes;  ///< of these, no bookmarks, and no first state
  /// It is from a revision, for all objects, and no fault has made events disappear from it: then
  /// every write after that revision concerns it.
  bool tells_everything = false;
};
[[nodiscard]] std::vector<WatchReading> watches_in(const Record& record);
/// The first write after a revision; null when there is none.
[[nodiscard]] const WriteRecord* write_after(const Record& record, const std::string& revision);
/// The newest revision of the frames and `newest`.
[[nodiscard]] std::string last_frame_revision(const AnswerRecord& answer, std::string newest);

/// A key of a work queue, after the client whose queue it is.
using QueuedKey = std::pair<std::string, std::string>;

/// "" for no object.
[[nodiscard]] std::string revision_of(const api::ObjectPtr& object);

/// "default/demo at 3", or "default/demo" of which nothing is known.
[[nodiscard]] std::string words_for_state(const std::string& key, const std::string& revision);
/// The two sides of what should be equal, in words: what the first differing key is here and there.
[[nodiscard]] std::string first_difference(const Revisions& found, const Revisions& expected);

}  // namespace watchlab::sim::invariants
