#include "core/metrics/exported_workqueue_metrics.hpp"

#include "core/metrics/seconds.hpp"

namespace watchlab::metrics {
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
