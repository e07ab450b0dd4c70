#include "scenarios/export/timeline.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "scenarios/export/object_states.hpp"
#include "scenarios/language/catalogue.hpp"
#include "scenarios/report/lanes.hpp"
#include "sim/explain/wording.hpp"

namespace watchlab::scenarios {
namespace {

namespace json = boost::json;
using Kind = TimelineTrack::Kind;

/// What happened between two steps is that far apart, and takes half of it where it takes no time.
constexpr std::int64_t kApart = 10;

/// The tracks, made as they are asked for: those of one component stand together in the end.
class Tracks {
 public:
  std::size_t component(const std::string& name) {
    return number_of({Kind::Component, name, ""}, tracks_.size());
  }
  std::size_t of(const std::string& owner, Kind kind, const std::string& name) {
    const std::size_t within = component(owner);
    return number_of({kind, owner, name}, within);
  }
  /// A lane with nothing on it from `begin` on: the one of that name, or one beside it.
  std::size_t free_lane(const std::string& owner, const std::string& name, std::int64_t begin,
                        std::int64_t end) {
    for (std::size_t beside = 1;; ++beside) {
      const std::string full = beside == 1 ? name : name + " (" + std::to_string(beside) + ")";
      std::int64_t& free_from = free_from_[of(owner, Kind::Lane, full)];
      if (free_from <= begin) {
        free_from = end;
        return of(owner, Kind::Lane, full);
      }
    }
  }
  [[nodiscard]] std::vector<TimelineTrack> take() { return std::move(tracks_); }

 private:
  struct Name {
    Kind kind;
    std::string owner;
    std::string name;

    auto operator<=>(const Name&) const = default;
  };

  std::size_t number_of(const Name& name, std::size_t within) {
    const auto [found, is_new] = numbers_.emplace(name, tracks_.size());
    if (is_new) {
      tracks_.push_back({name.kind, name.kind == Kind::Component ? name.owner : name.name, within});
    }
    return found->second;
  }

  std::map<Name, std::size_t> numbers_;
  std::map<std::size_t, std::int64_t> free_from_;  // by lane
  std::vector<TimelineTrack> tracks_;
};

class TimelineBuilder {
 public:
  TimelineBuilder(const Scenario& scenario, const SeenRun& seen, const PageData& data)
      : seen_(seen),
        data_(data),
        log_(json::object()),
        names_(scenario, seen, log_),
        keys_(data.window({.first = 1, .steps_max = 1}).at("keys").as_array()),
        counters_(scenario, seen, keys_) {
    tracks_.component("server");
    for (const sim::StoryClientOptions& client : scenario.clients) {
      tracks_.component(client.name);
    }
    timeline_.name = display_name(scenario.path.empty() ? scenario.name : scenario.path);
  }

  Timeline build() && {
    give_times();
    add_steps();
    add_waits();
    number_flows();
    add_events();
    add_messages();
    std::ranges::stable_sort(timeline_.slices, {}, &TimelineSlice::begin);
    timeline_.tracks = tracks_.take();
    return std::move(timeline_);
  }

 private:
  /// Each step begins at its virtual time, or behind the step before it.
  void give_times() {
    begins_.push_back(0);
    for (const sim::WitnessedStep& step : seen_.witness.steps) {
      begins_.push_back(
          std::max(names_.since_start(step.at), begins_.back() + Timeline::kStepTakes));
    }
  }
  [[nodiscard]] std::int64_t end_of(std::size_t step) const {
    return begins_[std::min(step, begins_.size() - 1)] + Timeline::kStepTakes;
  }
  [[nodiscard]] std::size_t track_of_task(std::uint32_t task) {
    const std::string& path = seen_.witness.actors[task].path;
    const std::string client = names_.client_of(path);
    const std::string owner = client.empty() ? "story" : client;
    return seen_.witness.actors[task].is_task ? tracks_.of(owner, Kind::Task, readable_task(path))
                                              : tracks_.of(owner, Kind::Lane, "timers");
  }

