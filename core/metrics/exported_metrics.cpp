#include "core/metrics/exported_metrics.hpp"

#include <algorithm>
#include <charconv>
#include <optional>
#include <string_view>
#include <utility>

#include "core/metrics/registry.hpp"

namespace watchlab::metrics {
namespace {

std::vector<double> duration_bounds() {
  // From a millisecond to beyond the longest watch that a server allows.
  return exponential_bounds(0.001, 4, 11);
}

/// As the bounds of Kubernetes for what an informer does with what it popped.
std::vector<double> latency_bounds() {
  return {0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10};
}

/// Nothing when it is no number that fits.
std::optional<double> number_in(std::string_view text) {
  std::uint64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  const bool whole = error == std::errc() && end == text.data() + text.size();
  return whole ? std::optional(static_cast<double>(number)) : std::nullopt;
}

Labels labels_of(const cache::InformerIdentity& identity) {
  const api::GroupVersionResource& resource = identity.resource();
  return {{"name", identity.name()},
          {"group", resource.group},
          {"version", resource.version},
          {"resource", resource.resource}};
}

std::vector<double> size_bounds() { return exponential_bounds(1, 10, 7); }

}  // namespace

ExportedReflectorMetrics::ExportedReflectorMetrics(Registry& registry, const std::string& name)
    : lists_(registry.counter({"reflector_lists_total", "Lists begun."}, {{"name", name}})),
      list_duration_(registry.histogram(
          {"reflector_list_duration_seconds", "How long lists took, all pages together."},
          {{"name", name}}, duration_bounds())),
      items_per_list_(registry.histogram({"reflector_items_per_list", "Items of each good list."},
                                         {{"name", name}}, size_bounds())),
      watches_(registry.counter({"reflector_watches_total", "Watches begun."}, {{"name", name}})),
      short_watches_(registry.counter(
          {"reflector_short_watches_total", "Watches that ended within a second, without events."},
          {{"name", name}})),
      watch_duration_(
          registry.histogram({"reflector_watch_duration_seconds", "How long watches lived."},
                             {{"name", name}}, duration_bounds())),
      items_per_watch_(registry.histogram({"reflector_items_per_watch", "Events of each watch."},
                                          {{"name", name}}, size_bounds())),
      last_resource_version_(
          registry.gauge({"reflector_last_resource_version", "The revision that was reached."},
                         {{"name", name}})) {}

void ExportedReflectorMetrics::list_ended(runtime::Duration took) {
  list_duration_.observe(in_seconds(took));
}

void ExportedReflectorMetrics::items_listed(std::size_t items) {
  items_per_list_.observe(static_cast<double>(items));
}

void ExportedReflectorMetrics::watch_ended(runtime::Duration took, std::size_t events) {
  watch_duration_.observe(in_seconds(took));
  items_per_watch_.observe(static_cast<double>(events));
}

void ExportedReflectorMetrics::reached(const std::string& resource_version) {
  if (const std::optional<double> revision = number_in(resource_version)) {
    last_resource_version_.set(*revision);
  }
}

ExportedInformerMetrics::ExportedInformerMetrics(Registry& registry,
                                                 cache::InformerIdentity identity)
    : identity_(std::move(identity)),
      depth_(registry.gauge({"informer_queued_items", "Items that wait in the informer's queue."},
                            labels_of(identity_))),
      processing_latency_(registry.histogram(
          {"informer_processing_latency_seconds", "How long what was popped took to be processed."},
          labels_of(identity_), latency_bounds())),
      store_resource_version_(registry.gauge(
          {"informer_store_resource_version", "The last 15 digits of the store's revision."},
          labels_of(identity_))) {}

void ExportedInformerMetrics::depth_is(std::size_t depth) {
  if (identity_.reserved()) {
    depth_.set(static_cast<double>(depth));
  }
}

void ExportedInformerMetrics::processed(runtime::Duration took) {
  if (identity_.reserved()) {
    processing_latency_.observe(in_seconds(took));
  }
}

void ExportedInformerMetrics::store_reached(const std::string& resource_version) {
  constexpr std::size_t kDigits = 15;
  const std::string_view text = resource_version;
  const std::optional<double> revision =
      text.empty() ? 0 : number_in(text.substr(text.size() - std::min(text.size(), kDigits)));
  if (revision && identity_.reserved()) {
    store_resource_version_.set(*revision);
  }
}

ExportedQueueDepth::ExportedQueueDepth(Registry& registry, const std::string& name)
    : depth_(registry.gauge({"informer_queued_items", "Keys that wait in the informer's queue."},
                            {{"name", name}})) {}

namespace {

std::vector<double> bounds() { return exponential_bounds(1e-8, 10, 12); }

}  // namespace

ExportedWorkqueueMetrics::ExportedWorkqueueMetrics(Registry& registry, const std::string& name)
    : depth_(
          registry.gauge({"workqueue_depth", "Keys that are to be processed."}, {{"name", name}})),
      adds_(registry.counter({"workqueue_adds_total", "Keys added that did not wait already."},
                             {{"name", name}})),
      queue_duration_(registry.histogram(
          {"workqueue_queue_duration_seconds", "How long keys waited for a worker."},
          {{"name", name}}, bounds())),
      work_duration_(
          registry.histogram({"workqueue_work_duration_seconds", "How long workers had a key."},
                             {{"name", name}}, bounds())),
      retries_(registry.counter({"workqueue_retries_total", "Keys added with a delay."},
                                {{"name", name}})) {}

void ExportedWorkqueueMetrics::key_added(std::size_t depth) {
  depth_.set(static_cast<double>(depth));
  adds_.add();
}

void ExportedWorkqueueMetrics::key_taken(std::size_t depth, runtime::Duration waited) {
  depth_.set(static_cast<double>(depth));
  queue_duration_.observe(in_seconds(waited));
}

void ExportedWorkqueueMetrics::key_done(runtime::Duration worked) {
  work_duration_.observe(in_seconds(worked));
}

}  // namespace watchlab::metrics
