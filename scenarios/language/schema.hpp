#pragma once

#include <string>

#include "scenarios/language/shape.hpp"

namespace watchlab::scenarios {

/// The JSON Schema (draft 2020-12) of a mapping, indented. What it accepts is what the readers of
/// the same shape accept, except for what no schema can say: that names exist.
[[nodiscard]] std::string schema_text(const Shape& shape);

/// The schema of a whole scenario file: the content of docs/scenario.schema.json.
[[nodiscard]] std::string scenario_schema_text();

}  // namespace watchlab::scenarios
