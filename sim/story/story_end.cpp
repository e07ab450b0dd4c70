// The end of a story: the record is closed, everybody ends, and the invariants are looked at.
#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "core/runtime/task.hpp"
#include "sim/faults/fault_catalogue.hpp"
#include "sim/invariants/invariant_catalogue.hpp"
#include "sim/kernel/violation.hpp"
#include "sim/story/story.hpp"

namespace watchlab::sim {
namespace {

/// For how long the task of a stopped watch may need to say that it has ended.
constexpr runtime::Duration farewell = std::chrono::seconds(1);

std::vector<std::string> open_watches(const std::vector<Exchange>& exchanges) {
  std::vector<std::string> open;
  for (const Exchange& exchange : exchanges) {
    if (exchange.end == "open") {
      open.push_back(
          fmt::format("{} of {}", request_text(exchange.request), exchange.request.client));
    }
  }
  return open;
}

}  // namespace

void Story::check_waivers() const {
  const std::vector<Invariant> catalogue = invariant_catalogue();
  for (const Waiver& waiver : options_.waived) {
    if (std::none_of(catalogue.begin(), catalogue.end(),
                     [&](const Invariant& each) { return each.name == waiver.invariant; })) {
      throw StoryError(fmt::format("there is no invariant '{}' to waive", waiver.invariant));
    }
    if (waiver.because.empty()) {
      throw StoryError(
          fmt::format("the invariant '{}' is waived without a reason", waiver.invariant));
    }
  }
}

void Story::record_write(const std::string& key, const ObjectStore& store) {
  writes_.push_back({.at = runtime_.now(),
                     .key = key,
                     .revision = revision_text(store.revision()),
                     .object = store.get({"", "v1", "configmaps"}, key)});
}

void Story::record_fault(const FaultSketch& fault) {
  const std::vector<FaultEntry> catalogue = fault_catalogue();
  const auto entry = std::find_if(catalogue.begin(), catalogue.end(),
                                  [&](const FaultEntry& each) { return each.name == fault.name; });
  injected_.push_back({.name = fault.name,
                       .as = fault.as.empty() ? fault.name : fault.as,
                       .legal = entry == catalogue.end() || entry->legality == Legality::Legal});
}

void Story::record_clients() {
  for (const StoryClientOptions& client : options_.clients) {
    const Member& each = member(client.name);
    record_.clients.push_back({.name = client.name,
                               .namespace_ = client.namespace_,
                               .label_selector = client.label_selector,
                               .field_selector = client.field_selector,
                               .started = each.started,
                               .stopped = each.stopped,
                               .informer = client.kind != ClientKind::Program,
                               .synced = each.started && each.client->has_synced(),
                               .keeps_deltas = client.kind != ClientKind::Shared});
    record_.stores[client.name] = each.client->stored();
    if (options_.transcribe) {
      record_.synced[client.name] = each.client->has_synced();
    }
  }
}

void Story::record_streams() {
  const runtime::TimePoint patience = runtime_.now() + farewell;
  record_.left_open = open_watches(stage_->host->exchanges());
  while (!record_.left_open.empty() && runtime_.now() < patience) {
    runtime::sleep_for(runtime_, std::chrono::milliseconds(1));
    record_.left_open = open_watches(stage_->host->exchanges());
  }
}

void Story::abandon() {
  if (finished_) {
    return;
  }
  finished_ = true;
  record_ = stage_->recorder->close();
  runtime_.note({"story", "end", ""});
  record_.writes = writes_;
  record_.faults = injected_;
  record_.quiet = quiet_;
  record_clients();
  for (const Exchange& exchange : stage_->host->exchanges()) {
    if (exchange.end == "open" && exchange.lost > 0) {
      record_.robbed.push_back(exchange.request.client);
    }
  }
  stage_->host->intervene([&](ServerHost::Intervention& intervention) {
    record_.revision = revision_text(intervention.servers().store().revision());
  });
  for (auto& [name, each] : members_) {
    each.client->stop();
  }
  for (auto& [name, each] : members_) {
    each.client->join();
  }
  if (moments_) {
    moments_->finish(record_);
  }
  record_streams();
}

std::vector<std::string> Story::broken_invariants() const {
  return sim::broken_invariants(record_, options_.waived);
}

void Story::finish() {
  if (finished_) {
    return;
  }
  abandon();
  const std::vector<std::string> broken = broken_invariants();
  if (!broken.empty()) {
    throw Violation(fmt::format("{}", fmt::join(broken, "\n")));
  }
}

}  // namespace watchlab::sim
