#pragma once

#include <string>

#include "core/metrics/registry.hpp"
#include "core/workqueue/queue_metrics.hpp"

namespace watchlab::metrics {

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
