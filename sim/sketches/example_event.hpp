#pragma once

#include <memory>
#include <string>
#include <utility>

#include "core/watch/event.hpp"

namespace watchlab::sim {

/// ADDED of a ConfigMap with that name, for sketches in which nobody looks into it.
inline watch::Event added_event(std::string name) {
  api::Object object;
  object.api_version = "v1";
  object.kind = "ConfigMap";
  object.metadata.name = std::move(name);
  object.metadata.resource_version = "1";
  return {.type = watch::EventType::Added,
          .object = std::make_shared<const api::Object>(std::move(object)),
          .status = nullptr};
}

}  // namespace watchlab::sim
