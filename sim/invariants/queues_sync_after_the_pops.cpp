#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "sim/invariants/properties.hpp"
#include "sim/invariants/reading.hpp"

namespace watchlab::sim::invariants {
namespace {

/// How many objects the first list of a client had; nothing when there is none in one piece.
std::optional<std::size_t> first_list_size(const Record& record, const std::string& client) {
  for (std::size_t i = 0; i < record.requests.size() && i < record.answers.size(); ++i) {
    const RequestRecord& request = record.requests[i];
    if (request.client == client && request.verb == "LIST" && request.answer == "ok") {
      const api::ObjectList& list = record.answers[i].list;
      return list.continue_token.empty() ? std::optional(list.items.size()) : std::nullopt;
    }
  }
  return std::nullopt;
}

/// Whether by then the client had heard of a deletion, or of a second list.
bool is_uncertain(const Record& record, const std::string& client, runtime::TimePoint then) {
  int lists = 0;
  bool deleted = false;
  for (std::size_t i = 0; i < record.requests.size() && i < record.answers.size(); ++i) {
    const RequestRecord& request = record.requests[i];
    const AnswerRecord& answer = record.answers[i];
    if (request.client != client) {
      continue;
    }
    const bool is_list = request.verb == "LIST" && request.answer == "ok";
    lists += is_list && (!answer.at || *answer.at <= then) ? 1 : 0;
    deleted =
        deleted ||
        std::any_of(answer.frames.begin(), answer.frames.end(), [&](const FrameRecord& frame) {
          return frame.at <= then && frame.event.type == watch::EventType::Deleted;
        });
  }
  return lists > 1 || deleted;
}

}  // namespace

std::optional<std::string> broken_queues_sync_after_the_pops(const Record& record) {
  std::map<std::string, std::size_t> popped;
  for (const PopRecord& pop : record.pops) {
    const std::size_t earlier = popped[pop.client]++;
    const auto size = first_list_size(record, pop.client);
    if (pop.synced && size && earlier < *size && !is_uncertain(record, pop.client, pop.at)) {
      return fmt::format("{} has synced after {} of the {} objects of its first list", pop.client,
                         earlier, *size);
    }
  }
  return std::nullopt;
}

}  // namespace watchlab::sim::invariants
