#include <fmt/format.h>

#include <algorithm>
#include <boost/json.hpp>
#include <charconv>
#include <cstdint>
#include <map>

#include "sim/controllers/controller_catalogue.hpp"
#include "sim/controllers/keyed_controller.hpp"

namespace watchlab::sim {

namespace {

namespace json = boost::json;

const api::GroupVersionResource kPods{"", "v1", "pods"};
constexpr std::string_view kNode = "watchlab";
/// What a pod says of its end: after how many seconds, and with what.
constexpr const char* kRunsSeconds = "watchlab/runs-seconds";
constexpr const char* kExitCode = "watchlab/exit-code";

std::optional<std::int64_t> annotated_number(const api::Object& pod, const char* name) {
  const auto found = pod.metadata.annotations.find(name);
  std::int64_t number = 0;
  if (found == pod.metadata.annotations.end()) {
    return std::nullopt;
  }
  const std::string& text = found->second;
  const auto read = std::from_chars(text.data(), text.data() + text.size(), number);
  return read.ec == std::errc() && number >= 0 ? std::optional(number) : std::nullopt;
}

bool is_of_job(const api::Object& pod) {
  const std::vector<Owner> owners = owners_of(pod.metadata);
  return std::ranges::any_of(
      owners, [](const Owner& owner) { return owner.kind == "Job" && owner.controls; });
}

/// How long it runs before it comes to its own end; nothing for a pod that runs on. Those of Jobs
/// end at once if they do not say more.
std::optional<runtime::Duration> running_time(const api::Object& pod, const json::object& body) {
  const std::optional<std::int64_t> said = annotated_number(pod, kRunsSeconds);
  if (text_below(body, "/spec/restartPolicy") == "Always" || (!said && !is_of_job(pod))) {
    return std::nullopt;
  }
  return std::chrono::seconds(said.value_or(0));
}

/// Each container in this state.
json::array container_statuses(const json::object& body, const json::object& state, bool runs) {
  json::array statuses;
  const json::value* const containers = value_below(body, "/spec/containers");
  for (const json::value& each :
       containers != nullptr && containers->is_array() ? containers->get_array() : json::array()) {
    const json::object container = each.is_object() ? each.get_object() : json::object();
    const std::string image = text_below(container, "/image");
    statuses.push_back({{"name", text_below(container, "/name")},
                        {"image", image},
                        {"imageID", fmt::format("watchlab/{}", image)},
                        {"containerID", ""},
                        {"ready", runs},
                        {"started", runs},
                        {"restartCount", 0},
                        {"state", state}});
  }
  return statuses;
}

/// Plays the scheduler and the kubelets: a pod gets a node, and a while later its containers run.
class PodController final : public ClusterController {
 public:
  explicit PodController(runtime::Duration after) : after_(after) {}

  bool wrote(const Change& change) override {
    if (*change.resource != kPods) {
      return false;
    }
    if (change.type == watch::EventType::Deleted) {
      due_.erase(change.key);
      return false;
    }
    const std::optional<runtime::Duration> next = next_step(*change.object);
    if (!next) {
      due_.erase(change.key);
      return false;
    }
    // What happens next waits from the moment in which the pod came to its state.
    const Due due{state_of(*change.object), change.at + *next};
    const auto [known, is_new] = due_.try_emplace(change.key, due);
    const bool is_other = is_new || known->second.state != due.state;
    known->second = is_other ? due : known->second;
    return is_other;
  }

  std::optional<runtime::TimePoint> act(ServerHost::Transaction& host) override {
    std::vector<std::string> now_due;
    for (const auto& [key, due] : due_) {
      if (due.at <= host.now() && now_due.size() < kAtOnceMax) {
        now_due.push_back(key);
      }
    }
    for (const std::string& key : now_due) {
      due_.erase(key);
      if (const api::ObjectPtr pod = object_at(host, {kPods, key})) {
        step(host, *pod);
      }
    }
    std::optional<runtime::TimePoint> next;
    for (const auto& [key, due] : due_) {
      next = std::min(next.value_or(due.at), due.at);
    }
    return next;
  }

 private:
  /// When something happens to a pod by itself, if it is still in that state then.
  struct Due {
    std::string state;
    runtime::TimePoint at;
  };

