#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <boost/json.hpp>
#include <charconv>
#include <chrono>
#include <map>

#include "sim/apiserver/managed_fields.hpp"
#include "sim/http/table_view.hpp"

namespace watchlab::sim {

namespace {

namespace json = boost::json;

constexpr std::int64_t kMinute = 60;
constexpr std::int64_t kHour = 60 * kMinute;
constexpr std::int64_t kDay = 24 * kHour;
constexpr std::int64_t kYear = 365 * kDay;

std::string quoted_cell(std::string_view text) { return json::serialize(json::string(text)); }

json::value body_in(const CellSource& source) {
  boost::system::error_code failure;
  json::value body = json::parse(source.object.body, failure, {}, {.max_depth = kJsonDepthMax});
  return failure ? json::value(json::object()) : body;
}

/// What a JSON pointer leads to, as text; `otherwise` when there is nothing, or no scalar.
std::string text_in(const json::value& body, const char* pointer, std::string_view otherwise) {
  boost::system::error_code failure;
  const json::value* const found = body.find_pointer(pointer, failure);
  if (found == nullptr || found->is_null() || found->is_structured()) {
    return std::string(otherwise);
  }
  return found->is_string() ? std::string(found->as_string()) : json::serialize(*found);
}

template <std::size_t length>
struct PointerText {
  constexpr PointerText(const char (&text)[length]) { std::copy_n(text, length, letters); }
  char letters[length]{};
};

/// A cell with what a pointer into the body leads to.
template <PointerText pointer, PointerText otherwise>
std::string text_cell(const CellSource& source) {
  return quoted_cell(text_in(body_in(source), pointer.letters, otherwise.letters));
}

template <PointerText pointer>
std::string number_cell(const CellSource& source) {
  return text_in(body_in(source), pointer.letters, "0");
}

std::size_t members_at(const json::value& body, const char* pointer) {
  boost::system::error_code failure;
  const json::value* const found = body.find_pointer(pointer, failure);
  const json::object* const members = found == nullptr ? nullptr : found->if_object();
  const json::array* const items = found == nullptr ? nullptr : found->if_array();
  return members != nullptr ? members->size() : (items != nullptr ? items->size() : 0);
}

std::string name_cell(const CellSource& source) { return quoted_cell(source.object.metadata.name); }

std::string age_cell(const CellSource& source) {
  const auto made = moment_from(source.object.metadata.creation_timestamp);
  return quoted_cell(made ? human_duration(source.now - *made) : "<unknown>");
}

std::string data_cell(const CellSource& source) {
  const json::value body = body_in(source);
  return std::to_string(members_at(body, "/data") + members_at(body, "/binaryData"));
}

std::string pod_ready_cell(const CellSource& source) {
  const json::value body = body_in(source);
  boost::system::error_code failure;
  const json::value* const found = body.find_pointer("/status/containerStatuses", failure);
  std::size_t ready = 0;
  if (found != nullptr && found->is_array()) {
    for (const json::value& each : found->as_array()) {
      ready += text_in(each, "/ready", "") == "true" ? 1 : 0;
    }
  }
  return quoted_cell(fmt::format("{}/{}", ready, members_at(body, "/spec/containers")));
}

std::string pod_status_cell(const CellSource& source) {
  const bool going = !source.object.metadata.deletion_timestamp.empty();
  return quoted_cell(going ? "Terminating" : text_in(body_in(source), "/status/phase", "Pending"));
}

std::string ready_replicas_cell(const CellSource& source) {
  const json::value body = body_in(source);
  return quoted_cell(fmt::format("{}/{}", text_in(body, "/status/readyReplicas", "0"),
                                 text_in(body, "/spec/replicas", "1")));
}

std::string namespace_status_cell(const CellSource& source) {
  const bool going = !source.object.metadata.deletion_timestamp.empty();
  return quoted_cell(going ? "Terminating" : text_in(body_in(source), "/status/phase", "Active"));
}

const TableColumn kName{"Name", "string", "Name must be unique within a namespace.", 0, name_cell};
const TableColumn kAge{"Age", "string", "How long ago the object was created.", 0, age_cell};

std::map<api::GroupVersionResource, std::vector<TableColumn>> own_columns() {
  const TableColumn data{"Data", "string", "How many entries it holds.", 0, data_cell};
  return {
      {{"", "v1", "configmaps"}, {kName, data, kAge}},
      {{"", "v1", "secrets"},
       {kName,
        {"Type", "string", "What programs take it for.", 0, text_cell<"/type", "Opaque">},
        data,
        kAge}},
      {{"", "v1", "namespaces"},
       {kName, {"Status", "string", "Active, or Terminating.", 0, namespace_status_cell}, kAge}},
      {{"", "v1", "pods"},
       {kName,
        {"Ready", "string", "How many of its containers are ready.", 0, pod_ready_cell},
        {"Status", "string", "The phase of its life.", 0, pod_status_cell},
        {"Restarts", "string", "How often its containers were restarted.", 0,
         text_cell<"/status/containerStatuses/0/restartCount", "0">},
        kAge,
        {"IP", "string", "The address of the pod.", 1, text_cell<"/status/podIP", "<none>">},
        {"Node", "string", "Where it runs.", 1, text_cell<"/spec/nodeName", "<none>">}}},
      {{"", "v1", "services"},
       {kName,
        {"Type", "string", "How it is reached.", 0, text_cell<"/spec/type", "ClusterIP">},
        {"Cluster-IP", "string", "Its address.", 0, text_cell<"/spec/clusterIP", "<none>">},
        kAge}},
      {{"", "v1", "events"},
       {{"Last Seen", "string", "When it happened last.", 0, age_cell},
        {"Type", "string", "Normal or Warning.", 0, text_cell<"/type", "">},
        {"Reason", "string", "Why, in one word.", 0, text_cell<"/reason", "">},
        {"Object", "string", "What it is about.", 0, text_cell<"/involvedObject/name", "">},
        {"Message", "string", "What happened.", 0, text_cell<"/message", "">}}},
      {{"apps", "v1", "deployments"},
       {kName,
        {"Ready", "string", "Pods that are ready, of those wanted.", 0, ready_replicas_cell},
        {"Up-to-date", "integer", "Pods of the newest template.", 0,
         number_cell<"/status/updatedReplicas">},
        {"Available", "integer", "Pods that have been ready long enough.", 0,
         number_cell<"/status/availableReplicas">},
        kAge}},
      {{"apps", "v1", "replicasets"},
       {kName,
        {"Desired", "integer", "Pods that are wanted.", 0, number_cell<"/spec/replicas">},
        {"Current", "integer", "Pods that exist.", 0, number_cell<"/status/replicas">},
        {"Ready", "integer", "Pods that are ready.", 0, number_cell<"/status/readyReplicas">},
        kAge}},
      {{"coordination.k8s.io", "v1", "leases"},
       {kName,
        {"Holder", "string", "Who has it.", 0, text_cell<"/spec/holderIdentity", "">},
        kAge}},
      {{"apiextensions.k8s.io", "v1", "customresourcedefinitions"},
       {kName,
        {"Created At", "string", "When it was made.", 0,
         [](const CellSource& source) {
           return quoted_cell(source.object.metadata.creation_timestamp);
         }}}},
  };
}

/// The number that some letters of a text say; -1 when they say none.
int number_at(std::string_view text, std::size_t begin, std::size_t length) {
  int number = -1;
  const char* const first = text.data() + begin;
  return std::from_chars(first, first + length, number).ptr == first + length ? number : -1;
}

}  // namespace

const std::vector<TableColumn>& columns_of(const api::GroupVersionResource& resource) {
  static const std::map<api::GroupVersionResource, std::vector<TableColumn>> kOwn = own_columns();
  static const std::vector<TableColumn> kStandard{kName, kAge};
  const auto found = kOwn.find(resource);
  return found == kOwn.end() ? kStandard : found->second;
}

std::string human_duration(runtime::Duration span) {
  const auto seconds =
      std::max<std::int64_t>(0, std::chrono::duration_cast<std::chrono::seconds>(span).count());
  struct Step {
    std::int64_t below;
    std::int64_t unit;
    char letter;
    std::int64_t part;  ///< of what is left over; 0 for none
    char part_letter;
  };
  constexpr std::array kSteps{
      Step{2 * kMinute, 1, 's', 0, ' '},     Step{10 * kMinute, kMinute, 'm', 1, 's'},
      Step{3 * kHour, kMinute, 'm', 0, ' '}, Step{8 * kHour, kHour, 'h', kMinute, 'm'},
      Step{2 * kDay, kHour, 'h', 0, ' '},    Step{8 * kDay, kDay, 'd', kHour, 'h'},
      Step{2 * kYear, kDay, 'd', 0, ' '}};
  for (const Step& step : kSteps) {
    if (seconds >= step.below) {
      continue;
    }
    std::string text = fmt::format("{}{}", seconds / step.unit, step.letter);
    const std::int64_t rest = step.part == 0 ? 0 : seconds % step.unit / step.part;
    return rest == 0 ? text : text + fmt::format("{}{}", rest, step.part_letter);
  }
  return fmt::format("{}y", seconds / kYear);
}

std::optional<runtime::TimePoint> moment_from(std::string_view text) {
  constexpr std::string_view kForm = "0000-00-00T00:00:00Z";
  if (text.size() != kForm.size()) {
    return std::nullopt;
  }
  for (const std::size_t sign : {4U, 7U, 10U, 13U, 16U, 19U}) {
    if (text[sign] != kForm[sign]) {
      return std::nullopt;
    }
  }
  const std::chrono::year_month_day date{
      std::chrono::year(number_at(text, 0, 4)),
      std::chrono::month(static_cast<unsigned>(number_at(text, 5, 2))),
      std::chrono::day(static_cast<unsigned>(number_at(text, 8, 2)))};
  if (!date.ok()) {
    return std::nullopt;
  }
  return runtime::TimePoint(
      std::chrono::sys_days(date).time_since_epoch() + std::chrono::hours(number_at(text, 11, 2)) +
      std::chrono::minutes(number_at(text, 14, 2)) + std::chrono::seconds(number_at(text, 17, 2)));
}

}  // namespace watchlab::sim
