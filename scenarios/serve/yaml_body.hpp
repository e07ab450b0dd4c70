#pragma once

#include <string>
#include <string_view>

#include "core/api/result.hpp"
#include "sim/http/body_reader.hpp"

namespace watchlab::scenarios {

/// A text in YAML as JSON, as a real server reads it: of YAML 1.1, where `on` is true and `<<`
/// merges, the first document. Fails with a 400 Status for what is no YAML or no mapping, and for
/// aliases that stand for more than a body can have. Mirrors sigs.k8s.io/yaml, YAMLToJSON; what
/// differs is that line ends of Unicode (U+0085, U+2028) are letters here. The last value of a
/// duplicate key counts, and the key is reported.
[[nodiscard]] api::Result<sim::ReadBody> json_from_yaml(std::string_view text);

}  // namespace watchlab::scenarios