  void add_steps() {
    for (const sim::WitnessedStep& step : seen_.witness.steps) {
      timeline_.slices.push_back({.track = track_of_task(step.done.actor),
                                  .begin = begins_[step.step],
                                  .end = end_of(step.step),
                                  .name = sim::deed(step.done),
                                  .category = "step",
                                  .step = step.step,
                                  .at = names_.since_start(step.at)});
      steps_of_[step.done.actor].push_back(step.step);
    }
  }

  /// A wait lasts until the task is ready, or does something.
  void add_waits() {
    std::map<std::uint32_t, const TaskMoment*> waiting;
    const auto close = [&](std::uint32_t task, std::size_t at) {
      const TaskMoment* const moment = std::exchange(waiting[task], nullptr);
      if (moment == nullptr) {
        return;
      }
      const std::vector<std::size_t>& steps = steps_of_[task];
      const auto next = std::ranges::upper_bound(steps, moment->step);
      const std::int64_t until = next == steps.end() || *next > at ? end_of(at) : begins_[*next];
      if (until > end_of(moment->step)) {
        const std::string because = moment->because.empty() ? "" : ", " + moment->because;
        timeline_.slices.push_back({.track = track_of_task(task),
                                    .begin = end_of(moment->step),
                                    .end = until,
                                    .name = "waits: " + moment->next + because,
                                    .category = "wait",
                                    .step = moment->step,
                                    .at = at_of(moment->step)});
      }
    };
    for (const TaskMoment& moment : seen_.tasks) {
      close(moment.task, moment.step);
      waiting[moment.task] = moment.state == TaskMoment::State::Waits ? &moment : nullptr;
    }
    for (const auto& [task, moment] : std::map(waiting)) {
      close(task, seen_.witness.steps.size());
    }
  }
  [[nodiscard]] std::int64_t at_of(std::size_t step) const {
    const auto& steps = seen_.witness.steps;
    return step == 0 || steps.empty()
               ? 0
               : names_.since_start(steps[std::min(step, steps.size()) - 1].at);
  }

  /// A flow leads from a write to what one client does with it; one that no client takes has none.
  void number_flows() {
    std::set<ObjectState> written;
    std::set<ObjectState> taken;
    json::object state;
    for (const PageEvent& event : data_.events()) {
      for (ObjectState& found : states_in(event, state)) {
        (found.client.empty() ? written : taken).insert(std::move(found));
      }
      for (const Patch& patch : event.patches) {
        apply_patch(state, patch);
      }
    }
    for (const ObjectState& each : taken) {
      const ObjectState write{.client = "", .key = each.key, .revision = each.revision};
      if (written.contains(write)) {
        flows_[each] = {++timeline_.flows};
        flows_[write].push_back(timeline_.flows);
      }
    }
  }
  [[nodiscard]] std::vector<std::uint64_t> flows_of(const PageEvent& event,
                                                    const json::object& before) const {
    std::set<std::uint64_t> flows;
    for (const ObjectState& state : states_in(event, before)) {
      if (const auto found = flows_.find(state); found != flows_.end()) {
        flows.insert(found->second.begin(), found->second.end());
      }
    }
    return {flows.begin(), flows.end()};
  }

  void add_events() {
    json::object state{{"server", {{"log", json::object()}}}};
    std::size_t step = SIZE_MAX;
    std::int64_t now = 0;
    for (const PageEvent& event : data_.events()) {
      now = event.step == step ? std::min(now + kApart, end_of(event.step) - kApart)
                               : begins_[std::min(event.step, begins_.size() - 1)] + kApart;
      step = event.step;
      add_event(event, now, flows_of(event, state));
      for (const Patch& patch : event.patches) {
        apply_patch(state, patch);
      }
      for (const Counters::Value& value : counters_.after(event, state)) {
        const std::size_t track = tracks_.of(value.component, Kind::Counter, value.name);
        const auto [last, is_new] = values_.emplace(track, value.value);
        if (is_new || std::exchange(last->second, value.value) != value.value) {
          timeline_.points.push_back({track, now, value.value});
        }
      }
    }
  }

