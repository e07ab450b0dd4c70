#pragma once

#include <string>

#include "core/api/object.hpp"

namespace watchlab::sim {

/// What a story says about an object that it creates or changes. The server adds the rest.
struct ObjectSketch {
  std::string name;
  std::string namespace_ = "default";
  api::Labels labels;
  api::Labels annotations;
  api::Labels data;    ///< the content, as a ConfigMap has it
  std::string rv_as;   ///< names the revision that the write gets, for `$name`; "" for no name
  std::string uid_as;  ///< names the uid that the object has, likewise

  bool operator==(const ObjectSketch&) const = default;
};

/// The ConfigMap that the sketch describes, without uid and revision.
[[nodiscard]] api::Object config_map_from(const ObjectSketch& sketch);

/// The `data` of a ConfigMap; empty when its body has none.
[[nodiscard]] api::Labels data_of(const api::Object& object);

}  // namespace watchlab::sim
