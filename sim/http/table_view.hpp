#pragma once

#include <string>

#include "core/runtime/time.hpp"
#include "core/watch/watch.hpp"
#include "sim/apiserver/request.hpp"
#include "sim/http/media_types.hpp"

namespace watchlab::sim {

/// How a client wants to see what its request is answered with.
struct BodyView {
  BodyForm form = BodyForm::Plain;
  api::GroupVersionResource resource;
  /// Of the rows of a table: "None", "Metadata" or "Object", as the query says.
  std::string include_object;
};

/// The JSON of an object or a list in that form; "" for what has only one form: a Status, and all
/// that is `BodyForm::Plain`.
[[nodiscard]] std::string shown_body(const Response& response, const BodyView& view,
                                     runtime::TimePoint now);
/// The JSON of an event, without a line feed; "" as above. A table names its columns in the `first`
/// event of a stream only.
[[nodiscard]] std::string shown_event(const watch::Event& event, const BodyView& view,
                                      runtime::TimePoint now, bool first);

}  // namespace watchlab::sim
