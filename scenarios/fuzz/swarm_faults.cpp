#include "scenarios/fuzz/swarm_faults.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace watchlab::scenarios {
namespace {

using std::chrono::milliseconds;

// Not black_hole: what it takes of a request nobody ever answers, and a client waits for
// ever.
constexpr std::array<std::string_view, 7> kStreamFaults{
    "close_watch", "cut_watch",     "tear_event",         "fail_stream",
    "stall_watch", "buffer_events", "swallow_error_event"};
constexpr std::array<std::string_view, 8> kRequestFaults{
    "refuse_connections", "fail_watch",      "fail_list",     "fail_requests",
    "login_page",         "cache_not_ready", "hang_requests", "delay"};
constexpr std::array<std::string_view, 7> kServerFaults{
    "restart_server", "evict_watch_window", "compact_store",    "freeze_server",
    "lag_server",     "stop_progress",      "withdraw_resource"};

/// Failures that a correct server, or the network before it, may answer with.
constexpr std::array<const char*, 11> kSwarmAnswers{
    "refused", "reset",       "eof",     "too_many",       "internal",    "expired",
    "gone",    "unavailable", "timeout", "server_timeout", "too_large_rv"};
/// Failures that a correct server may send on a stream.
constexpr std::array<const char*, 4> kStreamAnswers{"expired", "too_many", "internal",
                                                    "unavailable"};

template <std::size_t count>
bool is_one_of(const std::array<std::string_view, count>& names, std::string_view name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

}  // namespace

std::vector<std::string_view> swarm_fault_names() {
  std::vector<std::string_view> names(kStreamFaults.begin(), kStreamFaults.end());
  names.insert(names.end(), kRequestFaults.begin(), kRequestFaults.end());
  names.insert(names.end(), kServerFaults.begin(), kServerFaults.end());
  return names;
}

SwarmFaults::SwarmFaults(sim::RandomNumbers& numbers, std::uint32_t servers,
                         std::vector<std::string> clients)
    : numbers_(numbers), servers_(servers), clients_(std::move(clients)) {
  const std::vector<std::string_view> all = swarm_fault_names();
  for (const std::string_view name : all) {
    if (numbers_.below(4) == 0) {
      swarm_.push_back(name);
    }
  }
  if (swarm_.empty()) {
    swarm_.push_back(all[numbers_.below(static_cast<std::uint32_t>(all.size()))]);
  }
}

runtime::Duration SwarmFaults::up_to(std::uint32_t limit) {
  return milliseconds(1 + numbers_.below(limit));
}

std::string SwarmFaults::answer() { return kSwarmAnswers.at(numbers_.below(kSwarmAnswers.size())); }

DrawnFault SwarmFaults::draw(std::string name) {
  DrawnFault fault = make(swarm_[numbers_.below(static_cast<std::uint32_t>(swarm_.size()))]);
  if (fault.lasts) {
    fault.sketch.as = std::move(name);
  }
  return fault;
}

DrawnFault SwarmFaults::make(std::string_view name) {
  DrawnFault fault;
  fault.sketch.name = name;
  if (is_one_of(kServerFaults, name)) {
    details_of_servers(fault);
    return fault;
  }
  if (clients_.size() > 1 && numbers_.below(3) == 0) {
    fault.sketch.of = clients_[numbers_.below(static_cast<std::uint32_t>(clients_.size()))];
  }
  if (is_one_of(kStreamFaults, name)) {
    details_of_streams(fault);
  } else {
    details_of_requests(fault);
  }
  return fault;
}

void SwarmFaults::details_of_streams(DrawnFault& fault) {
  auto& parameters = fault.sketch.parameters;
  const std::string& name = fault.sketch.name;
  if (name == "close_watch" || name == "cut_watch") {
    fault.lasts = numbers_.below(3) == 0;
    if (fault.lasts) {
      parameters["new_streams"] = true;
      parameters["after"] = up_to(3'000);
    }
  } else if (name == "tear_event") {
    parameters["clean"] = numbers_.below(2) == 0;
    fault.sketch.times = 1 + numbers_.below(2);
    fault.lasts = true;
  } else if (name == "fail_stream") {
    parameters["answer"] = std::string(kStreamAnswers.at(numbers_.below(kStreamAnswers.size())));
    fault.lasts = numbers_.below(3) == 0;
    if (fault.lasts) {
      parameters["new_streams"] = true;
      parameters["after_events"] = static_cast<std::int64_t>(numbers_.below(3));
    }
  } else if (name == "stall_watch") {
    parameters["span"] = up_to(20'000);
    fault.lasts = true;
  } else if (name == "buffer_events") {
    parameters["every"] = up_to(5'000);
    fault.lasts = true;
  } else if (name == "black_hole") {
    // It may be healed before anybody has found it out, and then nobody does.
    fault.is_silent = true;
    fault.lasts = true;
    parameters["detected_after"] =
        numbers_.below(3) == 0 ? runtime::Duration::zero() : up_to(45'000);
  } else {
    fault.lasts = true;
  }
}

void SwarmFaults::details_of_requests(DrawnFault& fault) {
  auto& parameters = fault.sketch.parameters;
  const std::string& name = fault.sketch.name;
  fault.lasts = true;
  if (name != "refuse_connections" && numbers_.below(2) == 0) {
    fault.sketch.times = 1 + numbers_.below(3);
  }
  if (name == "delay") {
    constexpr std::array<const char*, 3> what{"requests", "answers", "events"};
    parameters["by"] = up_to(2'500);
    parameters["what"] = std::string(what.at(numbers_.below(what.size())));
  } else if (name == "hang_requests") {
    parameters["after"] = up_to(60'000);
  } else if (name == "fail_watch" || name == "fail_list" || name == "fail_requests") {
    parameters["answer"] = answer();
    if (numbers_.below(4) == 0) {
      parameters["retry_after"] = std::int64_t{1} + numbers_.below(3);
    }
  }
}

void SwarmFaults::details_of_servers(DrawnFault& fault) {
  auto& parameters = fault.sketch.parameters;
  const std::string& name = fault.sketch.name;
  const bool of_one = name == "restart_server" || name == "freeze_server" || name == "lag_server";
  if (of_one && servers_ > 1) {
    parameters["server"] = static_cast<std::int64_t>(numbers_.below(servers_));
  }
  if (name == "lag_server") {
    parameters["by"] = up_to(5'000);
  }
  if (name == "withdraw_resource") {
    parameters["resource"] = std::string("configmaps");
  }
  fault.lasts = name != "restart_server" && name != "evict_watch_window" && name != "compact_store";
}

}  // namespace watchlab::scenarios