  void add_event(const PageEvent& event, std::int64_t now, std::vector<std::uint64_t> flows) {
    const bool of_server = event.lane == "server" || event.lane == "faults" || event.lane == "wire";
    const std::string owner = !event.client.empty() ? event.client : of_server ? "server" : "story";
    TimelineSlice slice{.begin = now,
                        .name = event.text,
                        .category = event.lane,
                        .step = event.step,
                        .at = event.at,
                        .flows = std::move(flows)};
    if (take_message(event, owner, slice)) {
      return;
    }
    const std::int64_t ends = end_of_call(event);
    if (ends > event.at) {
      slice.end = std::max(now + kApart / 2, moment_of(ends));
    }
    slice.track = tracks_.free_lane(owner, event.lane, now, slice.end.value_or(now + kApart / 2));
    timeline_.slices.push_back(std::move(slice));
  }

  /// Of a call of a handler, in virtual time; 0 of anything else.
  [[nodiscard]] static std::int64_t end_of_call(const PageEvent& event) {
    for (const Patch& patch : event.patches) {
      if (patch.size() > 4 && patch[2].as_string() == "calls" && patch.back().is_array()) {
        return patch.back().as_array()[6].to_number<std::int64_t>();
      }
    }
    return 0;
  }
  /// Where the first step stands that is not before that virtual time; the end if there is none.
  [[nodiscard]] std::int64_t moment_of(std::int64_t at) const {
    const auto& steps = seen_.witness.steps;
    const auto found = std::ranges::lower_bound(
        steps, at, {}, [&](const sim::WitnessedStep& step) { return names_.since_start(step.at); });
    return found == steps.end() ? end_of(steps.size()) : begins_[found->step];
  }

  /// A message is a slice from where it is sent to where it arrives or is lost; one that never does
  /// either is a moment. Returns whether the event is about a message alone.
  bool take_message(const PageEvent& event, const std::string& owner, const TimelineSlice& slice) {
    for (const Patch& patch : event.patches) {
      if (patch[0].as_string() != "wire") {
        continue;
      }
      const std::string number(patch[1].as_string());
      if (patch.back().is_array()) {
        TimelineSlice message = slice;
        message.name = patch.back().as_array()[2].as_string();
        message.end = slice.begin + kApart / 2;
        sent_[number] = messages_.size();
        messages_.emplace_back(owner, std::move(message));
      } else if (const auto sent = sent_.find(number); sent != sent_.end()) {
        messages_[sent->second].second.end = slice.begin;
      }
    }
    return !event.patches.empty() && event.patches.front()[0].as_string() == "wire";
  }

  /// Where each message ends is known only now, and with it which lanes are free.
  void add_messages() {
    for (auto& [owner, message] : messages_) {
      message.track = tracks_.free_lane(owner, "messages", message.begin, *message.end);
      timeline_.slices.push_back(std::move(message));
    }
  }

  const SeenRun& seen_;
  const PageData& data_;
  EventLog log_;
  LaneContext names_;
  json::array keys_;
  Counters counters_;
  Tracks tracks_;
  Timeline timeline_;
  std::vector<std::int64_t> begins_;  // by step; 0 stands for before the first one
  std::map<std::uint32_t, std::vector<std::size_t>> steps_of_;   // by task
  std::map<ObjectState, std::vector<std::uint64_t>> flows_;      // of a write: of all clients
  std::map<std::string, std::size_t> sent_;                      // places in `messages_` by number
  std::vector<std::pair<std::string, TimelineSlice>> messages_;  // with their components
  std::map<std::size_t, std::int64_t> values_;                   // of counters, by track
};

}  // namespace

Timeline timeline_of(const Scenario& scenario, const SeenRun& seen, const PageData& data) {
  return TimelineBuilder(scenario, seen, data).build();
}

}  // namespace watchlab::scenarios
