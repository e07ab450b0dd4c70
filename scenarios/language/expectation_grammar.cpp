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
using sim::ExpectedStore;
using sim::Mode;
using sim::ObjectPattern;
using sim::RequestPattern;
using sim::StatePattern;
using sim::StreamEnd;
using sim::Verb;

Parser<std::int64_t> times_grammar() { return integer("a number of times", 1, 100'000); }

/// A value that stands in an optional member.
template <typename T>
Parser<std::optional<T>> maybe(Parser<T> value) {
  return converted(std::move(value), [](T read) { return std::optional<T>(std::move(read)); });
}

/// One of the texts of an enum's values.
template <sim::HasTexts Value>
Parser<Value> one_text(std::string title) {
  const auto& texts = sim::kTexts<Value>;
  return converted(
      word(std::move(title), {texts.begin(), texts.end()}),
      [](const std::string& read) { return sim::value_of<Value>(read).value_or(Value{}); });
}

/// Adds the keys that describe one version of an object.
template <typename T, typename Get>
void add_state(Table<T>& table, Get state_of) {
  const auto put = [state_of](auto member) {
    return [state_of, member](T& pattern, auto value) {
      state_of(pattern).*member = std::move(value);
    };
  };
  table
      .optional_with("rv", symbol("a revision or a $name"), put(&StatePattern::rv),
                     "Its revision, or $name.")
      .optional_with("uid", symbol("a uid or a $name"), put(&StatePattern::uid),
                     "Its uid, or $name.")
      .optional_with("labels", text_map("labels"), put(&StatePattern::labels), "All its labels.")
      .optional_with("data", text_map("data"), put(&StatePattern::data), "All its content.");
}

/// Adds the keys that name an object, and checks at the end that the file makes such a one.
template <typename T, typename Get>
void add_object(Table<T>& table, Get object_of) {
  table
      .required_with(
          "name", text("the name of an object"),
          [object_of](T& pattern, std::string name) { object_of(pattern).name = std::move(name); },
          "The object's name.")
      .optional_with(
          "namespace", text("a namespace"),
          [object_of](T& pattern, std::string name) {
            object_of(pattern).namespace_ = std::move(name);
          },
          "The object's namespace; default if left out.")
      .finally([object_of](T& pattern, Place place, ParseContext& context) {
        const ObjectPattern& object = object_of(pattern);
        context.uses("object", object_name(object.namespace_, object.name), place);
      });
}

/// A pattern that is only an object's name.
template <typename T, typename Get>
Parser<T> short_form(Get object_of) {
  return converted(known_name("object"), [object_of](std::string name) {
    T pattern;
    object_of(pattern).name = std::move(name);
    return pattern;
  });
}

ObjectPattern& object_of_delta(DeltaPattern& pattern) { return pattern.object; }
ObjectPattern& object_of_call(CallPattern& pattern) { return pattern.object; }
ObjectPattern& object_itself(ObjectPattern& pattern) { return pattern; }

Parser<DelayClass> delay_grammar() {
  struct Step {
    std::int64_t step = 1;
  };
  Table<Step> table("a delay class", "A delay that is partly drawn by chance.");
  table.required("backoff", &Step::step, integer("a step of the backoff", 1, 100),
                 "The k-th delay of a fresh backoff: 0.8 s doubled k-1 times, at most 30 s, and up "
                 "to twice that.");
  auto backoff = converted(table.parser(), [](Step read) {
    return DelayClass{.kind = DelayClass::Kind::Backoff, .step = static_cast<int>(read.step)};
  });
  auto schema = std::make_shared<Schema>(
      Schema{.kind = Schema::Kind::Either,
             .title = "a delay class",
             .doc = "immediate, {backoff: 1} or a duration",
             .alternatives = {word("a delay class", {"immediate"}).schema, duration().schema}});
  auto read = [time = duration()](const Node& node, ParseContext& context) {
    DelayClass delay;
    if (node.text != "immediate") {
      delay = {.kind = DelayClass::Kind::Fixed, .exactly = time.read(node, context)};
    }
    return delay;
  };
  return or_short<DelayClass>({schema, std::move(read)}, std::move(backoff));
}

Parser<RequestPattern> request_details(Verb verb) {
  Table<RequestPattern> table("a request", "What a request asked and how it was answered.");
  table
      .optional("rv", &RequestPattern::rv, symbol("a revision or a $name"),
                "The resourceVersion that it sent: \"\", \"0\", a revision or $name.")
      .optional("delay", &RequestPattern::delay, maybe(delay_grammar()),
                "How long after the end of the client's request before: immediate, {backoff: k} or "
                "a duration.")
      .optional("answer", &RequestPattern::answer, one_text<AnswerKind>("an answer"),
                "How it was answered.")
      .optional("limit", &RequestPattern::limit, integer("a page size", 0, 1'000'000),
                "The page size that it asked for; 0 for none.")
      .optional("labels", &RequestPattern::label_selector, text("a label selector"),
                "The label selector that it sent.")
      .optional("fields", &RequestPattern::field_selector, text("a field selector"),
                "The field selector that it sent.")
      .optional("times", &RequestPattern::times, times_grammar(), "So many in a row.");
  if (verb == Verb::Watch) {
    table.optional("ends", &RequestPattern::end, one_text<StreamEnd>("an end"),
                   "How the stream ended; expired is a 410 inside the stream.");
  }
  return table.parser();
}

Parser<RequestPattern> request_grammar() {
  Table<RequestPattern> table("a request", "A request that the client sent.");
  for (const Verb verb : {Verb::List, Verb::Watch}) {
    const std::string name(name_of(verb));
    table.one_of_with(
        name, request_details(verb),
        [verb](RequestPattern& out, RequestPattern details) {
          out = std::move(details);
          out.verb = verb;
        },
        "A " + name + ".");
  }
  auto brief = converted(verb_grammar(), [](Verb verb) { return RequestPattern{.verb = verb}; });
  return or_short(std::move(brief), table.parser());
}

Parser<DeltaPattern> delta_details() {
  Table<DeltaPattern> table("a delta", "A delta and its object.");
  add_object(table, object_of_delta);
  add_state(table, [](DeltaPattern& pattern) -> StatePattern& { return pattern.object.state; });
  table
      .optional("tombstone", &DeltaPattern::tombstone, maybe(boolean()),
                "Whether it carries a tombstone instead of the object.")
      .optional("initial", &DeltaPattern::initial, maybe(boolean()),
                "Whether it is a part of the first list.")
      .optional("times", &DeltaPattern::times, times_grammar(), "So many in a row.");
  return or_short(short_form<DeltaPattern>(object_of_delta), table.parser());
}

Parser<DeltaPattern> delta_grammar() {
  Table<DeltaPattern> table("a delta", "A delta that the client popped from its queue.");
  for (const DeltaType type : {DeltaType::Added, DeltaType::Updated, DeltaType::Deleted,
                               DeltaType::Replaced, DeltaType::Sync}) {
    const std::string name(name_of(type));
    table.one_of_with(
        name, delta_details(),
        [type](DeltaPattern& out, DeltaPattern details) {
          out = std::move(details);
          out.type = type;
        },
        "A delta of type " + name + ".");
  }
  return table.parser();
}

Parser<StatePattern> state_grammar() {
  Table<StatePattern> table("a version of an object", "What is known about it.");
  add_state(table, [](StatePattern& pattern) -> StatePattern& { return pattern; });
  return table.parser();
}

Parser<CallPattern> call_details(CallType type) {
  Table<CallPattern> table("a handler call", "A call and its object.");
  add_object(table, object_of_call);
  if (type == CallType::Update) {
    table.optional("from", &CallPattern::from, maybe(state_grammar()), "The old object.")
        .optional("to", &CallPattern::to, maybe(state_grammar()), "The new object.");
  } else {
    add_state(table, [](CallPattern& pattern) -> StatePattern& { return pattern.object.state; });
  }
  if (type == CallType::Add) {
    table.optional("initial", &CallPattern::initial, maybe(boolean()),
                   "Whether the call says that it is a part of the first list.");
  }
  if (type == CallType::Delete) {
    table.optional("tombstone", &CallPattern::tombstone, maybe(boolean()),
                   "Whether it carries a tombstone instead of the object.");
  }
  table.optional("times", &CallPattern::times, times_grammar(), "So many in a row.");
  return or_short(short_form<CallPattern>(object_of_call), table.parser());
}

Parser<CallPattern> call_grammar() {
  Table<CallPattern> table("a handler call", "A call that the handler got.");
  for (const CallType type : {CallType::Add, CallType::Update, CallType::Delete}) {
    const std::string name(to_string(type));
    table.one_of_with(
        name, call_details(type),
        [type](CallPattern& out, CallPattern details) {
          out = std::move(details);
          out.type = type;
        },
        "A call of the handler's " + name + " function.");
  }
  return table.parser();
}

Parser<ObjectPattern> stored_grammar() {
  Table<ObjectPattern> table("an object", "An object in the client's store.");
  add_object(table, object_itself);
  add_state(table, [](ObjectPattern& pattern) -> StatePattern& { return pattern.state; });
  return or_short(short_form<ObjectPattern>(object_itself), table.parser());
}

/// A layer: one of the five ways of comparing, each with a list of entries.
template <typename Layer, typename Pattern>
Parser<Layer> layer_grammar(const std::string& title, const Parser<Pattern>& entry) {
  Table<Layer> table(title, "How " + title + " compare with a list.");
  const auto add = [&](const std::string& name, Mode mode, std::string doc) {
    table.one_of_with(
        name, list_of("a list of " + title, entry),
        [mode](Layer& layer, std::vector<Pattern> entries) {
          layer.mode = mode;
          layer.entries = std::move(entries);
        },
        std::move(doc));
  };
  add("exactly", Mode::Exactly, "These and no others, in this order.");
  add("in_any_order", Mode::InAnyOrder, "These and no others, in whatever order.");
  add("in_order", Mode::InOrder, "These in this order; others may come between.");
  add("at_least", Mode::AtLeast, "These, in whatever order, among others.");
  add("never", Mode::Never, "None of these.");
  return table.parser();
}

template <typename Layer>
auto put_layer() {
  return [](Expectation& expectation, Layer layer) { expectation.layer = std::move(layer); };
}

}  // namespace

Parser<Expectation> expectation_grammar() {
  Table<Expectation> table("an expectation", "A sentence about one layer that shall hold.");
  table
      .optional("of", &Expectation::of, known_name("client"),
                "Which client; may be left out when there is only one.")
      .optional("to", &Expectation::to, known_name("handler"),
                "Which handler was told, of a client that has several.")
      .optional("depends_on_order", &Expectation::depends_on_order, text("a reason"),
                "Why this holds only under the schedule that run plays; explore leaves it out.")
      .one_of_with("requests",
                   layer_grammar<Expected<RequestPattern>>("requests", request_grammar()),
                   put_layer<Expected<RequestPattern>>(), "What the client asked the server.")
      .one_of_with("deltas", layer_grammar<Expected<DeltaPattern>>("deltas", delta_grammar()),
                   put_layer<Expected<DeltaPattern>>(), "What the client popped from its queue.")
      .one_of_with("handler", layer_grammar<Expected<CallPattern>>("handler calls", call_grammar()),
                   put_layer<Expected<CallPattern>>(), "What the client's handler was told.")
      .one_of_with("store", layer_grammar<ExpectedStore>("objects", stored_grammar()),
                   put_layer<ExpectedStore>(), "What is in the client's store at the end.")
      .one_of_with(
          "ended", one_text<EndCause>("a cause"),
          [](Expectation& expectation, EndCause cause) { expectation.layer = ExpectedEnd{cause}; },
          "How the client came to its end; running if it has not.")
      .finally([](Expectation& expectation, Place place, ParseContext&) {
        expectation.line = place.line;
      });
  return table.parser();
}

}  // namespace watchlab::scenarios
