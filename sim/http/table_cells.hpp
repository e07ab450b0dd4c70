#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/api/object.hpp"
#include "core/runtime/time.hpp"

namespace watchlab::sim {

/// What a cell is computed from.
struct CellSource {
  const api::Object& object;
  runtime::TimePoint now;
};

/// One column of the table that people see of a collection.
struct TableColumn {
  std::string_view name;                                    ///< "Data"
  std::string_view type;                                    ///< "string" or "integer"
  std::string_view description;                             ///< a sentence
  int priority = 0;                                         ///< 0: always shown; 1: `-o wide` only
  std::string (*cell)(const CellSource& source) = nullptr;  ///< the cell as JSON text
};

/// The columns of a collection; Name and Age for one that has none of its own.
[[nodiscard]] const std::vector<TableColumn>& columns_of(const api::GroupVersionResource& resource);

/// A span of time for people: "5s", "3m20s", "2h", "4d". Mirrors apimachinery util/duration,
/// HumanDuration.
[[nodiscard]] std::string human_duration(runtime::Duration span);

/// The moment that an RFC 3339 text says, as `timestamp` writes it; nothing for another text.
[[nodiscard]] std::optional<runtime::TimePoint> moment_from(std::string_view text);

}  // namespace watchlab::sim
