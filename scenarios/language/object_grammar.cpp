#include <utility>

#include "scenarios/language/grammar.hpp"
#include "scenarios/language/table.hpp"

namespace watchlab::scenarios {
namespace {

using sim::ObjectSketch;

enum class Role : std::uint8_t { Makes, Changes, Deletes };

/// An object that asks for replicas may get children from a controller: NAME-1 and so on.
constexpr int children_max = 9;

void note_name(Role role, const ObjectSketch& object, Place place, ParseContext& context) {
  const std::string name = object_name(object.namespace_, object.name);
  if (role == Role::Makes) {
    context.defines("object", name, place);
    for (int i = 1; object.data.contains("replicas") && i <= children_max; ++i) {
      context.defines("object", name + "-" + std::to_string(i), place);
    }
  } else {
    context.uses("object", name, place);
  }
}

Codec<ObjectSketch> object_grammar(Role role, std::string doc) {
  Table<ObjectSketch> table("an object", std::move(doc));
  table.required("name", &ObjectSketch::name, text("the name of an object"), "Its name.")
      .optional("namespace", &ObjectSketch::namespace_, text("a namespace"),
                "Its namespace; default if left out.")
      .optional("rv_as", &ObjectSketch::rv_as, new_name("symbol"),
                "A name for the revision of this write: later $name means it.");
  if (role != Role::Deletes) {
    table
        .optional("labels", &ObjectSketch::labels, text_map("labels"),
                  "Its labels; an update replaces all of them.")
        .optional("annotations", &ObjectSketch::annotations, text_map("annotations"),
                  "Its annotations; an update replaces all of them.")
        .optional("data", &ObjectSketch::data, text_map("data"),
                  "Its content; an update replaces all of it.")
        .optional("uid_as", &ObjectSketch::uid_as, new_name("symbol"),
                  "A name for the object's uid: later $name means it.");
  }
  const auto note = [role](ObjectSketch& object, Place place, ParseContext& context) {
    note_name(role, object, place, context);
  };
  return finished<ObjectSketch>(
      or_short(as_member(&ObjectSketch::name, text("the name of an object")), table.codec()), note);
}

}  // namespace

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

}  // namespace watchlab::scenarios
