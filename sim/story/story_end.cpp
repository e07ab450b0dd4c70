// The end of a story: the record is closed, all clients end, and the invariants are checked.
#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <iterator>
#include <utility>

#include "core/runtime/task.hpp"
#include "sim/faults/fault_catalogue.hpp"
#include "sim/invariants/invariant_catalogue.hpp"
#include "sim/kernel/plain_text.hpp"
#include "sim/kernel/run_result.hpp"
#include "sim/story/client.hpp"
#include "sim/story/client_kinds.hpp"
#include "sim/story/story.hpp"

namespace watchlab::sim {
namespace {

/// For how long the tasks of a stopped watch and of a request that was given up may need to end.
constexpr runtime::Duration kGracePeriod = std::chrono::seconds(1);

runtime::Duration slowest_of(const StoryClientOptions& client) {
  runtime::Duration slowest = std::max(client.pause, client.takes);
  for (const StoryHandlerOptions& handler : client.handlers) {
    slowest = std::max(slowest, handler.takes);
  }
  return slowest;
}

/// What clients from outside have asked for stands in some of them.
std::vector<std::string> each_on_one_line(std::vector<std::string> messages) {
  for (std::string& message : messages) {
    message = visible_line(message);
  }
  return messages;
}

/// Leaves out the requests of all clients but those of which `is_wanted` says so.
void keep_requests(Record& record, const std::function<bool(const std::string&)>& is_wanted) {
  std::vector<RequestRecord> requests;
  std::vector<AnswerRecord> answers;
  for (std::size_t i = 0; i < record.requests.size(); ++i) {
    if (is_wanted(record.requests[i].client)) {
      requests.push_back(record.requests[i]);
      answers.push_back(record.answers[i]);
    }
  }
  record.requests = std::move(requests);
  record.answers = std::move(answers);
}

bool is_pending(const Exchange& exchange) { return exchange.answer == AnswerKind::Pending; }
bool is_open(const Exchange& exchange) { return exchange.end == StreamEnd::Open; }

/// Those exchanges that `is_left`, in words.
std::vector<std::string> left_of(const std::vector<Exchange>& exchanges, const auto& is_left) {
  std::vector<std::string> left;
  for (const Exchange& exchange : exchanges) {
    if (is_left(exchange)) {
      left.push_back(
          fmt::format("{} of {}", request_text(exchange.request), exchange.request.client));
    }
  }
  return left;
}

}  // namespace

void Story::check_waivers() const {
  const std::vector<Invariant>& catalogue = invariant_catalogue();
  for (const Waiver& waiver : options_.waived) {
    if (std::ranges::find(catalogue, waiver.invariant, &Invariant::name) == catalogue.end()) {
      throw StoryError(fmt::format("there is no invariant '{}' to waive", waiver.invariant));
    }
    if (waiver.because.empty()) {
      throw StoryError(
          fmt::format("the invariant '{}' is waived without a reason", waiver.invariant));
    }
  }
}

void Story::record_fault(const FaultSketch& fault, FaultId id) {
  const std::vector<FaultEntry>& catalogue = fault_catalogue();
  const auto entry = std::ranges::find(catalogue, fault.name, &FaultEntry::name);
  injected_.push_back({.name = fault.name,
                       .as = fault.as.empty() ? fault.name : fault.as,
                       .legal = entry == catalogue.end() || entry->legality == Legality::Legal,
                       .at = runtime_.now(),
                       .of = fault.of,
                       .line = fault.line,
                       .choice = fault.choice,
                       .id = id,
                       .acted = is_instant(fault.name) ? 1 : 0});
}

std::vector<std::string> Story::handlers_of(const StoryClientOptions& client) const {
  std::vector<std::string> handlers;
  for (const HandlerRecord& handler : record_.handlers) {
    if (handler.client == client.name && !handler.left) {
      handlers.push_back(handler.name);
    }
  }
  if (traits_of(client.kind).handlers == HandlerCount::One) {
    handlers.push_back(client.handlers.empty() ? StoryHandlerOptions().name
                                               : client.handlers.front().name);
  }
  return handlers;
}

void Story::record_clients() {
  for (const StoryClientOptions& client : options_.clients) {
    const Member& each = member(client.name);
    const ClientTraits& traits = traits_of(client.kind);
    record_.clients.push_back(
        {.name = client.name,
         .namespace_ = client.namespace_,
         .label_selector = client.label_selector,
         .field_selector = client.field_selector,
         .started = each.started,
         .stopped = each.stopped,
         .informer = traits.handlers != HandlerCount::None,
         .synced = each.started && each.client->has_synced(),
         .keeps_deltas = traits.keeps_deltas && !machine_of(client).batches,
         .keeps_store = traits.keeps_store,
         .workers = traits.has_work_queue,
         .resync = client.resync,
         .slowest = slowest_of(client),
         .handlers = handlers_of(client),
         .resource = qualified_name(stage_->types.find_kind(client.watches)->resource)});
    record_.store_versions[client.name] = each.client->reached();  // before what it holds
    record_.stores[client.name] = each.client->stored();
    if (const auto indexed = each.client->indexed()) {
      record_.indices[client.name] = *indexed;
    }
    if (const auto indexed = each.client->indexed_late()) {
      record_.late_indices[client.name] = *indexed;
    }
    if (options_.transcribe) {
      record_.synced[client.name] = each.client->has_synced();
    }
  }
}

void Story::record_streams() {
  const runtime::TimePoint deadline = runtime_.now() + kGracePeriod;
  const auto is_ours = [&](const Exchange& each) { return !is_foreign(each.request.client); };
  const auto look = [&] {
    const std::vector<Exchange> exchanges = stage_->host->exchanges();
    record_.left_open =
        left_of(exchanges, [&](const Exchange& each) { return is_open(each) && is_ours(each); });
    record_.left_pending =
        left_of(exchanges, [&](const Exchange& each) { return is_pending(each) && is_ours(each); });
    return !record_.left_open.empty() || !record_.left_pending.empty();
  };
  while (look() && runtime_.now() < deadline) {
    runtime::sleep_for(runtime_, std::chrono::milliseconds(1));
  }
}

void Story::abandon() {
  if (finished_) {
    return;
  }
  settle();
  finished_ = true;
  record_ = stage_->recorder->close();
  runtime_.note({"story", "end", ""});
  record_.faults = injected_;
  record_.quiet = quiet_;
  record_clients();
  const std::vector<Exchange> exchanges = stage_->host->exchanges();
  for (const Exchange& exchange : exchanges) {
    if (is_open(exchange) && exchange.lost > 0) {
      record_.lost_events.push_back(exchange.request.client);
    }
  }
  stage_->host->transact([&](ServerHost::Transaction& transaction) {
    record_.revision = revision_text(transaction.servers().store().revision());
    for (FaultRecord& fault : record_.faults) {
      fault.acted += fault.in_place ? transaction.acted(fault.id) : 0;
    }
    stage_->recorder->complete(record_, exchanges);
  });
  end_clients();
  if (moments_) {
    moments_->finish(record_);
    record_afterwards();
  }
  record_streams();
}

void Story::end_clients() {
  record_.asked_to_end = runtime_.now();
  for (auto& [name, each] : members_) {
    each.client->stop();
  }
  for (auto& [name, each] : members_) {
    note_the_end_of(name);
  }
  for (auto& [name, each] : members_) {
    each.client->join();
  }
  for (const auto& [name, task] : ended_) {
    task.join();
  }
  if (stage_->controllers != nullptr) {
    stage_->controllers->stop();
  }
  record_.ended = record_ended_;
  record_.ending = runtime_.now() - record_.asked_to_end;
}

void Story::record_afterwards() {
  auto afterwards = std::make_shared<Record>(stage_->recorder->afterwards());
  for (const auto& [name, each] : members_) {
    afterwards->stores[name] = each.client->stored();
    afterwards->synced[name] = each.client->has_synced();
    afterwards->store_versions[name] = each.client->store_version();
  }
  record_.afterwards = std::move(afterwards);
}

bool Story::is_foreign(const std::string& client) const {
  const auto found = std::ranges::find(options_.clients, client, &StoryClientOptions::name);
  return found == options_.clients.end() ? options_.real_time : traits_of(found->kind).external;
}

std::vector<std::string> Story::broken_invariants() const {
  const bool all_ours = std::ranges::none_of(options_.clients, [](const StoryClientOptions& each) {
    return traits_of(each.kind).external;
  });
  if (!options_.real_time && all_ours) {
    return each_on_one_line(sim::broken_invariants(record_, options_.waived));
  }
  Record ours = record_;
  keep_requests(ours, [&](const std::string& client) { return !is_foreign(client); });
  std::erase_if(ours.clients, [&](const ClientRecord& each) { return is_foreign(each.name); });
  std::erase_if(ours.lost_events, [&](const std::string& each) { return is_foreign(each); });
  std::vector<std::string> broken = sim::broken_invariants(ours, options_.waived);
  Record outside;
  outside.quiet = record_.quiet;
  outside.requests = record_.requests;
  outside.answers = record_.answers;
  outside.faults = record_.faults;
  outside.revision = record_.revision;
  keep_requests(outside, [&](const std::string& client) {
    const auto found = std::ranges::find(options_.clients, client, &StoryClientOptions::name);
    return found != options_.clients.end() && traits_of(found->kind).in_lockstep;
  });
  std::ranges::move(sim::broken_outside(outside, options_.waived), std::back_inserter(broken));
  return each_on_one_line(std::move(broken));
}

void Story::finish() {
  if (finished_) {
    return;
  }
  abandon();
  const std::vector<std::string> broken = broken_invariants();
  if (!broken.empty()) {
    std::string lines;
    for (const std::string& each : broken) {
      lines += (lines.empty() ? "" : "\n") + each;
    }
    throw Violation(lines);
  }
}

}  // namespace watchlab::sim