  static std::string state_of(const api::Object& pod) {
    return pod.metadata.deletion_timestamp.empty() ? text_below(members_of(pod), "/status/phase")
                                                   : "deleted";
  }

  /// How long from now until something happens to it by itself; nothing for never.
  [[nodiscard]] std::optional<runtime::Duration> next_step(const api::Object& pod) const {
    const json::object body = members_of(pod);
    const std::string phase = text_below(body, "/status/phase");
    if (!pod.metadata.deletion_timestamp.empty() || phase.empty() || phase == "Pending") {
      return after_;
    }
    return phase == "Running" ? running_time(pod, body) : std::nullopt;
  }

  void step(ServerHost::Transaction& host, const api::Object& pod) {
    if (!pod.metadata.deletion_timestamp.empty()) {
      delete_object(host, kPods, pod.metadata, "", 0);
      return;
    }
    json::object body = members_of(pod);
    if (text_below(body, "/status/phase") == "Running") {
      end(host, pod, std::move(body));
    } else {
      run(host, pod, std::move(body));
    }
  }

  void run(ServerHost::Transaction& host, const api::Object& pod, json::object body) {
    if (text_below(body, "/spec/nodeName").empty()) {
      json::value& spec = body["spec"];
      (spec.is_object() ? spec.get_object() : spec.emplace_object())["nodeName"] = kNode;
      api::Object bound = pod;
      bound.body = json::serialize(body);
      write_object(host, kPods, std::move(bound));
    }
    const api::ObjectPtr bound = object_at(host, {kPods, api::key_of(pod.metadata)});
    if (bound == nullptr) {
      return;
    }
    const std::string now = timestamp(host.now());
    json::value& before = body["status"];
    json::object status = before.is_object() ? before.get_object() : json::object();
    status["phase"] = "Running";
    status["startTime"] = now;
    status["hostIP"] = "10.0.0.1";
    status["podIP"] = next_address();
    status["podIPs"] = json::array{json::object{{"ip", status["podIP"]}}};
    status["conditions"] =
        json::array{condition_of("PodScheduled", "", now), condition_of("Initialized", "", now),
                    condition_of("ContainersReady", "", now), condition_of("Ready", "", now)};
    status["containerStatuses"] =
        container_statuses(body, {{"running", json::object{{"startedAt", now}}}}, true);
    write_status(host, kPods, *bound, std::move(status));
  }

  static void end(ServerHost::Transaction& host, const api::Object& pod, json::object body) {
    const std::string now = timestamp(host.now());
    const std::int64_t code = annotated_number(pod, kExitCode).value_or(0);
    json::object status = body["status"].get_object();
    status["phase"] = code == 0 ? "Succeeded" : "Failed";
    const std::string reason = code == 0 ? "PodCompleted" : "PodFailed";
    json::object ready = condition_of("Ready", reason, now);
    json::object containers = condition_of("ContainersReady", reason, now);
    ready["status"] = containers["status"] = "False";
    status["conditions"] =
        json::array{condition_of("PodScheduled", "", now), condition_of("Initialized", reason, now),
                    std::move(containers), std::move(ready)};
    const json::object terminated{{"exitCode", code},
                                  {"reason", code == 0 ? "Completed" : "Error"},
                                  {"startedAt", text_below(body, "/status/startTime")},
                                  {"finishedAt", now}};
    status["containerStatuses"] = container_statuses(body, {{"terminated", terminated}}, false);
    write_status(host, kPods, pod, std::move(status));
  }

  std::string next_address() {
    constexpr int kRow = 250;
    const int number = addresses_++;
    return fmt::format("10.244.{}.{}", number / kRow % kRow, number % kRow + 1);
  }

  runtime::Duration after_;
  int addresses_ = 0;
  std::map<std::string, Due> due_;
};

}  // namespace

json::object condition_of(std::string_view type, std::string_view reason, const std::string& now) {
  json::object made{{"type", type}, {"status", "True"}, {"lastTransitionTime", now}};
  if (!reason.empty()) {
    made["reason"] = reason;
  }
  return made;
}

std::unique_ptr<ClusterController> make_pod_controller(const ControllerSettings& settings) {
  return std::make_unique<PodController>(settings.pods_after);
}

}  // namespace watchlab::sim
