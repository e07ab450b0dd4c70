// What a server would refuse of the fields that a step writes: values of another type than the
// field's, and what belongs beside a body.
#include <fmt/format.h>

#include <algorithm>
#include <boost/json.hpp>
#include <charconv>
#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "scenarios/language/grammar.hpp"
#include "sim/apiserver/served_version.hpp"
#include "sim/apiserver/structural_schema.hpp"
#include "sim/apiserver/write_rules.hpp"
#include "sim/kernel/article.hpp"
#include "sim/kinds/kind_shape.hpp"
#include "sim/story/options.hpp"

namespace watchlab::scenarios {
namespace {

namespace json = boost::json;
using sim::with_article;

/// What would fit into a field of that type, in Go's words.
std::string what_fits(std::string_view type) {
  if (type == "string") {
    return "a text; in quotes if it looks like something else, as in \"1\"";
  }
  if (type == "[]uint8") {
    return "a text in base64";
  }
  if (type == "bool") {
    return "true or false";
  }
  if (type.starts_with("int") || type.starts_with("float")) {
    return type.starts_with("int") ? "a whole number" : "a number";
  }
  return type.starts_with("[]") ? "a list, as in [a]" : "keys, as in {a: b}";
}

/// The value at a path like "spec.containers[0].name", as far as the tree has it.
Place place_in(const Node& tree, std::string_view path) {
  const Node* at = &tree;
  while (!path.empty()) {
    const bool is_number = path.front() == '[';
    path.remove_prefix(is_number || path.front() == '.' ? 1 : 0);
    const std::size_t end = std::min(path.find_first_of(is_number ? "]" : ".["), path.size());
    std::size_t number = 0;
    std::from_chars(path.data(), path.data() + end, number);
    const Node* const next = !is_number                  ? at->find(path.substr(0, end))
                             : number < at->items.size() ? &at->items[number]
                                                         : nullptr;
    if (next == nullptr) {
      break;
    }
    at = next;
    path.remove_prefix(std::min(end + (is_number ? 1 : 0), path.size()));
  }
  return at->place;
}

/// The parts of a JSON pointer.
std::vector<std::string> steps_of(std::string_view pointer) {
  std::vector<std::string> steps;
  while (!pointer.empty()) {
    pointer.remove_prefix(1);
    const std::size_t end = std::min(pointer.find('/'), pointer.size());
    std::string& step = steps.emplace_back();
    for (std::size_t i = 0; i < end; ++i) {
      const bool is_escape = pointer[i] == '~' && i + 1 < end;
      step += !is_escape ? pointer[i] : pointer[++i] == '1' ? '/' : '~';
    }
    pointer.remove_prefix(end);
  }
  return steps;
}

/// The value with what is around it at that place of an object of which nothing else is known.
json::value wrapped(const sim::KindMessage* message, std::vector<std::string> steps,
                    json::value value) {
  if (steps.empty()) {
    return value;
  }
  const std::string step = steps.front();
  steps.erase(steps.begin());
  const sim::KindField* const field =
      message == nullptr ? nullptr : sim::find_field(*message, step);
  const sim::KindMessage* const below = field == nullptr ? nullptr : field->message;
  const bool is_deeper = field != nullptr && field->form != sim::FieldForm::One && !steps.empty();
  if (!is_deeper) {
    return json::object{{step, wrapped(below, std::move(steps), std::move(value))}};
  }
  const std::string element = steps.front();
  steps.erase(steps.begin());
  json::value inner = wrapped(below, std::move(steps), std::move(value));
  json::array list;
  if (field->form == sim::FieldForm::List) {
    list.push_back(std::move(inner));
    return json::object{{step, std::move(list)}};
  }
  return json::object{{step, json::object{{element, std::move(inner)}}}};
}

/// The names of the fields next to the last part of a path like "spec.containers[0].name", or that
/// could take its place.
std::vector<std::string> fields_beside(const sim::KindMessage& message, std::string_view path) {
  const sim::KindMessage* at = &message;
  for (std::size_t dot = path.find('.'); dot != std::string_view::npos; dot = path.find('.')) {
    const sim::KindField* const field =
        at == nullptr ? nullptr : find_field(*at, path.substr(0, std::min(dot, path.find('['))));
    // A value in a map comes after a key, which is not a field.
    at = field != nullptr ? field->message : at;
    path.remove_prefix(dot + 1);
  }
  std::vector<std::string> names;
  const std::function<void(const sim::KindMessage&)> add = [&](const sim::KindMessage& each) {
    for (const sim::KindField& field : each.fields) {
      field.name.empty() ? add(*field.message) : (void)names.emplace_back(field.name);
    }
  };
  at != nullptr ? add(*at) : void();
  return names;
}

/// Looks at what one step writes.
class FieldCheck {
 public:
  FieldCheck(const sim::ResourceType& type, const Node& node, ParseContext& context)
      : type_(type), node_(node), context_(context) {
    const sim::Kind* const kind =
        type.custom ? nullptr
                    : sim::KindTable::newest().find(sim::api_version_of(type.resource),
                                                    type.resource.resource);
    message_ = kind == nullptr ? nullptr : kind->message;
  }

