#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <ranges>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "sim/record/record.hpp"

/// How the invariants read a record.
namespace watchlab::sim::invariants {

/// Revisions by key: what a store would hold.
using Revisions = std::map<std::string, std::string>;

/// Whether the server had revision `a` before `b`. Both are revisions of this simulation's own
/// server, which counts.
[[nodiscard]] bool is_earlier(std::string_view a, std::string_view b);
/// "" for no object; else a view into it.
[[nodiscard]] const std::string& revision_of(const api::ObjectPtr& object);

/// Whether a fault was injected and not healed.
[[nodiscard]] bool has_fault_in_place(const Record& record);

/// The client of that name; null when there is none.
[[nodiscard]] const ClientRecord* client_named(const Record& record, const std::string& client);
/// Whether the client was started and neither stopped nor came to its end by itself.
[[nodiscard]] bool is_running(const Record& record, const ClientRecord& client);
/// Whether a watch of the client was open at the end, and was asked for by that moment.
[[nodiscard]] bool watch_is_open(const Record& record, const std::string& client,
                                 runtime::TimePoint since = runtime::TimePoint::max());
/// Whether a fault took events from a watch of the client that was open at the end.
[[nodiscard]] bool has_lost_events(const Record& record, const std::string& client);
/// Whether the end of the story shows if the client knows the truth: it is quiet, the client is
/// running, its watch is open, no event was lost on it, and no server is held back.
[[nodiscard]] bool knows_everything(const Record& record, const ClientRecord& client);
/// The clients that are running in a record that is quiet; none while it is not.
[[nodiscard]] std::vector<const ClientRecord*> clients_at_rest(const Record& record);
/// The clients that know everything and have a store to show it.
[[nodiscard]] std::vector<const ClientRecord*> informed_clients(const Record& record);

/// Whether the client lists and watches an object, by its namespace and selectors.
[[nodiscard]] std::function<bool(const api::Object&)> selection_of(const ClientRecord& client);
/// What a client's store should hold of the server's objects, by its namespace and selectors.
[[nodiscard]] Revisions truth_for(const Record& record, const ClientRecord& client);
/// What the client's store held at the end.
[[nodiscard]] Revisions stored_by(const Record& record, const std::string& client);

/// A request and its answer.
struct Answered {
  const RequestRecord& request;
  const AnswerRecord& answer;
};
/// The requests in the order in which they were sent, read where they are. A record that is made by
/// hand may have fewer answers, and requests that have no place for one are left out.
[[nodiscard]] inline auto answered_requests(const Record& record) {
  return std::views::iota(std::size_t{0}, std::min(record.requests.size(), record.answers.size())) |
         std::views::transform([&record](std::size_t i) {
           return Answered{record.requests[i], record.answers[i]};
         });
}
[[nodiscard]] inline auto answered_requests(const Record& record, const std::string& client) {
  return answered_requests(record) | std::views::filter([&client](const Answered& each) {
           return each.request.client == client;
         });
}
void answered_requests(const Record& record, std::string&& client) = delete;  // it would be gone
/// How many requests of that verb have succeeded.
[[nodiscard]] std::int64_t successes_of(const Record& record, const std::string& client, Verb verb);
/// Whether the request asks for a list as the beginning of its watch.
[[nodiscard]] bool streams_a_list(const RequestRecord& request);
/// The frame that marks the end of the list with which a watch begins, and all behind it; empty for
/// a watch that was never marked.
[[nodiscard]] std::span<const FrameRecord> from_the_mark(const AnswerRecord& answer);
/// How many lists, or pages of them, the client has had, streamed ones included.
[[nodiscard]] std::int64_t lists_of(const Record& record, const std::string& client);
/// The answer to the client's first list; null when there is none in one piece, or it was streamed.
[[nodiscard]] const AnswerRecord* first_list_of(const Record& record, const std::string& client);
/// How the stream of a request ended that was answered, or how it was answered.
[[nodiscard]] std::string_view outcome_of(const RequestRecord& request);
/// Whether the stream of a watch has ended, and neither by an error nor by the client.
[[nodiscard]] bool stream_has_ended(const RequestRecord& request);
/// Whether the event carries a state of an object.
[[nodiscard]] bool is_change(const watch::Event& event);
/// Whether the request was answered that its revision, or that of its page, cannot be served.
[[nodiscard]] bool is_refused_its_revision(const RequestRecord& request);

/// A handler, after its client.
using HandlerName = std::pair<std::string, std::string>;
using Calls = std::vector<const CallRecord*>;
/// The calls of each handler that was called at all.
[[nodiscard]] std::map<HandlerName, Calls> calls_by_handler(const Record& record);
/// The calls of one handler.
[[nodiscard]] Calls calls_of(const Record& record, const HandlerName& handler);
/// Whether a step of the story has removed the handler.
[[nodiscard]] bool has_left(const Record& record, const HandlerName& handler);

using Deltas = std::vector<const DeltaRecord*>;
/// The entries of a list that belong to the client, in their order.
template <typename Entry>
[[nodiscard]] std::vector<const Entry*> entries_of(const std::vector<Entry>& entries,
                                                   const std::string& client) {
  std::vector<const Entry*> chosen;
  for (const Entry& entry : entries) {
    if (entry.client == client) {
      chosen.push_back(&entry);
    }
  }
  return chosen;
}
/// The client's deltas in the order in which they were popped.
[[nodiscard]] inline Deltas deltas_of(const Record& record, const std::string& client) {
  return entries_of(record.deltas, client);
}

/// Whether a delta or a call is about a deletion.
[[nodiscard]] inline bool is_deletion(const DeltaRecord& delta) {
  return delta.type == DeltaType::Deleted;
}
[[nodiscard]] inline bool is_deletion(const CallRecord& call) {
  return call.type == CallType::Delete;
}
/// What a consumer knows after these deltas, or a handler after these calls.
[[nodiscard]] Revisions known_after(const auto& records) {
  Revisions known;
  for (const auto* each : records) {
    if (is_deletion(*each)) {
      known.erase(each->key);
    } else {
      known[each->key] = revision_of(each->object);
    }
  }
  return known;
}

/// "default/demo at 3", or "default/demo" of which nothing is known.
[[nodiscard]] std::string describe_state(const std::string& key, const std::string& revision);
[[nodiscard]] std::string describe_state(const api::Object& object);
/// The state that a delta, a pop or a call carries, under its key.
[[nodiscard]] std::string describe_state(const auto& record) {
  return describe_state(record.key, revision_of(record.object));
}
/// What the first differing key of two sides is here and there, in words; nothing when they are
/// equal.
[[nodiscard]] std::optional<std::string> first_difference(const Revisions& found,
                                                          const Revisions& expected);
/// Whole milliseconds, for a message.
[[nodiscard]] std::int64_t milliseconds_in(runtime::Duration time);

}  // namespace watchlab::sim::invariants
