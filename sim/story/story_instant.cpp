// What a story does at one instant: writes, faults and their healing.
#include <fmt/format.h>

#include <algorithm>
#include <boost/json.hpp>
#include <utility>

#include "core/api/json.hpp"
#include "sim/apiserver/managed_fields.hpp"
#include "sim/faults/fault_catalogue.hpp"
#include "sim/story/story.hpp"

namespace watchlab::sim {
namespace {

/// Whether a fault that was left to the schedule acts now.
bool decides(runtime::Runtime& runtime, const std::string& fault) {
  return runtime.choose(2, fault) == 1;
}

FaultRule rule_from(const FaultSketch& sketch, runtime::Runtime& runtime) {
  Trigger trigger = trigger_of(sketch);
  if (sketch.choice) {
    trigger.decide = [&runtime, name = sketch.name] { return decides(runtime, name); };
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

const ResourceType& Story::Instant::type_of(const ObjectSketch& sketch) const {
  const ResourceType* type = story_.stage_->types.find_kind(sketch.kind);
  if (type == nullptr) {
    throw StoryError(fmt::format("the server serves no objects of the kind {}", sketch.kind));
  }
  return *type;
}

Request Story::Instant::request_for(Verb verb, const ObjectSketch& sketch) const {
  const ResourceType& type = type_of(sketch);
  return {.verb = verb,
          .resource = type.resource,
          .namespace_ = type.namespaced ? sketch.namespace_ : "",
          .name = sketch.name};
}

void Story::Instant::write(const ObjectSketch& sketch, Request request) {
  const std::string key = api::key_from(request.namespace_, request.name);
  const api::GroupVersionResource resource = request.resource;
  const Verb verb = request.verb;
  const Response response = transaction_.write(std::move(request));
  constexpr std::int32_t first_failure = 400;
  if (response.code >= first_failure) {
    const auto* status = std::get_if<api::Status>(&response.answer);
    throw StoryError(fmt::format("{}{} {}: {}", kRefusedWrite, to_string(verb), sketch.name,
                                 status != nullptr ? status->message : "without a reason"));
  }
  const ObjectStore& store = transaction_.servers().store();
  if (!sketch.rv_as.empty()) {
    story_.symbols_[sketch.rv_as] = revision_text(store.revision());
  }
  if (!sketch.uid_as.empty()) {
    const ResourceType* const type = transaction_.servers().types().find(resource);
    const api::ObjectPtr written = store.get(type == nullptr ? resource : type->stored(), key);
    story_.symbols_[sketch.uid_as] = written ? written->metadata.uid : "";
  }
}

void Story::Instant::create(const ObjectSketch& object) {
  Request request = request_for(Verb::Create, object);
  request.object = std::make_shared<const api::Object>(object_from(object, type_of(object)));
  write(object, std::move(request));
}

void Story::Instant::create_with_status(const ObjectSketch& object) {
  create(object);
  const ResourceType& type = type_of(object);
  const boost::json::object body = object_in(object.body);
  if (type.custom && type.status_subresource && body.contains("status")) {
    ObjectSketch named{.name = object.name, .namespace_ = object.namespace_, .rv_as = object.rv_as};
    named.kind = object.kind;
    patch({.object = std::move(named),
           .merge = boost::json::serialize(boost::json::object{{"status", body.at("status")}}),
           .json = "",
           .of_status = true});
  }
}

void Story::Instant::update(const ObjectSketch& object) {
  const ResourceType& type = type_of(object);
  Request request = request_for(Verb::Update, object);
  const api::ObjectPtr existing = transaction_.servers().store().get(
      type.stored(), api::key_from(request.namespace_, request.name));
  if (!existing) {
    throw StoryError(fmt::format("{}update {}: there is none", kRefusedWrite, object.name));
  }
  api::Object sketched = object_from(object, type);
  api::Object changed = *existing;
  if (!type.custom) {
    changed.metadata.resource_version.clear();
  }
  const auto is_said = [&object](const auto& value, const char* name) {
    return !value.empty() || object.emptied.contains(name);
  };
  if (is_said(object.labels, "labels")) {
    changed.metadata.labels = object.labels;
  }
  if (is_said(object.annotations, "annotations")) {
    changed.metadata.annotations = object.annotations;
  }
  if (is_said(object.finalizers, "finalizers")) {
    changed.metadata.finalizers = object.finalizers;
  }
  if (object.emptied.contains("data")) {
    changed.body = body_without(changed.body, "data");
  }
  changed.body = body_with(changed.body, sketched.body);
  request.object = std::make_shared<const api::Object>(std::move(changed));
  write(object, std::move(request));
}

void Story::Instant::remove(const ObjectSketch& object) {
  write(object, request_for(Verb::Delete, object));
}

void Story::Instant::patch(const PatchSketch& patch) {
  Request request = request_for(Verb::Patch, patch.object);
  request.patch_type = patch.merge.empty() ? PatchType::Json : PatchType::Merge;
  request.patch = patch.merge.empty() ? patch.json : patch.merge;
  request.of_status = patch.of_status;
  write(patch.object, std::move(request));
}

void Story::Instant::apply(const ApplySketch& apply) {
  Request request = request_for(Verb::Patch, apply.object);
  request.patch_type = PatchType::Apply;
  request.patch = api::to_json(object_from(apply.object, type_of(apply.object)));
  request.field_manager = apply.manager;
  request.force = apply.force;
  write(apply.object, std::move(request));
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
