#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "scenarios/language/grammar.hpp"
#include "scenarios/language/table.hpp"
#include "sim/apiserver/json_patch.hpp"

namespace watchlab::scenarios {
namespace {

using sim::ObjectSketch;

enum class Role : std::uint8_t { Makes, Changes, Deletes };

/// An object that asks for replicas may get children from a controller: NAME-1 and so on.
constexpr int kChildrenMax = 9;

void note_name(Role role, const ObjectSketch& object, Place place, ParseContext& context) {
  const std::string name = object_name(object.namespace_, object.name);
  if (role == Role::Makes) {
    context.defines("object", name, place);
    for (int i = 1; object.data.contains("replicas") && i <= kChildrenMax; ++i) {
      context.defines("object", name + "-" + std::to_string(i), place);
    }
  } else {
    context.uses("object", name, place);
  }
}

/// The keys that say which object.
Table<ObjectSketch> target_table(std::string doc) {
  Table<ObjectSketch> table("an object", std::move(doc));
  table.required("name", &ObjectSketch::name, text("the name of an object"), "Its name.")
      .optional("namespace", &ObjectSketch::namespace_, text("a namespace"),
                "Its namespace; if omitted, the namespace default.")
      .optional("rv_as", &ObjectSketch::rv_as, new_symbol("revision"),
                "A name for the revision of this write; refer to it later as $name.")
      .optional(
          "kind", &ObjectSketch::kind, known_name("kind"),
          "Its kind, such as Pod or Node, or one of the server's resources; default ConfigMap.");
  return table;
}

/// A key whose value may be empty, which is something else than to leave it out: an update takes
/// away what was there.
template <typename M>
void add_content(Table<ObjectSketch>& table, FieldSchema field, M ObjectSketch::*member,
                 Codec<M> value) {
  const std::string name = field.name;
  table.key(
      std::move(field), std::move(value),
      [member, name](ObjectSketch& object, M read) {
        if (read.empty()) {
          object.emptied.insert(name);
        }
        object.*member = std::move(read);
      },
      [member, name](const ObjectSketch& object) {
        return (object.*member).empty() && !object.emptied.contains(name)
                   ? std::nullopt
                   : std::optional<M>(object.*member);
      });
}

/// The keys that say what an object is like.
Table<ObjectSketch> content_table() {
  Table<ObjectSketch> table("an object", "What an object is like.");
  add_content(table, {"labels", "Labels. An update replaces all of them; {} removes them."},
              &ObjectSketch::labels, text_map("labels"));
  add_content(table,
              {"annotations", "Annotations. An update replaces all of them; {} removes them."},
              &ObjectSketch::annotations, text_map("annotations"));
  add_content(table,
              {"finalizers",
               "Names that keep a deleted object until they are removed. An update replaces all of "
               "them; [] removes them."},
              &ObjectSketch::finalizers, list_of("a list of finalizers", text("a finalizer")));
  add_content(table, {"data", "Content. An update replaces all of it; {} removes it."},
              &ObjectSketch::data, text_map("data"));
  table
      .optional("uid_as", &ObjectSketch::uid_as, new_symbol("uid"),
                "A name for the object's uid; refer to it later as $name.")
      .optional("body", &ObjectSketch::body, json_text("members of an object", Node::Kind::Mapping),
                "Other fields of the manifest, such as spec. An update replaces the fields that it "
                "contains.");
  return table;
}

constexpr auto kItself = [](auto& object) -> auto& { return object; };
/// A text of a patch, which says in which of the forms it is.
auto put_text(std::string sim::PatchSketch::*form) {
  return [form](sim::PatchSketch& patch, std::string read) { patch.*form = std::move(read); };
}
auto text_in(std::string sim::PatchSketch::*form) {
  return [form](const sim::PatchSketch& patch) {
    return (patch.*form).empty() ? std::nullopt : std::optional(patch.*form);
  };
}

/// One operation of a JSON patch, as far as a server looks at it before it looks at the object.
struct PatchOperation {
  std::string op;
  std::string path;
  std::string from;
  bool has_from = false;
  bool has_value = false;
};

/// What somebody probably means who writes no pointer: "/data/a" for "data/a" and ".data.a".
std::string nearest_pointer(std::string text) {
  text.erase(0, std::min(text.find_first_not_of("$."), text.size()));
  if (text.find('/') == std::string::npos) {
    std::ranges::replace(text, '.', '/');
  }
  for (std::size_t i = text.find('~'); i != std::string::npos; i = text.find('~', i + 1)) {
    if (text.find_first_of("01", i) != i + 1) {
      text.insert(i + 1, "0");
    }
  }
  return text.empty() || text.starts_with('/') ? text : "/" + text;
}

Codec<std::string> pointer_grammar() {
  return checked<std::string>(
      text("a JSON pointer"), [](const std::string& found, Place place, ParseContext& context) {
        if (!sim::is_json_pointer(found)) {
          context.problems.add({place, "'" + found + "' is not a JSON pointer",
                                "a '/' before each part, as in /data/color; in a part, ~1 for a "
                                "'/' and ~0 for a '~'",
                                nearest_pointer(found)});
        }
      });
}

/// Anything, of which counts only that it is there.
Codec<bool> presence_grammar(std::string title) {
  return {std::make_shared<Schema>(Schema{.title = std::move(title)}),
          [](const Node&, ParseContext&) { return true; },
          [](bool) { return std::optional<Node>(); }};
}

void check_operation(const PatchOperation& operation, const Node& node, ParseContext& context) {
  const auto lacks = [&](const char* key, const std::string& example) {
    context.problems.add({node.place_of({"op"}),
                          fmt::format("'op: {}' without '{}'", operation.op, key), example, ""});
  };
  if ((operation.op == "add" || operation.op == "replace") && !operation.has_value) {
    lacks("value", "'value: ...' beside it, what stands at the path then");
  }
  if ((operation.op == "move" || operation.op == "copy") && !operation.has_from) {
    lacks("from", "'from: /data/a' beside it, the place that it is taken from");
  }
}

Codec<PatchOperation> operation_grammar() {
  const auto put_from = [](PatchOperation& operation, std::string read) {
    operation.from = std::move(read);
    operation.has_from = true;
  };
  Table<PatchOperation> table("an operation of a JSON patch", "A change at one place.");
  table
      .required("op", &PatchOperation::op,
                word("an operation", {"add", "remove", "replace", "move", "copy", "test"}),
                "What happens there.")
      .example("op: add")
      .required("path", &PatchOperation::path, pointer_grammar(), "Where.")
      .example("path: /data/color")
      .key({"from", "Where it is taken from."}, pointer_grammar(), put_from,
           [](const PatchOperation& operation) { return operation.from; })
      .optional("value", &PatchOperation::has_value, presence_grammar("a value"),
                "What stands there.")
      .finally(check_operation);
  return table.codec();
}

Codec<std::string> json_patch_grammar() {
  Codec<std::string> patch = json_text("a JSON patch", Node::Kind::Sequence);
  patch.read = [read = std::move(patch.read),
                operations = list_of("a JSON patch", operation_grammar())](const Node& node,
                                                                           ParseContext& context) {
    const std::size_t before = context.problems.count();
    (void)operations.read(node, context);
    return context.problems.count() == before ? read(node, context) : std::string("[]");
  };
  return patch;
}

constexpr auto kObjectInWrite = [](auto& write) -> auto& { return write.object; };

Codec<ObjectSketch> object_grammar(Role role, std::string doc) {
  Table<ObjectSketch> table = target_table(std::move(doc));
  if (role != Role::Deletes) {
    table.include(content_table(), kItself);
  }
  const auto note = [role](ObjectSketch& object, Place place, ParseContext& context) {
    note_name(role, object, place, context);
  };
  return finished<ObjectSketch>(
      or_short(as_member(&ObjectSketch::name, text("the name of an object")), table.codec()), note);
}

}  // namespace

std::string name_and_namespace(const std::string& name) {
  const std::size_t slash = name.find('/');
  const bool is_one = slash != std::string::npos && slash > 0 && slash + 1 < name.size() &&
                      name.find('/', slash + 1) == std::string::npos;
  return is_one ? fmt::format("{{name: {}, namespace: {}}}", name.substr(slash + 1),
                              name.substr(0, slash))
                : "";
}

void refuse_slash(const std::string& name, Place place, ParseContext& context) {
  if (const std::string apart = name_and_namespace(name); !apart.empty()) {
    context.problems.add({place,
                          fmt::format("'{}', a namespace and a name, where a name belongs", name),
                          apart, ""});
  }
}

std::string object_name(const std::string& namespace_, const std::string& name) {
  return namespace_.empty() || namespace_ == "default" ? name : namespace_ + "/" + name;
}

Codec<ObjectSketch> made_object_grammar(std::string doc) {
  return object_grammar(Role::Makes, std::move(doc));
}

Codec<ObjectSketch> changed_object_grammar(std::string doc) {
  return object_grammar(Role::Changes, std::move(doc));
}

Codec<ObjectSketch> deleted_object_grammar(std::string doc) {
  return object_grammar(Role::Deletes, std::move(doc));
}

Codec<sim::PatchSketch> patch_grammar() {
  Table<sim::PatchSketch> table("a patch", "A change of an object that is there.");
  table.include(target_table("An object."), kObjectInWrite)
      .key({"merge", "A merge patch (RFC 7396): fields to set, or to remove with null.",
            Presence::OneOf},
           json_text("a merge patch", Node::Kind::Mapping), put_text(&sim::PatchSketch::merge),
           text_in(&sim::PatchSketch::merge))
      .key({"json", "A JSON patch (RFC 6902): a list of {op: add, path: /data/a, value: b}.",
            Presence::OneOf},
           json_patch_grammar(), put_text(&sim::PatchSketch::json),
           text_in(&sim::PatchSketch::json))
      .optional("status", &sim::PatchSketch::of_status, boolean(),
                "Whether to use the status subresource; default false.")
      .finally([](sim::PatchSketch& patch, const Node& node, ParseContext& context) {
        note_name(Role::Changes, patch.object, node.place, context);
      });
  return table.codec();
}

Codec<sim::ApplySketch> apply_grammar() {
  Table<sim::ApplySketch> table("an apply", "An object as a field manager wants it.");
  table.include(target_table("An object."), kObjectInWrite)
      .include(content_table(), kObjectInWrite)
      .optional("manager", &sim::ApplySketch::manager, text("a field manager"),
                "The field manager that owns the fields afterwards; default script.")
      .optional("force", &sim::ApplySketch::force, boolean(),
                "Whether to take over fields that another manager owns; default false: the server "
                "refuses a conflict, which ends the story.")
      .finally([](sim::ApplySketch& apply, const Node& node, ParseContext& context) {
        note_name(Role::Makes, apply.object, node.place, context);
      });
  return table.codec();
}

}  // namespace watchlab::scenarios
