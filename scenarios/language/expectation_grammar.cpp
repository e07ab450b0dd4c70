#include <array>
#include <utility>

#include "scenarios/language/grammar.hpp"
#include "scenarios/language/table.hpp"

namespace watchlab::scenarios {
namespace {

using sim::AnswerKind;
using sim::CallPattern;
using sim::CallType;
using sim::DelayClass;
using sim::DeltaPattern;
using sim::DeltaType;
using sim::EndCause;
using sim::Expectation;
using sim::Expected;
using sim::ExpectedEnd;
using sim::ExpectedObjects;
using sim::ExpectedStore;
using sim::Mode;
using sim::NotePattern;
using sim::ObjectPattern;
using sim::RequestPattern;
using sim::ServedPattern;
using sim::ServedType;
using sim::StatePattern;
using sim::StreamEnd;
using sim::Verb;

Codec<std::int64_t> times_grammar() { return integer("a number of times", 1, 100'000); }

/// The keys that describe one version of an object.
Table<StatePattern> state_table() {
  Table<StatePattern> table("a version of an object", "What is known about it.");
  table.optional("rv", &StatePattern::rv, revision(), "Its revision, or $name.")
      .optional("uid", &StatePattern::uid, symbol("a uid or a $name", "uid"), "Its uid, or $name.")
      .optional("labels", &StatePattern::labels, text_map("labels"), "All its labels.")
      .optional("data", &StatePattern::data, text_map("data"), "All its content.")
      .optional("body", &StatePattern::body, json_text("members of an object", Node::Kind::Mapping),
                "Other fields that it has, such as status: {readyReplicas: 3}, among others. A "
                "list has these elements and no others, in a text * stands for anything, and a "
                "field that is null is not there.");
  return table;
}

/// One of the texts of an enum's values.
template <sim::HasTexts Value>
Codec<Value> one_text(std::string title) {
  std::vector<std::pair<std::string, Value>> values;
  for (const std::string_view text : sim::kTexts<Value>) {
    values.emplace_back(text, sim::value_of<Value>(text).value_or(Value{}));
  }
  return choice(std::move(title), values);
}

/// The keys that name an object, which the file must make somewhere.
Table<ObjectPattern> object_table() {
  Table<ObjectPattern> table("an object", "An object in the client's store.");
  table.required("name", &ObjectPattern::name, text("the name of an object"), "The object's name.")
      .optional("namespace", &ObjectPattern::namespace_, text("a namespace"),
                "The object's namespace; if omitted, the namespace default.")
      .finally([](const ObjectPattern& object, const Node& node, ParseContext& context) {
        refuse_slash(object.name, node.place, context);
        context.uses("object", object_name(object.namespace_, object.name), node.place);
      });
  return table;
}

/// A pattern that is only an object's name.
Codec<ObjectPattern> short_object() {
  return as_member(&ObjectPattern::name, checked<std::string>(known_name("object"), refuse_slash));
}

constexpr auto kObjectIn = [](auto& pattern) -> auto& { return pattern.object; };
constexpr auto kStateIn = [](auto& pattern) -> auto& { return pattern.object.state; };

Codec<DelayClass> backoff_grammar() {
  Table<DelayClass> table("a delay class", "A delay that is partly drawn by chance.");
  table.key(
      {"backoff",
       "The k-th delay of a fresh backoff: 0.8 s doubled k-1 times, at most 30 s, plus jitter of "
       "up to the same again.",
       Presence::Required},
      integer("a step of the backoff", 1, 100),
      [](DelayClass& delay, std::int64_t step) {
        delay = {.kind = DelayClass::Kind::Backoff, .step = static_cast<int>(step)};
      },
      [](const DelayClass& delay) { return std::int64_t{delay.step}; });
  return table.codec();
}

Codec<DelayClass> delay_grammar() {
  const Codec<DelayClass> in_short = word_or_duration(
      choice<DelayClass>("a delay class", {{"immediate", DelayClass{}}}),
      "immediate, {backoff: 1} or a duration",
      [](runtime::Duration time) {
        return DelayClass{.kind = DelayClass::Kind::Fixed, .exactly = time};
      },
      [](const DelayClass& delay) {
        return delay.kind == DelayClass::Kind::Fixed ? std::optional(delay.exactly) : std::nullopt;
      });
  return or_short(in_short, backoff_grammar());
}

Codec<RequestPattern> request_details(Verb verb) {
  Table<RequestPattern> table("a request", "What a request asked and how it was answered.");
  table
      .optional("rv", &RequestPattern::rv, revision(),
                "The resourceVersion that it sent: \"\", \"0\", a revision or $name.")
      .optional("delay", &RequestPattern::delay, delay_grammar(),
                "How long after the client's previous request ended: immediate, {backoff: k} or a "
                "duration.")
      .optional("answer", &RequestPattern::answer, one_text<AnswerKind>("an answer"),
                "How it was answered.")
      .optional("limit", &RequestPattern::limit, integer("a page size", 0, 1'000'000),
                "The page size that it asked for; 0 for none.")
      .optional("labels", &RequestPattern::label_selector, text("a label selector"),
                "The label selector that it sent.")
      .optional("fields", &RequestPattern::field_selector, text("a field selector"),
                "The field selector that it sent.")
      .optional("times", &RequestPattern::times, times_grammar(), "This many in a row.");
  if (verb == Verb::Watch) {
    table.optional("ends", &RequestPattern::end, one_text<StreamEnd>("an end"),
                   "How the stream ended; expired is a 410 inside the stream.");
  }
  return table.codec();
}

constexpr std::array kOneObject{Verb::Get,          Verb::Create, Verb::Update,
                                Verb::UpdateStatus, Verb::Patch,  Verb::Delete};

/// Of a request about one object.
Codec<RequestPattern> object_request_details() {
  Table<RequestPattern> table("a request", "What a request asked and how it was answered.");
  table
      .optional("name", &RequestPattern::name, text("the name of an object"),
                "The name of the object.")
      .optional("namespace", &RequestPattern::namespace_, text("a namespace"),
                "The namespace of the object; \"\" for an object without one.")
      .optional("answer", &RequestPattern::answer, one_text<AnswerKind>("an answer"),
                "How it was answered.")
      .optional("times", &RequestPattern::times, times_grammar(), "This many in a row.");
  const Codec<std::optional<std::string>> name = converted(
      text("the name of an object"),
      [](std::string read) { return std::optional(std::move(read)); },
      [](const std::optional<std::string>& said) { return said; });
  return or_short(as_member(&RequestPattern::name, name), table.codec());
}

Codec<RequestPattern> request_grammar() {
  Table<RequestPattern> table("a request", "A request that the client sent.");
  for (const Verb verb : {Verb::List, Verb::Watch}) {
    const std::string name(to_string(verb));
    table.sort({name, "A " + name + "."}, &RequestPattern::verb, verb, request_details(verb));
  }
  for (const Verb verb : kOneObject) {
    const std::string name(to_string(verb));
    table.sort({name, "A " + name + ", of an external client."}, &RequestPattern::verb, verb,
               object_request_details());
  }
  return or_short(as_member(&RequestPattern::verb, any_verb_grammar()), table.codec());
}

Codec<ServedPattern> served_details() {
  Table<ServedPattern> table("a served object", "A state of an object, as it was served.");
  table.include(object_table(), kObjectIn)
      .include(state_table(), kStateIn)
      .optional("times", &ServedPattern::times, times_grammar(), "This many in a row.");
  return or_short(as_member(&ServedPattern::object, short_object()), table.codec());
}

Codec<ServedPattern> served_grammar() {
  Table<ServedPattern> table("a served object", "What the server served to the client.");
  for (const ServedType type :
       {ServedType::Listed, ServedType::Added, ServedType::Modified, ServedType::Deleted}) {
    const std::string name(to_string(type));
    const bool listed = type == ServedType::Listed;
    table.sort({name, listed ? "An object of a list." : "An event that says " + name + "."},
               &ServedPattern::type, type, served_details());
  }
  return table.codec();
}

Codec<DeltaPattern> delta_details() {
  Table<DeltaPattern> table("a delta", "A delta and its object.");
  table.include(object_table(), kObjectIn)
      .include(state_table(), kStateIn)
      .optional("tombstone", &DeltaPattern::tombstone, boolean(),
                "Whether it carries a tombstone instead of the object.")
      .optional("initial", &DeltaPattern::initial, boolean(),
                "Whether it is part of the first list.")
      .optional("times", &DeltaPattern::times, times_grammar(), "This many in a row.");
  return or_short(as_member(&DeltaPattern::object, short_object()), table.codec());
}

Codec<DeltaPattern> delta_grammar() {
  Table<DeltaPattern> table("a delta", "A delta that the client popped from its queue.");
  for (const DeltaType type : {DeltaType::Added, DeltaType::Updated, DeltaType::Deleted,
                               DeltaType::Replaced, DeltaType::Sync}) {
    const std::string name(to_string(type));
    table.sort({name, "A delta of type " + name + "."}, &DeltaPattern::type, type, delta_details());
  }
  return table.codec();
}

Codec<CallPattern> call_details(CallType type) {
  Table<CallPattern> table("a handler call", "A call and its object.");
  table.include(object_table(), kObjectIn);
  if (type == CallType::Update) {
    table.optional("from", &CallPattern::from, state_table().codec(), "The old object.")
        .optional("to", &CallPattern::to, state_table().codec(), "The new object.");
  } else {
    table.include(state_table(), kStateIn);
  }
  if (type == CallType::Add) {
    table.optional("initial", &CallPattern::initial, boolean(),
                   "Whether the call says that the object is part of the first list.");
  }
  if (type == CallType::Delete) {
    table.optional("tombstone", &CallPattern::tombstone, boolean(),
                   "Whether it carries a tombstone instead of the object.");
  }
  table.optional("times", &CallPattern::times, times_grammar(), "This many in a row.");
  return or_short(as_member(&CallPattern::object, short_object()), table.codec());
}

Codec<CallPattern> call_grammar() {
  Table<CallPattern> table("a handler call", "A call that the handler got.");
  for (const CallType type : {CallType::Add, CallType::Update, CallType::Delete}) {
    const std::string name(to_string(type));
    table.sort({name, "A call of the handler's " + name + " function."}, &CallPattern::type, type,
               call_details(type));
  }
  return table.codec();
}

Codec<NotePattern> note_grammar() {
  const Codec<std::string> line = text("a note");
  Table<NotePattern> table("a note", "Something that the program has said.");
  table.required("text", &NotePattern::text, line, "What it says; * stands for anything.")
      .optional("times", &NotePattern::times, times_grammar(), "This many in a row.");
  return or_short(as_member(&NotePattern::text, line), table.codec());
}

Codec<ObjectPattern> stored_grammar() {
  Table<ObjectPattern> table = object_table();
  table.include(state_table(), [](auto& pattern) -> auto& { return pattern.state; });
  return or_short(short_object(), table.codec());
}

/// The ways of comparing.
struct ModeKey {
  std::string_view name;
  std::string_view doc;
  Mode mode;
};
constexpr std::array<ModeKey, 6> kModes{
    {{"exactly", "These and no others, in this order.", Mode::Exactly},
     {"in_any_order", "These and no others, in any order.", Mode::InAnyOrder},
     {"in_order", "These in this order; others may come in between.", Mode::InOrder},
     {"at_least", "These, in any order; there may be others.", Mode::AtLeast},
     {"at_most", "Each of these at most so many times altogether; there may be others.",
      Mode::AtMost},
     {"never", "None of these.", Mode::Never}}};

/// A layer: one of the ways of comparing, each with a list of entries.
template <typename Layer, typename Pattern>
Table<Layer> table_of_layer(const std::string& title, const Codec<Pattern>& entry) {
  Table<Layer> table(title, "How " + title + " compare with a list.");
  for (const ModeKey& each : kModes) {
    table.key(
        {std::string(each.name), std::string(each.doc), Presence::OneOf},
        list_of("a list of " + title, entry),
        [mode = each.mode](Layer& into, std::vector<Pattern> read) {
          into.mode = mode;
          into.entries = std::move(read);
        },
        [mode = each.mode](const Layer& from) {
          return from.mode == mode ? std::optional(from.entries) : std::nullopt;
        });
  }
  return table;
}

template <typename Layer, typename Pattern>
Codec<Layer> layer_grammar(const std::string& title, const Codec<Pattern>& entry) {
  return table_of_layer<Layer>(title, entry).codec();
}

Codec<ExpectedObjects> objects_layer() {
  auto table = table_of_layer<ExpectedObjects>("objects", stored_grammar());
  table.optional("kind", &ExpectedObjects::kind, known_name("kind"),
                 "The kind of objects to compare; default ConfigMap.");
  return table.codec();
}

Table<decltype(Expectation::layer)> layer_table() {
  Table<decltype(Expectation::layer)> table("a layer", "What is recorded.");
  table
      .alternative("requests",
                   layer_grammar<Expected<RequestPattern>>("requests", request_grammar()),
                   "The client's requests to the server.")
      .alternative("deltas", layer_grammar<Expected<DeltaPattern>>("deltas", delta_grammar()),
                   "The deltas that the client popped from its queue.")
      .alternative("handler", layer_grammar<Expected<CallPattern>>("handler calls", call_grammar()),
                   "The calls of the client's handler.")
      .alternative("store", layer_grammar<ExpectedStore>("objects", stored_grammar()),
                   "The contents of the client's store at the end.")
      .alternative("served",
                   layer_grammar<Expected<ServedPattern>>("served objects", served_grammar()),
                   "What the server sent to the client, in lists and events.")
      .alternative("notes", layer_grammar<Expected<NotePattern>>("notes", note_grammar()),
                   "The notes that a program (a client of the kind go) has written.")
      .alternative("objects", objects_layer(),
                   "The objects on the server at the end, whoever wrote them.")
      .alternative("ended", as_member(&ExpectedEnd::cause, one_text<EndCause>("a cause")),
                   "How the client ended; running if it has not ended.");
  return table;
}

}  // namespace

Codec<Verb> any_verb_grammar() {
  std::vector<std::pair<std::string, Verb>> verbs{{"LIST", Verb::List}, {"WATCH", Verb::Watch}};
  for (const Verb verb : kOneObject) {
    verbs.emplace_back(to_string(verb), verb);
  }
  return choice<Verb>("a verb", verbs);
}

Codec<Expectation> expectation_grammar() {
  Table<Expectation> table("an expectation", "A claim about one layer that shall hold.");
  table
      .optional("of", &Expectation::of, known_name("client"),
                "Which client; may be omitted if there is only one.")
      .optional("to", &Expectation::to, known_name("handler"),
                "Which handler, if the client has several.")
      .optional("depends_on_order", &Expectation::depends_on_order, text("a reason"),
                "Why this is true only under the schedule that run plays; explore skips it.")
      .include(layer_table(), [](auto& expectation) -> auto& { return expectation.layer; })
      .finally([](Expectation& expectation, const Node& node, ParseContext&) {
        expectation.line = node.place.line;
      });
  return table.codec();
}

}  // namespace watchlab::scenarios
