#include <algorithm>
#include <boost/json.hpp>
#include <cstdint>
#include <set>

#include "sim/controllers/controller_catalogue.hpp"
#include "sim/controllers/keyed_controller.hpp"
#include "sim/controllers/pod_templates.hpp"

namespace watchlab::sim {

namespace {

namespace json = boost::json;

const api::GroupVersionResource kJobs{"batch", "v1", "jobs"};
const api::GroupVersionResource kJobPods{"", "v1", "pods"};

/// How many pods of a Job run at a time, as if its nodes had no room for more.
constexpr std::int64_t kActiveMax = 1000;
/// How many pods of a Job are made, those that have ended among them.
constexpr std::int64_t kPodsMax = 10'000;

/// What has become of a Job's pods.
struct PodCount {
  std::int64_t all = 0;
  std::int64_t active = 0;
  std::int64_t ready = 0;
  std::int64_t succeeded = 0;
  std::int64_t failed = 0;
};

bool has_ended(const json::object& body) {
  const json::value* const conditions = value_below(body, "/status/conditions");
  return conditions != nullptr && conditions->is_array() &&
         std::ranges::any_of(conditions->get_array(), [](const json::value& each) {
           const json::object* const condition = each.if_object();
           const std::string type = condition == nullptr ? "" : text_below(*condition, "/type");
           return (type == "Complete" || type == "Failed") &&
                  text_below(*condition, "/status") == "True";
         });
}

/// Runs a Job's pods. Mirrors kubernetes pkg/controller/job, syncJob, as far as Jobs without
/// indexes and policies go.
class JobController final : public KeyedController {
 protected:
  void concerns(const Change& change, std::set<ObjectPlace>& concerned) override {
    if (*change.resource == kJobs) {
      concerned.emplace(kJobs, change.key);
    } else if (*change.resource == kJobPods) {
      for (const Owner& owner : owners_of(change.object->metadata)) {
        if (owner.kind == "Job" && owner.controls) {
          concerned.emplace(kJobs, api::key_from(change.object->metadata.namespace_, owner.name));
        }
      }
    }
  }

  void settle(ServerHost::Transaction& host, const api::GroupVersionResource&,
              const api::Object& job) override {
    const json::object body = members_of(job);
    const json::value* const suspend = value_below(body, "/spec/suspend");
    if (has_ended(body) || (suspend != nullptr && *suspend == true)) {
      return;
    }
    const std::int64_t parallel = std::min(number_below(body, "/spec/parallelism", 1), kActiveMax);
    const std::int64_t wanted = number_below(body, "/spec/completions", 1);
    PodCount pods = count(host, job);
    const bool failed = pods.failed > number_below(body, "/spec/backoffLimit", 6);
    const bool complete = pods.succeeded >= wanted;
    // Those that it makes concern the Job, which is looked at again.
    for (std::int64_t missing = std::min({std::min(parallel, wanted - pods.succeeded) - pods.active,
                                          kPodsMax - pods.all, std::int64_t{kAtOnceMax}});
         missing > 0 && !failed; --missing) {
      pods.active += make_pod(host, job, body) ? 1 : 0;
    }
    json::object status = status_of(host, body, pods);
    if (failed || complete) {
      const std::string now = timestamp(host.now());
      json::array conditions;
      if (complete) {
        status["completionTime"] = now;
        conditions.push_back(condition_of("SuccessCriteriaMet", "CompletionsReached", now));
      }
      conditions.push_back(complete ? condition_of("Complete", "CompletionsReached", now)
                                    : condition_of("Failed", "BackoffLimitExceeded", now));
      status["conditions"] = std::move(conditions);
    }
    const json::value* const before = value_below(body, "/status");
    if (before == nullptr || *before != json::value(status)) {
      write_status(host, kJobs, job, std::move(status));
    }
  }

 private:
  static json::object status_of(ServerHost::Transaction& host, const json::object& body,
                                const PodCount& pods) {
    const json::value* const before = value_below(body, "/status");
    json::object status =
        before != nullptr && before->is_object() ? before->get_object() : json::object();
    if (!status.contains("startTime")) {
      status["startTime"] = timestamp(host.now());
    }
    for (const auto& [member, number] :
         {std::pair("active", pods.active), std::pair("ready", pods.ready),
          std::pair("succeeded", pods.succeeded), std::pair("failed", pods.failed)}) {
      status.erase(member);
      if (number > 0) {
        status[member] = number;
      }
    }
    return status;
  }

  static PodCount count(ServerHost::Transaction& host, const api::Object& job) {
    PodCount found;
    for (const api::ObjectPtr& pod : objects_in(host, kJobPods, job.metadata.namespace_)) {
      const std::vector<Owner> owners = owners_of(pod->metadata);
      if (!std::ranges::any_of(owners, [&](const Owner& owner) {
            return owner.controls && owner.uid == job.metadata.uid;
          })) {
        continue;
      }
      ++found.all;
      const std::string phase = text_below(members_of(*pod), "/status/phase");
      found.succeeded += phase == "Succeeded" ? 1 : 0;
      found.failed += phase == "Failed" ? 1 : 0;
      const bool is_active =
          phase != "Succeeded" && phase != "Failed" && pod->metadata.deletion_timestamp.empty();
      found.active += is_active ? 1 : 0;
      found.ready += is_active && phase == "Running" ? 1 : 0;
    }
    return found;
  }

  static bool make_pod(ServerHost::Transaction& host, const api::Object& job,
                       const json::object& body) {
    api::Object pod = pod_of_template({"batch/v1", "Job"}, job, body);
    for (const char* prefix : {"", "batch.kubernetes.io/"}) {
      pod.metadata.labels[std::string(prefix) + "job-name"] = job.metadata.name;
      pod.metadata.labels[std::string(prefix) + "controller-uid"] = job.metadata.uid;
    }
    return create_object(host, kJobPods, std::move(pod));
  }
};

}  // namespace

std::unique_ptr<ClusterController> make_job_controller(const ControllerSettings&) {
  return std::make_unique<JobController>();
}

}  // namespace watchlab::sim
