#include "scenarios/fuzz/swarm_faults.hpp"

#include <array>
#include <span>
#include <utility>

#include "scenarios/fuzz/story_generator.hpp"

namespace watchlab::scenarios {
namespace {

using sim::ParameterValue;
using sim::RandomNumbers;
using std::chrono::milliseconds;

/// A parameter of a fault, and how its value is drawn; for some values `limit` says of how many.
struct Detail {
  const char* key;
  ParameterValue (*draw)(RandomNumbers& numbers, std::uint32_t limit);
  std::uint32_t limit = 0;
};
using Details = std::vector<Detail>;

enum class Hits : std::uint8_t { Streams, Connections, Requests, Servers, OneServer, Bytes };

}  // namespace

/// What is drawn of a fault, in this order: the client or server that it hits, of requests perhaps
/// how many, its details, whether it lasts, and how many messages. It lasts until it is healed, but
/// for those that are over at once, and those that have details only when they last: one in three.
struct FaultRow {
  std::string_view name;
  Hits hits;
  Details details = {};
  Details of_lasting = {};
  std::uint32_t times_max = 0;  ///< 0 for as many as there are
  bool is_over_at_once = false;
};

namespace {

/// Failures that a correct server, or the network before it, may answer with.
constexpr std::array<const char*, 11> kSwarmAnswers{
    "refused", "reset",       "eof",     "too_many",       "internal",    "expired",
    "gone",    "unavailable", "timeout", "server_timeout", "too_large_rv"};
/// Failures that a correct server may send on a stream.
constexpr std::array<const char*, 4> kStreamAnswers{"expired", "too_many", "internal",
                                                    "unavailable"};
constexpr std::array<const char*, 3> kCarriers{"requests", "answers", "events"};

template <const auto& words>
ParameterValue word(RandomNumbers& numbers, std::uint32_t /*limit*/) {
  return std::string(words.at(numbers.below(words.size())));
}
ParameterValue configmaps(RandomNumbers& /*numbers*/, std::uint32_t /*limit*/) {
  return std::string("configmaps");
}
/// From one millisecond to the limit.
ParameterValue time(RandomNumbers& numbers, std::uint32_t limit) {
  return runtime::Duration(milliseconds(1 + numbers.below(limit)));
}
/// From none to below the limit, in milliseconds.
ParameterValue pause(RandomNumbers& numbers, std::uint32_t limit) {
  return runtime::Duration(milliseconds(numbers.below(limit)));
}
ParameterValue below(RandomNumbers& numbers, std::uint32_t limit) {
  return std::int64_t{numbers.below(limit)};
}
ParameterValue from_one(RandomNumbers& numbers, std::uint32_t limit) {
  return std::int64_t{1} + numbers.below(limit);
}
ParameterValue yes(RandomNumbers& /*numbers*/, std::uint32_t /*limit*/) { return true; }
ParameterValue either(RandomNumbers& numbers, std::uint32_t /*limit*/) {
  return numbers.below(2) == 0;
}
/// In one of four cases; "" where it is not given.
ParameterValue rarely(RandomNumbers& numbers, std::uint32_t limit) {
  return numbers.below(4) == 0 ? from_one(numbers, limit) : ParameterValue();
}

constexpr auto kCarrier = word<kCarriers>;

/// Not black_hole: what it takes of a request is never answered, and a client waits indefinitely.
const std::vector<FaultRow>& rows() {
  static const Details kEnds{{"new_streams", yes}, {"after", time, 3'000}};
  static const Details kFailsLater{{"new_streams", yes}, {"after_events", below, 3}};
  static const Details kFails{{"answer", word<kSwarmAnswers>}, {"retry_after", rarely, 3}};
  static const Details kTears{{"what", kCarrier}, {"keep", below, 600}, {"reset", either}};
  static const Details kSplits{{"what", kCarrier}, {"piece", from_one, 200}, {"pause", pause, 20}};
  static const std::vector<FaultRow> kRows{
      {"close_watch", Hits::Streams, {}, kEnds},
      {"cut_watch", Hits::Streams, {}, kEnds},
      {"tear_event", Hits::Streams, {{"clean", either}}, {}, 2},
      {"fail_stream", Hits::Streams, {{"answer", word<kStreamAnswers>}}, kFailsLater},
      {"stall_watch", Hits::Streams, {{"span", time, 20'000}}},
      {"buffer_events", Hits::Streams, {{"every", time, 5'000}}},
      {"swallow_error_event", Hits::Streams},
      {"refuse_connections", Hits::Connections},
      {"fail_watch", Hits::Requests, kFails},
      {"fail_list", Hits::Requests, kFails},
      {"fail_requests", Hits::Requests, kFails},
      {"login_page", Hits::Requests},
      {"cache_not_ready", Hits::Requests},
      {"hang_requests", Hits::Requests, {{"after", time, 60'000}}},
      {"delay", Hits::Requests, {{"by", time, 2'500}, {"what", kCarrier}}},
      {.name = "restart_server", .hits = Hits::OneServer, .is_over_at_once = true},
      {.name = "evict_watch_window", .hits = Hits::Servers, .is_over_at_once = true},
      {.name = "compact_store", .hits = Hits::Servers, .is_over_at_once = true},
      {"freeze_server", Hits::OneServer},
      {"lag_server", Hits::OneServer, {{"by", time, 5'000}}},
      {"stop_progress", Hits::Servers},
      {"withdraw_resource", Hits::Servers, {{"resource", configmaps}}},
      {"tear_bytes", Hits::Bytes, kTears, {}, 3},
      {"split_bytes", Hits::Bytes, kSplits, {}, 10},
      {"omit_last_chunk", Hits::Bytes},
      {"omit_newline", Hits::Bytes},
      {"interim_response", Hits::Bytes},
      {"join_events", Hits::Bytes, {{"grace_period", time, 3'000}}}};
  return kRows;
}

/// Those about bytes stand behind all others.
std::span<const FaultRow> rows_about_bytes(bool bytes) {
  const auto first = std::ranges::find(rows(), Hits::Bytes, &FaultRow::hits);
  return bytes ? std::span(first, rows().end()) : std::span(rows().begin(), first);
}

std::vector<std::string_view> names_of(std::span<const FaultRow> rows) {
  std::vector<std::string_view> names;
  for (const FaultRow& row : rows) {
    names.push_back(row.name);
  }
  return names;
}

void add_details(sim::FaultSketch& fault, const Details& details, RandomNumbers& numbers) {
  for (const Detail& detail : details) {
    const ParameterValue value = detail.draw(numbers, detail.limit);
    if (value != ParameterValue()) {
      fault.parameters[detail.key] = value;
    }
  }
}

/// Adds what does not depend on clients and servers. Whether the fault lasts.
bool finish(sim::FaultSketch& fault, const FaultRow& row, RandomNumbers& numbers) {
  add_details(fault, row.details, numbers);
  const bool lasts = row.of_lasting.empty() ? !row.is_over_at_once : numbers.below(3) == 0;
  if (lasts) {
    add_details(fault, row.of_lasting, numbers);
  }
  if (row.times_max > 0) {
    fault.times = 1 + numbers.below(row.times_max);
  }
  return lasts;
}

const auto& pick(const auto& values, RandomNumbers& numbers) {
  return values[numbers.below(static_cast<std::uint32_t>(values.size()))];
}

}  // namespace

std::vector<std::string_view> swarm_fault_names() { return names_of(rows_about_bytes(false)); }

std::vector<std::string_view> wire_fault_names() { return names_of(rows_about_bytes(true)); }

SwarmFaults::SwarmFaults(RandomNumbers& numbers, std::uint32_t servers,
                         std::vector<std::string> clients)
    : numbers_(numbers), servers_(servers), clients_(std::move(clients)) {
  const std::span<const FaultRow> all = rows_about_bytes(false);
  for (const FaultRow& row : all) {
    if (numbers_.below(4) == 0) {
      swarm_.push_back(&row);
    }
  }
  if (swarm_.empty()) {
    swarm_.push_back(&pick(all, numbers_));
  }
}

DrawnFault SwarmFaults::draw(std::string name) {
  DrawnFault fault = make(*pick(swarm_, numbers_));
  if (fault.lasts) {
    fault.sketch.as = std::move(name);
  }
  return fault;
}

DrawnFault SwarmFaults::make(const FaultRow& row) {
  DrawnFault fault;
  fault.sketch.name = row.name;
  const bool hits_servers = row.hits == Hits::Servers || row.hits == Hits::OneServer;
  if (!hits_servers && clients_.size() > 1 && numbers_.below(3) == 0) {
    fault.sketch.of = pick(clients_, numbers_);
  }
  if (row.hits == Hits::OneServer && servers_ > 1) {
    fault.sketch.parameters["server"] = std::int64_t{numbers_.below(servers_)};
  }
  if (row.hits == Hits::Requests && numbers_.below(2) == 0) {
    fault.sketch.times = 1 + numbers_.below(3);
  }
  fault.lasts = finish(fault.sketch, row, numbers_);
  return fault;
}

sim::FaultSketch draw_wire_fault(RandomNumbers& numbers) {
  const FaultRow& row = pick(rows_about_bytes(true), numbers);
  sim::FaultSketch fault{.name = std::string(row.name)};
  (void)finish(fault, row, numbers);
  return fault;
}

}  // namespace watchlab::scenarios
