#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "sim/invariants/properties.hpp"
#include "sim/invariants/reading.hpp"

namespace watchlab::sim::invariants {
namespace {

/// A list that a client got, if it came in one piece.
struct FirstList {
  runtime::TimePoint at;
  std::set<std::string> keys;
};

std::optional<FirstList> first_list_of(const Record& record, const std::string& client) {
  for (std::size_t i = 0; i < record.requests.size() && i < record.answers.size(); ++i) {
    const RequestRecord& request = record.requests[i];
    const AnswerRecord& answer = record.answers[i];
    if (request.client != client || request.verb != "LIST" || request.answer != "ok") {
      continue;
    }
    if (!answer.list.continue_token.empty() || !answer.at) {
      return std::nullopt;
    }
    FirstList list{.at = *answer.at};
    for (const api::ObjectPtr& object : answer.list.items) {
      list.keys.insert(api::key_of(object->metadata));
    }
    return list;
  }
  return std::nullopt;
}

}  // namespace

std::optional<std::string> broken_first_list_is_marked(const Record& record) {
  for (const ClientRecord& client : record.clients) {
    const std::optional<FirstList> list = first_list_of(record, client.name);
    if (!list) {
      continue;
    }
    std::set<std::string> unheard = list->keys;
    for (const DeltaRecord* delta : deltas_of(record, client.name)) {
      if (unheard.erase(delta->key) > 0 && !delta->initial) {
        return fmt::format("{} is of the first list of {}, but is not popped as such", delta->key,
                           client.name);
      }
    }
    for (const HandlerRecord& handler : record.handlers) {
      if (handler.client != client.name || handler.joined >= list->at) {
        continue;
      }
      std::set<std::string> untold = list->keys;
      for (const CallRecord& call : record.calls) {
        const bool is_its = call.client == client.name && call.handler == handler.name;
        if (is_its && untold.erase(call.key) > 0 && !call.initial) {
          return fmt::format("{} is of the first list of {}, but {} is not told so", call.key,
                             client.name, handler.name);
        }
      }
    }
  }
  return std::nullopt;
}

}  // namespace watchlab::sim::invariants