  /// A step cannot write a status beside the rest where it has a subresource of its own; what is
  /// there from the start may have one. An object that is made must be one that its schema takes.
  void check_body(const sim::ObjectSketch& object, bool is_step, bool is_made) {
    const Node* const body = node_.find("body");
    if (is_made) {
      check_schema(object, body == nullptr ? node_ : *body);
    }
    if (body == nullptr) {
      return;
    }
    if (is_step) {
      check_status(*body, fmt::format("the body of {}", with_article(type_.kind)));
    }
    check_unknown(json::parse(object.body).as_object(), *body);
    const std::string version = sim::api_version_of(type_.resource);
    for (const Node::Entry& entry : body->entries) {
      const std::string what =
          fmt::format("'{}' in the body of {}", entry.key, with_article(type_.kind));
      if (entry.key == "metadata") {
        return put(entry.place, what,
                   "'labels', 'annotations' and 'finalizers' beside 'body', and a patch for what "
                   "else it has");
      }
      const std::string own = entry.key == "kind"         ? type_.kind
                              : entry.key == "apiVersion" ? version
                                                          : entry.value.text;
      if (own != entry.value.text) {
        return put(entry.place, fmt::format("{}, which is {}", what, own),
                   entry.key == "kind"
                       ? fmt::format("'kind: {}' beside 'body'", entry.value.text)
                       : fmt::format("'apiVersion: {}', or the body without it", own));
      }
      if (entry.key == "data" && !object.data.empty()) {
        return put(entry.place, what + " that has 'data' beside it", "all of it in one of them");
      }
    }
    check_types(json::parse(object.body), *body);
  }

  /// A patch that a server answers with 400, whatever the object is like: one that gives it another
  /// name, or labels that are no texts.
  void check_patch(const sim::PatchSketch& patch) {
    const bool merges = !patch.merge.empty();
    const sim::Request request{.verb = sim::Verb::Patch,
                               .patch_type = merges ? sim::PatchType::Merge : sim::PatchType::Json,
                               .patch = merges ? patch.merge : patch.json};
    const sim::ObjectSketch bare{.name = patch.object.name, .namespace_ = patch.object.namespace_};
    const api::Object existing = sim::object_from(bare, type_);
    const auto patched = sim::patched_object(existing, request);
    const Place place = place_of_key(node_, merges ? "metadata" : "json");
    if (!patched && patched.error().status.reason == api::StatusReason::BadRequest) {
      return put(place, "a patch that a server refuses: " + patched.error().message,
                 "the name that it has, and texts, as in \"1\", for labels and annotations");
    }
    if (patched &&
        (patched->kind != existing.kind || patched->api_version != existing.api_version ||
         patched->metadata.namespace_ != existing.metadata.namespace_)) {
      return put(place_of_key(node_, merges ? "merge" : "json"),
                 fmt::format("a patch that makes something else of {}", with_article(type_.kind)),
                 "the kind, the apiVersion and the namespace that it has");
    }
    const Node& form = *node_.find(merges ? "merge" : "json");
    if (merges) {
      if (!patch.of_status) {
        check_status(form, fmt::format("a patch of {}", with_article(type_.kind)));
      }
      check_unknown(json::parse(patch.merge).as_object(), form);
      return check_types(json::parse(patch.merge), form);
    }
    const json::array operations = json::parse(patch.json).as_array();
    for (std::size_t i = 0; i < operations.size(); ++i) {
      check_operation(operations[i].as_object(), form.items.at(i));
    }
  }

 private:
  void put(Place place, std::string what, std::string expected) {
    context_.problems.add({place, std::move(what), std::move(expected), ""});
  }

  void check_status(const Node& members, const std::string& within) {
    if (type_.custom && type_.status_subresource && members.find("status") != nullptr) {
      put(members.place_of({"status"}),
          fmt::format("'status' in {}, which has a status subresource", within),
          "'patch' with 'status: true' and 'merge: {status: …}' for it, or 'status: false' of the "
          "resource");
    }
  }

  void check_unknown(json::object members, const Node& tree) {
    if (message_ != nullptr) {
      const std::string unknown = unknown_field(std::move(members));
      unknown.empty() ? void() : put_unknown_field(place_in(tree, unknown), unknown);
      return;
    }
    const std::vector<std::string> unknown =
        type_.schema == nullptr ? std::vector<std::string>() : sim::prune(members, *type_.schema);
    if (!unknown.empty()) {
      put(place_in(tree, unknown.front()),
          fmt::format("'{}', which the schema of {} does not have", unknown.front(),
                      with_article(type_.kind)),
          "a field of the schema, or 'x-kubernetes-preserve-unknown-fields: true' in it");
    }
  }

