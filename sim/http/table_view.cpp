#include "sim/http/table_view.hpp"

#include <fmt/format.h>

#include <boost/json.hpp>

#include "core/api/json.hpp"
#include "sim/http/scale_view.hpp"

namespace watchlab::sim {

namespace {

constexpr std::int32_t kFirstRefusal = 300;
constexpr std::string_view kDone =
    R"({"kind":"Status","apiVersion":"v1","metadata":{},"status":"Success","code":201})";

const std::vector<TableColumn>& columns_in(const BodyView& view) {
  return view.columns == nullptr ? columns_of(view.resource) : *view.columns;
}

/// The object as PartialObjectMetadata.
std::string metadata_alone(const api::Object& object) {
  return api::to_json(api::Object{.api_version = "meta.k8s.io/v1",
                                  .kind = "PartialObjectMetadata",
                                  .metadata = object.metadata,
                                  .body = {}});
}

std::string row_object(const api::Object& object, const BodyView& view) {
  if (view.include_object == "None") {
    return "null";
  }
  return view.include_object == "Object" ? api::to_json(object) : metadata_alone(object);
}

/// That of a bookmark shows an object that has nothing but a revision.
std::string row_of(const api::Object& object, const BodyView& view, runtime::TimePoint now) {
  std::string cells;
  for (const TableColumn& column : columns_in(view)) {
    cells += (cells.empty() ? "" : ",") + column.cell({object, now});
  }
  return fmt::format(R"({{"cells":[{}],"object":{}}})", cells, row_object(object, view));
}

std::string column_definitions(const BodyView& view) {
  boost::json::array columns;
  for (const TableColumn& column : columns_in(view)) {
    columns.push_back({{"name", column.name},
                       {"type", column.type},
                       {"format", column.name == "Name" ? "name" : ""},
                       {"description", column.description},
                       {"priority", column.priority}});
  }
  return boost::json::serialize(columns);
}

std::string table_of(std::string_view metadata, std::string_view columns, std::string_view rows) {
  return fmt::format(R"({{"kind":"Table","apiVersion":"meta.k8s.io/v1","metadata":{},)"
                     R"("columnDefinitions":{},"rows":[{}]}})",
                     metadata, columns, rows);
}

/// The metadata of a list as JSON: what a list without items says of itself.
std::string list_metadata(const api::ObjectList& list) {
  boost::json::object metadata{{"resourceVersion", list.resource_version}};
  if (!list.continue_token.empty()) {
    metadata["continue"] = list.continue_token;
  }
  if (list.remaining_item_count) {
    metadata["remainingItemCount"] = *list.remaining_item_count;
  }
  return boost::json::serialize(metadata);
}

std::string revision_metadata(const api::Object& object) {
  return boost::json::serialize(
      boost::json::object{{"resourceVersion", object.metadata.resource_version}});
}

std::string shown_list(const api::ObjectList& list, const BodyView& view, runtime::TimePoint now) {
  std::string items;
  for (const api::ObjectPtr& object : list.items) {
    items += items.empty() ? "" : ",";
    items += shown_item(*object, view, now);
  }
  if (view.form == BodyForm::Table) {
    return table_of(list_metadata(list), column_definitions(view), items);
  }
  return fmt::format(
      R"({{"kind":"PartialObjectMetadataList","apiVersion":"meta.k8s.io/v1","metadata":{},)"
      R"("items":[{}]}})",
      list_metadata(list), items);
}

}  // namespace

std::string shown_item(const api::Object& object, const BodyView& view, runtime::TimePoint now) {
  return view.form == BodyForm::Table   ? row_of(object, view, now)
         : view.form == BodyForm::Plain ? api::to_json(object)
                                        : metadata_alone(object);
}

std::string shown_body(const Response& response, const BodyView& view, runtime::TimePoint now) {
  if (view.form == BodyForm::Plain) {
    return {};
  }
  if (view.form == BodyForm::Done) {
    return response.code < kFirstRefusal ? std::string(kDone) : "";
  }
  if (const auto* list = std::get_if<api::ObjectList>(&response.answer)) {
    return shown_list(*list, view, now);
  }
  const auto* object = std::get_if<api::ObjectPtr>(&response.answer);
  if (object == nullptr || *object == nullptr) {
    return {};
  }
  if (view.form == BodyForm::Scale) {
    return scale_of(**object, view.scale);
  }
  return view.form == BodyForm::Table
             ? table_of(revision_metadata(**object), column_definitions(view),
                        row_of(**object, view, now))
             : metadata_alone(**object);
}

std::string shown_event(const watch::Event& event, const BodyView& view, runtime::TimePoint now,
                        bool first) {
  if (view.form == BodyForm::Plain || event.object == nullptr) {
    return {};
  }
  const api::Object& object = *event.object;
  std::string shown = metadata_alone(object);
  if (view.form == BodyForm::Table) {
    shown = table_of(revision_metadata(object), first ? column_definitions(view) : "null",
                     row_of(object, view, now));
  }
  return fmt::format(R"({{"type":"{}","object":{}}})", watch::to_string(event.type), shown);
}

}  // namespace watchlab::sim
