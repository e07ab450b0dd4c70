#include <algorithm>
#include <utility>

#include "scenarios/language/grammar.hpp"
#include "scenarios/language/table.hpp"
#include "sim/faults/fault_catalogue.hpp"
#include "sim/faults/fault_effects.hpp"

namespace watchlab::scenarios {
namespace {

using sim::FaultEntry;
using sim::FaultParameter;
using sim::FaultScope;
using sim::FaultSketch;
using sim::ParameterKind;
using sim::ParameterValue;
using FaultTable = Table<FaultSketch>;

constexpr std::int64_t kMost = 1'000'000'000;

template <typename T>
Codec<ParameterValue> as_parameter(Codec<T> value) {
  return converted(
      std::move(value), [](T read) { return ParameterValue(std::move(read)); },
      [](const ParameterValue& held) { return std::get<T>(held); });
}

/// A duration that is not zero, for what would never end or never begin with none.
Codec<runtime::Duration> positive_duration() {
  return checked<runtime::Duration>(
      duration(), [](runtime::Duration value, Place place, ParseContext& context) {
        if (value == runtime::Duration::zero()) {
          context.problems.add({place, "no time", "a duration longer than 0s", ""});
        }
      });
}

Codec<ParameterValue> parameter_grammar(const FaultParameter& parameter) {
  switch (parameter.kind) {
    case ParameterKind::Integer:
      return as_parameter(integer("a number", parameter.least, kMost));
    case ParameterKind::Duration:
      return as_parameter(parameter.least > 0 ? positive_duration() : duration());
    case ParameterKind::Boolean:
      return as_parameter(boolean());
    case ParameterKind::Failure: {
      const auto& words = sim::failure_words();
      return as_parameter(word("a failure", {words.begin(), words.end()}));
    }
    case ParameterKind::Key:
      return as_parameter(text("the key of an object"));
    case ParameterKind::Resource:
      return as_parameter(text("the plural name of a resource"));
    case ParameterKind::Text:
      break;
  }
  return as_parameter(text("a text"));
}

void add_parameter(FaultTable& table, const FaultParameter& parameter) {
  const std::string name(parameter.name);
  table
      .key(
          {name, std::string(parameter.doc),
           parameter.standard ? Presence::Optional : Presence::Required},
          parameter_grammar(parameter),
          [name](FaultSketch& fault, ParameterValue value) {
            fault.parameters[name] = std::move(value);
          },
          [name](const FaultSketch& fault) {
            const auto found = fault.parameters.find(name);
            return found == fault.parameters.end() ? std::nullopt : std::optional(found->second);
          })
      .formerly(std::string(parameter.former));
}

/// What can be said about a fault of the catalogue: its parameters, and as much of a trigger as
/// makes sense for it.
Codec<FaultSketch> details_grammar(const FaultEntry& entry) {
  FaultTable table(std::string(entry.name), std::string(entry.doc));
  for (const FaultParameter& parameter : entry.parameters) {
    add_parameter(table, parameter);
  }
  table
      .optional("as", &FaultSketch::as, text("a name for a fault"),
                "The name that heal uses for it; default: the fault's own name.")
      .optional("choice", &FaultSketch::choice, boolean(),
                "Let the schedule decide each time whether it acts; explore tries both.");
  if (entry.scope != FaultScope::Servers) {
    table.optional("of", &FaultSketch::of, known_name("client"),
                   "The client that it hits; default: all.");
  }
  if (entry.scope == FaultScope::Messages) {
    table.optional("verb", &FaultSketch::verb, any_verb_grammar(),
                   "Which requests it hits; default: all.");
  }
  if (entry.scope != FaultScope::Servers) {
    table
        .optional("resource", &FaultSketch::resource, text("the plural name of a resource"),
                  "The resource, such as pods, whose requests and watches it hits; default: all.")
        .optional("skip", &FaultSketch::skip, integer("a number of messages", 1, kMost),
                  "How many matching messages to let pass first; default 0.")
        .optional("times", &FaultSketch::times, integer("a number of messages", 1, kMost),
                  "After how many messages it ends; default: never.");
  }
  return table.codec();
}

bool needs_details(const FaultEntry& entry) {
  return std::any_of(entry.parameters.begin(), entry.parameters.end(),
                     [](const FaultParameter& parameter) { return !parameter.standard; });
}

void define(FaultSketch& fault, Place place, ParseContext& context) {
  fault.line = place.line;
  context.defines("fault", fault.as.empty() ? fault.name : fault.as, place);
}

/// A fault by its name alone. What is no fault at all is compared with all names, not only with
/// those that can stand alone.
Codec<FaultSketch> short_form() {
  std::vector<std::string> names;
  std::vector<std::string> all_names;
  for (const FaultEntry& entry : sim::fault_catalogue()) {
    all_names.emplace_back(entry.name);
    if (!needs_details(entry)) {
      names.emplace_back(entry.name);
    }
  }
  const Codec<std::string> name = word("a fault", names);
  const Codec<std::string> any_name = word("a fault", all_names);
  auto read = [name, any_name](const Node& node, ParseContext& context) {
    FaultSketch fault{.name = any_name.read(node, context)};
    if (node.text == fault.name && !name.write(fault.name)) {
      context.problems.add({node.place, "the fault '" + node.text + "' without details",
                            "a mapping, {" + node.text + ": {…}}", ""});
    }
    return fault;
  };
  return {name.schema, std::move(read),
          [name](const FaultSketch& fault) { return name.write(fault.name); }};
}

}  // namespace

Codec<FaultSketch> fault_grammar() {
  FaultTable table("a fault", "What goes wrong, with its details.");
  for (const FaultEntry& entry : sim::fault_catalogue()) {
    const std::string name(entry.name);
    table.sort({name, std::string(entry.doc)}, &FaultSketch::name, name, details_grammar(entry));
  }
  return finished<FaultSketch>(or_short(short_form(), table.codec()), define);
}

}  // namespace watchlab::scenarios
