// What a story does at one instant: writes, faults and their healing.
#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "sim/faults/fault_catalogue.hpp"
#include "sim/story/story.hpp"

namespace watchlab::sim {
namespace {

const api::GroupVersionResource config_maps{"", "v1", "configmaps"};

/// Whether a fault that was left to the schedule acts now.
bool decides(runtime::Runtime& runtime, const std::string& fault) {
  return runtime.choose(2, fault) == 1;
}

FaultRule rule_from(const FaultSketch& sketch, runtime::Runtime& runtime) {
  Trigger trigger;
  if (sketch.choice) {
    trigger.decide = [&runtime, name = sketch.name] { return decides(runtime, name); };
  }
  trigger.client = sketch.of;
  trigger.times = sketch.times;
  if (sketch.verb) {
    trigger.verbs.push_back(*sketch.verb);
  }
  std::map<std::string, ParameterValue, std::less<>> parameters(sketch.parameters.begin(),
                                                                sketch.parameters.end());
  try {
    return make_fault(sketch.name, std::move(trigger), parameters);
  } catch (const std::invalid_argument& failure) {
    throw StoryError(failure.what());
  }
}

}  // namespace

void Story::Instant::write(Verb verb, const ObjectSketch& sketch, api::Object object) {
  Request request;
  request.verb = verb;
  request.resource = config_maps;
  request.namespace_ = sketch.namespace_;
  request.name = sketch.name;
  request.object = std::make_shared<const api::Object>(std::move(object));
  const Response response = transaction_.write(std::move(request));
  constexpr std::int32_t first_failure = 400;
  if (response.code >= first_failure) {
    const auto* status = std::get_if<api::Status>(&response.answer);
    throw StoryError(fmt::format("the server refused to {} {}: {}", name_of(verb), sketch.name,
                                 status != nullptr ? status->message : "without a reason"));
  }
  const ObjectStore& store = transaction_.servers().store();
  if (!sketch.rv_as.empty()) {
    story_.symbols_[sketch.rv_as] = revision_text(store.revision());
  }
  if (!sketch.uid_as.empty()) {
    const api::ObjectPtr written =
        store.get(config_maps, api::key_of(config_map_from(sketch).metadata));
    story_.symbols_[sketch.uid_as] = written ? written->metadata.uid : "";
  }
}

void Story::Instant::create(const ObjectSketch& object) {
  write(Verb::Create, object, config_map_from(object));
}

void Story::Instant::update(const ObjectSketch& object) {
  api::Object sketched = config_map_from(object);
  const api::ObjectPtr existing =
      transaction_.servers().store().get(config_maps, api::key_of(sketched.metadata));
  if (!existing) {
    throw StoryError(fmt::format("there is no {} to update", object.name));
  }
  api::Object changed = *existing;
  changed.metadata.resource_version.clear();
  if (!object.labels.empty()) {
    changed.metadata.labels = object.labels;
  }
  if (!object.annotations.empty()) {
    changed.metadata.annotations = object.annotations;
  }
  if (!object.data.empty()) {
    changed.body = sketched.body;
  }
  write(Verb::Update, object, std::move(changed));
}

void Story::Instant::remove(const ObjectSketch& object) {
  write(Verb::Delete, object, config_map_from(object));
}

void Story::Instant::inject(const FaultSketch& fault) {
  if (fault.choice && is_instant(fault.name) && !decides(story_.runtime_, fault.name)) {
    story_.not_chosen_.insert(fault.as.empty() ? fault.name : fault.as);
    return;
  }
  const FaultId id = transaction_.add_fault(rule_from(fault, story_.runtime_));
  story_.record_fault(fault, id);
}

void Story::Instant::heal(const std::string& name) {
  const auto is_meant = [&](const FaultRecord& fault) {
    return fault.in_place && fault.as == name;
  };
  if (std::ranges::none_of(story_.injected_, is_meant)) {
    if (story_.not_chosen_.contains(name)) {
      return;
    }
    throw StoryError(fmt::format("there is no fault '{}' to heal", name));
  }
  for (FaultRecord& fault : story_.injected_) {
    if (is_meant(fault)) {
      fault.acted += transaction_.acted(fault.id);
      (void)transaction_.remove_fault(fault.id);
      fault.in_place = false;
      fault.healed = transaction_.now();
    }
  }
}

}  // namespace watchlab::sim
