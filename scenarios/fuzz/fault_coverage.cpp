#include "scenarios/fuzz/fault_coverage.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>
#include <sstream>
#include <stdexcept>

namespace watchlab::scenarios {
namespace {

using sim::Record;

constexpr std::array<std::string_view, FaultCoverage::kReflectorStates> kReflectorNames{
    "away", "listing", "opening", "watching", "pausing"};
constexpr std::string_view kQueueLetters = "ue1+";

bool is_gone(const Record& record, const std::string& client, runtime::TimePoint at) {
  const auto stopped = record.stopped.find(client);
  return (stopped != record.stopped.end() && stopped->second <= at) ||
         std::any_of(record.ends.begin(), record.ends.end(), [&](const sim::EndRecord& end) {
           return end.client == client && end.at <= at;
         });
}

/// The objects of which something has arrived at the client, with the last time that it did.
std::map<std::string, runtime::TimePoint> arrivals(const Record& record, const std::string& client,
                                                   runtime::TimePoint at) {
  std::map<std::string, runtime::TimePoint> last;
  for (std::size_t i = 0; i < record.answers.size(); ++i) {
    const sim::AnswerRecord& answer = record.answers[i];
    if (record.requests[i].client != client || !answer.at || *answer.at > at) {
      continue;
    }
    for (const api::ObjectPtr& object : answer.list.items) {
      last[api::key_of(object->metadata)] = *answer.at;
    }
    for (const sim::FrameRecord& frame : answer.frames) {
      if (frame.at <= at && frame.event.object) {
        last[api::key_of(frame.event.object->metadata)] = frame.at;
      }
    }
  }
  return last;
}

/// Whether the client was notified of the object between its arrival and that moment.
bool was_delivered(const Record& record, const std::string& client,
                   const std::pair<const std::string, runtime::TimePoint>& arrival,
                   runtime::TimePoint at) {
  const auto delivers = [&](const auto& entry) {
    return entry.client == client && entry.key == arrival.first && entry.at >= arrival.second &&
           entry.at <= at;
  };
  return std::any_of(record.deltas.begin(), record.deltas.end(), delivers) ||
         std::any_of(record.calls.begin(), record.calls.end(), delivers) ||
         std::any_of(record.work.begin(), record.work.end(), delivers);
}

}  // namespace

ReflectorState reflector_state(const Record& record, const std::string& client,
                               runtime::TimePoint at) {
  if (is_gone(record, client, at)) {
    return ReflectorState::Away;
  }
  ReflectorState state = ReflectorState::Away;
  for (std::size_t i = 0; i < record.requests.size(); ++i) {
    const sim::RequestRecord& request = record.requests[i];
    if (request.client != client || request.at > at) {
      continue;
    }
    const bool continues = !request.ended || *request.ended > at;
    const std::optional<runtime::TimePoint> answered = record.answers.at(i).at;
    if (!continues) {
      state = ReflectorState::Pausing;
    } else if (request.verb == sim::Verb::List) {
      state = ReflectorState::Listing;
    } else {
      state = answered && *answered <= at ? ReflectorState::Watching : ReflectorState::Opening;
    }
  }
  return state;
}

QueueState queue_state(const Record& record, const std::string& client, runtime::TimePoint at) {
  const std::map<std::string, runtime::TimePoint> arrived = arrivals(record, client, at);
  if (arrived.empty()) {
    return QueueState::Unfilled;
  }
  const auto waiting = std::count_if(arrived.begin(), arrived.end(), [&](const auto& arrival) {
    return !was_delivered(record, client, arrival, at);
  });
  return waiting == 0 ? QueueState::Empty : waiting == 1 ? QueueState::One : QueueState::Several;
}

void FaultCoverage::add(const Record& record) {
  for (const sim::FaultRecord& fault : record.faults) {
    for (const sim::ClientRecord& client : record.clients) {
      if (!fault.of.empty() && fault.of != client.name) {
        continue;
      }
      const auto reflector = reflector_state(record, client.name, fault.at);
      const auto queue = queue_state(record, client.name, fault.at);
      ++hits_[fault.name]
            .at(static_cast<std::size_t>(reflector))
            .at(static_cast<std::size_t>(queue));
    }
  }
}

void FaultCoverage::merge(const FaultCoverage& other) {
  for (const auto& [fault, cells] : other.hits_) {
    Cells& own = hits_[fault];
    for (std::size_t i = 0; i < kReflectorStates; ++i) {
      for (std::size_t j = 0; j < kQueueStates; ++j) {
        own.at(i).at(j) += cells.at(i).at(j);
      }
    }
  }
}

std::size_t FaultCoverage::hits(const std::string& fault, ReflectorState reflector,
                                QueueState queue) const {
  const auto found = hits_.find(fault);
  return found == hits_.end() ? 0
                              : found->second.at(static_cast<std::size_t>(reflector))
                                    .at(static_cast<std::size_t>(queue));
}

std::size_t FaultCoverage::cells_hit(const std::vector<std::string_view>& faults) const {
  std::size_t count = 0;
  for (const std::string_view fault : faults) {
    const auto found = hits_.find(fault);
    if (found == hits_.end()) {
      continue;
    }
    for (const auto& row : found->second) {
      count += static_cast<std::size_t>(
          std::count_if(row.begin(), row.end(), [](std::size_t times) { return times > 0; }));
    }
  }
  return count;
}

std::string FaultCoverage::table(const std::vector<std::string_view>& faults) const {
  std::string text = fmt::format("{:<20}", "");
  for (const std::string_view name : kReflectorNames) {
    text += fmt::format(" {:>9}", name);
  }
  text += fmt::format(" {:>9}\n", "met");
  for (const std::string_view fault : faults) {
    const auto found = hits_.find(fault);
    const Cells cells = found == hits_.end() ? Cells{} : found->second;
    std::size_t times = 0;
    text += fmt::format("{:<20}", fault);
    for (const auto& row : cells) {
      std::string letters;
      for (std::size_t i = 0; i < kQueueStates; ++i) {
        letters += row.at(i) > 0 ? kQueueLetters[i] : '.';
        times += row.at(i);
      }
      text += fmt::format(" {:>9}", letters);
    }
    text += fmt::format(" {:>9}\n", times);
  }
  text +=
      "queue: u nothing has arrived, e all was delivered, 1 of one object not, + of several not\n";
  return text;
}

std::string FaultCoverage::to_string() const {
  std::string text;
  for (const auto& [fault, cells] : hits_) {
    text += fault;
    for (const auto& row : cells) {
      text += fmt::format(" {}", fmt::join(row, " "));
    }
    text += "\n";
  }
  return text;
}

FaultCoverage FaultCoverage::from_text(const std::string& text) {
  FaultCoverage coverage;
  std::istringstream in(text);
  for (std::string fault; in >> fault;) {
    for (auto& row : coverage.hits_[fault]) {
      for (std::size_t& times : row) {
        in >> times;
      }
    }
    if (!in) {
      throw std::invalid_argument("this is no coverage of faults");
    }
  }
  return coverage;
}

}  // namespace watchlab::scenarios
