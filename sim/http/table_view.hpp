#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/api/object.hpp"
#include "core/runtime/time.hpp"
#include "core/watch/watch.hpp"
#include "sim/apiserver/request.hpp"
#include "sim/apiserver/resource_type.hpp"
#include "sim/http/media_types.hpp"

namespace watchlab::sim {

struct TableColumn;

/// How a client wants to see what its request is answered with.
struct BodyView {
  BodyForm form = BodyForm::Plain;
  bool protobuf = false;  ///< as such, and not as JSON
  api::GroupVersionResource resource;
  ScalePaths scale{};  ///< of BodyForm::Scale
  /// Of the rows of a table: "None", "Metadata" or "Object", as the query says.
  std::string include_object;
  /// What the server says about a request that succeeds, beside the answer.
  std::vector<std::string> warnings;
  /// Of a custom resource that says which; null for those of `columns_of`.
  std::shared_ptr<const std::vector<TableColumn>> columns = nullptr;
};

/// The JSON of an object or a list in that form; "" for what has only one form: a Status, and all
/// that is `BodyForm::Plain`.
[[nodiscard]] std::string shown_body(const Response& response, const BodyView& view,
                                     runtime::TimePoint now);
/// The JSON of one item of a list, in any of these forms.
[[nodiscard]] std::string shown_item(const api::Object& object, const BodyView& view,
                                     runtime::TimePoint now);
/// The JSON of an event, without a line feed; "" as above. A table names its columns in the `first`
/// event of a stream only.
[[nodiscard]] std::string shown_event(const watch::Event& event, const BodyView& view,
                                      runtime::TimePoint now, bool first);

/// What a cell is computed from.
struct CellSource {
  const api::Object& object;
  runtime::TimePoint now;
};

/// One column of the table that people see of a collection.
struct TableColumn {
  std::string name;         ///< "Data"
  std::string type;         ///< "string" or "integer"
  std::string description;  ///< a sentence
  int priority = 0;         ///< 0: always shown; 1: `-o wide` only
  std::function<std::string(const CellSource& source)> cell = nullptr;  ///< the cell as JSON text
};

/// The columns of a collection; Name and Age for one that has none of its own.
[[nodiscard]] const std::vector<TableColumn>& columns_of(const api::GroupVersionResource& resource);

/// A span of time for people: "5s", "3m20s", "2h", "4d". Mirrors apimachinery util/duration,
/// HumanDuration.
[[nodiscard]] std::string human_duration(runtime::Duration span);

/// The moment that an RFC 3339 text says, as `timestamp` writes it; nothing for another text.
[[nodiscard]] std::optional<runtime::TimePoint> moment_from(std::string_view text);

}  // namespace watchlab::sim