  /// The first field that the kind does not have; "" for none. In a story each object may have
  /// `data`.
  [[nodiscard]] std::string unknown_field(json::object members) const {
    members.erase("data");
    const std::vector<std::string> unknown = misfits_in(members, *message_).unknown;
    return unknown.empty() ? "" : unknown.front();
  }

  /// A server drops such a field, or refuses it under strict validation.
  void put_unknown_field(Place place, const std::string& path) {
    context_.problems.add(
        {place, fmt::format("'{}', which {} does not have", path, with_article(type_.kind)),
         "one of its fields",
         nearest_name(path.substr(path.rfind('.') + 1), fields_beside(*message_, path))});
  }

  void check_schema(const sim::ObjectSketch& sketch, const Node& tree) {
    api::Object object = object_from(sketch, type_);
    follow_schema(type_, object);
    for (const api::StatusCause& each : schema_mistakes(type_, nullptr, object)) {
      put(place_in(tree, each.field),
          fmt::format("{} that a server refuses: {}: {}", with_article(type_.kind), each.field,
                      each.message),
          "what its schema asks for");
    }
  }

  /// Puts a problem for the first value of another type than its field's.
  void check_types(const json::value& object, const Node& tree, bool is_one_value = false) {
    if (message_ == nullptr || !object.is_object()) {
      return;
    }
    const sim::Misfits misfits = misfits_in(object.get_object(), *message_);
    if (!misfits.mistyped.empty()) {
      put(is_one_value ? tree.place : place_in(tree, misfits.mistyped_at),
          fmt::format("{} where '{}' of {} belongs", misfits.given, misfits.mistyped_at,
                      with_article(type_.kind)),
          what_fits(misfits.wanted));
    }
  }

  void check_operation(const json::object& operation, const Node& tree) {
    const auto text = [&](const char* key) {
      const json::value* const found = operation.if_contains(key);
      return found == nullptr || !found->is_string() ? std::string("/")
                                                     : std::string(found->get_string());
    };
    const std::string op = text("op");
    const bool writes = op == "add" || op == "replace";
    if ((text("path").empty() && !writes) || text("from").empty()) {
      return put(tree.place_of({text("from").empty() ? "from" : "path"}),
                 fmt::format("'op: {}' of the whole object, which a server refuses", op),
                 "the path of a part of it, as in /data/color");
    }
    const json::value* const value = operation.if_contains("value");
    if (value == nullptr || (!writes && op != "test")) {
      return;
    }
    const std::vector<std::string> steps = steps_of(text("path"));
    const Node& given = *tree.find("value");
    if (check_operation_fields(steps, nullptr, *tree.find("path")) &&
        check_operation_fields(steps, *value, given)) {
      check_types(wrapped(message_, steps, *value), given, !steps.empty());
    }
  }

  /// Reports an unknown field in the path or the value, and then returns false.
  bool check_operation_fields(const std::vector<std::string>& steps, const json::value& value,
                              const Node& blamed) {
    const json::value whole = wrapped(message_, steps, value);
    const std::string unknown =
        message_ == nullptr || !whole.is_object() ? "" : unknown_field(whole.get_object());
    unknown.empty() ? void() : put_unknown_field(blamed.place, unknown);
    return unknown.empty();
  }

  const sim::ResourceType& type_;
  const Node& node_;
  ParseContext& context_;
  const sim::KindMessage* message_ = nullptr;  ///< null for a custom resource
};

}  // namespace

void check_fields(const Scenario& scenario, const Node& root, ParseContext& context) {
  const sim::ResourceTypes types = types_of(scenario.server);
  const auto check_body = [&](const sim::ObjectSketch& object, const Node& node, bool is_step,
                              bool is_made) {
    if (const sim::ResourceType* const type = types.find_kind(object.kind)) {
      FieldCheck(*type, node, context).check_body(object, is_step, is_made);
    }
  };
  const Node* const server = root.find("server");
  const Node* const objects = server != nullptr ? server->find("objects") : nullptr;
  for (std::size_t i = 0; objects != nullptr && i < objects->items.size(); ++i) {
    check_body(scenario.server.objects.at(i), objects->items[i], false, true);
  }
  each_action(scenario, root, [&](const Action& action, const Node& node) {
    const auto* const patch = std::get_if<PatchAction>(&action);
    const sim::ObjectSketch* const object = object_of(action);
    if (patch == nullptr && object != nullptr) {
      check_body(*object, node, true, std::holds_alternative<CreateAction>(action));
    } else if (const sim::ResourceType* const type =
                   patch == nullptr ? nullptr : types.find_kind(object->kind)) {
      FieldCheck(*type, node, context).check_patch(patch->patch);
    }
  });
}

}  // namespace watchlab::scenarios
