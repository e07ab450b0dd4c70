#pragma once

#include <string>

#include "core/cache/queue.hpp"
#include "core/cache/reflector.hpp"
#include "core/cache/sync/informer_name.hpp"
#include "core/metrics/registry.hpp"
#include "core/workqueue/queue.hpp"

namespace watchlab::metrics {

/// Puts what a reflector counts into a registry, as series with the label `name`: `reflector_` and
/// then `lists_total`, `list_duration_seconds`, `items_per_list`, `watches_total`,
/// `short_watches_total`, `watch_duration_seconds`, `items_per_watch`, `last_resource_version`.
/// The names are those of Kubernetes, so that its dashboards fit.
/// Differs from client-go: distributions are histograms, there they were summaries.
class ExportedReflectorMetrics final : public cache::ReflectorMetrics {
 public:
  ExportedReflectorMetrics(Registry& registry, const std::string& name);

  void list_started() override { lists_.add(); }
  void list_ended(runtime::Duration took) override;
  void items_listed(std::size_t items) override;
  void watch_started() override { watches_.add(); }
  void watch_ended(runtime::Duration took, std::size_t events) override;
  void watch_was_short() override { short_watches_.add(); }
  /// A revision that is no number leaves the gauge as it was.
  void reached(const std::string& resource_version) override;

 private:
  Counter lists_;
  Histogram list_duration_;
  Histogram items_per_list_;
  Counter watches_;
  Counter short_watches_;
  Histogram watch_duration_;
  Histogram items_per_watch_;
  Gauge last_resource_version_;
};

/// Puts a queue's length into a registry, as the gauge `informer_queued_items` with the label
/// `name`.
class ExportedQueueDepth final : public cache::QueueDepthMetrics {
 public:
  ExportedQueueDepth(Registry& registry, const std::string& name);

  void depth_is(std::size_t depth) override { depth_.set(static_cast<double>(depth)); }

 private:
  Gauge depth_;
};

/// Puts what a named informer reports into a registry, as series with the labels `name`, `group`,
/// `version` and `resource`: `informer_queued_items`, `informer_processing_latency_seconds` and
/// `informer_store_resource_version`, as long as its identity is reserved. Mirrors Kubernetes 1.36
/// component-base metrics/prometheus/clientgo/fifo, names and bounds.
class ExportedInformerMetrics final : public cache::QueueDepthMetrics, public cache::StoreMetrics {
 public:
  ExportedInformerMetrics(Registry& registry, cache::InformerIdentity identity);

  void depth_is(std::size_t depth) override;
  void processed(runtime::Duration took) override;
  /// The last 15 digits, which a floating-point number holds exactly; 0 for "". A revision that is
  /// no number leaves the gauge as it was.
  void store_reached(const std::string& resource_version) override;

 private:
  cache::InformerIdentity identity_;
  Gauge depth_;
  Histogram processing_latency_;
  Gauge store_resource_version_;
};

/// Puts what a work queue counts into a registry, as series with the label `name`: `workqueue_` and
/// then `depth`, `adds_total`, `queue_duration_seconds`, `work_duration_seconds`, `retries_total`.
/// Mirrors Kubernetes component-base metrics/prometheus/workqueue, names and bounds.
/// Differs from it: the two gauges of unfinished work are left out, as in `QueueMetrics`.
class ExportedWorkqueueMetrics final : public workqueue::QueueMetrics {
 public:
  ExportedWorkqueueMetrics(Registry& registry, const std::string& name);

  void key_added(std::size_t depth) override;
  void key_taken(std::size_t depth, runtime::Duration waited) override;
  void key_done(runtime::Duration worked) override;
  void key_retried() override { retries_.add(); }

 private:
  Gauge depth_;
  Counter adds_;
  Histogram queue_duration_;
  Histogram work_duration_;
  Counter retries_;
};

}  // namespace watchlab::metrics
