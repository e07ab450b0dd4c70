#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <chrono>

#include "sim/invariants/families.hpp"
#include "sim/invariants/reading.hpp"
#include "sim/kernel/article.hpp"

namespace watchlab::sim::invariants {
namespace {

Finding check_watches_are_stopped(const Record& record) {
  if (!record.left_open.empty()) {
    return fmt::format("still open after all clients have ended: {}",
                       fmt::join(record.left_open, ", "));
  }
  return std::nullopt;
}

Finding check_nobody_waits_for_ever(const Record& record) {
  for (const RequestRecord& request : record.requests) {
    // Under a fault a request may hang on purpose.
    if (record.quiet && request.answer == AnswerKind::Pending && !has_fault_in_place(record)) {
      return fmt::format("the {} of {} has no answer although nothing happens any more",
                         to_string(request.verb), request.client);
    }
  }
  return std::nullopt;
}

constexpr runtime::Duration kTimeout = std::chrono::seconds(10);

Finding check_ends_come_soon(const Record& record) {
  runtime::Duration slowest{0};
  for (const ClientRecord& client : record.clients) {
    slowest = std::max(slowest, client.slowest);
  }
  // What is queued is still processed: at most what was ever written, a few times over.
  const auto queued = static_cast<std::int64_t>(record.writes.size() + record.calls.size() + 1);
  if (record.ending > kTimeout + slowest * queued) {
    return fmt::format("the clients have needed {:.1f} s to end",
                       std::chrono::duration<double>(record.ending).count());
  }
  return std::nullopt;
}

Finding check_nothing_is_left_behind(const Record& record) {
  if (!record.left_open.empty()) {
    return fmt::format("all clients have ended, and a stream is open: {}",
                       record.left_open.front());
  }
  if (!record.left_pending.empty()) {
    return fmt::format("all clients have ended, and a request has no answer: {}",
                       record.left_pending.front());
  }
  return std::nullopt;
}

Finding check_stopped_clients_ask_for_nothing(const Record& record) {
  for (const RequestRecord& request : record.requests) {
    const auto stopped = record.stopped.find(request.client);
    if (stopped != record.stopped.end() && request.at > stopped->second) {
      return fmt::format("{} sends {} after it was asked to end", request.client,
                         with_article(to_string(request.verb)));
    }
  }
  return std::nullopt;
}

}  // namespace

std::vector<Invariant> of_ends() {
  return {
      {.clause = "C14",
       .name = "watches_are_stopped",
       .doc = "When a client has ended, so have all of its watches.",
       .check = check_watches_are_stopped},
      {.clause = "C15",
       .name = "nobody_waits_for_ever",
       .doc = "Once everything is quiet, no request waits for an answer. (The world itself detects "
              "tasks that wait forever.)",
       .check = check_nobody_waits_for_ever,
       .check_outside = check_nobody_waits_for_ever},
      {.clause = "I7",
       .name = "ends_come_soon",
       .doc = "A client that is stopped ends within ten seconds plus the time its slowest handler "
              "needs for what is queued.",
       .check = check_ends_come_soon},
      {.clause = "I8",
       .name = "nothing_is_left_behind",
       .doc = "When all clients have ended, no stream is open and no request is unanswered.",
       .check = check_nothing_is_left_behind,
       .extends = {"watches_are_stopped", "nobody_waits_for_ever"}},
      {.clause = "I19",
       .name = "stopped_clients_ask_for_nothing",
       .doc = "Once it is stopped, a client sends no more requests.",
       .check = check_stopped_clients_ask_for_nothing},
  };
}

}  // namespace watchlab::sim::invariants
