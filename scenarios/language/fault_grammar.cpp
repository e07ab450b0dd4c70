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

constexpr std::int64_t most = 1'000'000'000;

template <typename T>
Parser<ParameterValue> as_parameter(Parser<T> value) {
  return converted(std::move(value), [](T read) { return ParameterValue(std::move(read)); });
}

/// A duration that is not zero, for what would never end or never begin with none.
Parser<runtime::Duration> positive_duration() {
  Parser<runtime::Duration> any = duration();
  auto read = [read_any = any.read](const Node& node, ParseContext& context) {
    const runtime::Duration value = read_any(node, context);
    if (value == runtime::Duration::zero() && context.problems.empty()) {
      context.problems.add({node.place, "no time", "a duration longer than 0s", ""});
    }
    return value;
  };
  return {any.schema, std::move(read)};
}

Parser<ParameterValue> parameter_grammar(const FaultParameter& parameter) {
  switch (parameter.kind) {
    case ParameterKind::Integer:
      return as_parameter(integer("a number", parameter.least, most));
    case ParameterKind::Duration:
      return as_parameter(parameter.least > 0 ? positive_duration() : duration());
    case ParameterKind::Boolean:
      return as_parameter(boolean());
    case ParameterKind::Failure: {
      std::vector<std::string> words;
      for (const std::string_view each : sim::failure_words()) {
        words.emplace_back(each);
      }
      return as_parameter(word("a failure", std::move(words)));
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
  const std::string doc(parameter.doc);
  const auto put = [name](FaultSketch& fault, ParameterValue value) {
    fault.parameters[name] = std::move(value);
  };
  if (parameter.standard) {
    table.optional_with(name, parameter_grammar(parameter), put, doc);
  } else {
    table.required_with(name, parameter_grammar(parameter), put, doc);
  }
}

/// What can be said about a fault of the catalogue: its parameters, and as much of a trigger as
/// makes sense for it.
Parser<FaultSketch> details_grammar(const FaultEntry& entry) {
  FaultTable table(std::string(entry.name), std::string(entry.doc));
  for (const FaultParameter& parameter : entry.parameters) {
    add_parameter(table, parameter);
  }
  table
      .optional("as", &FaultSketch::as, text("a name for a fault"),
                "By what name it is healed; its own if left out.")
      .optional("choice", &FaultSketch::choice, boolean(),
                "Whether it acts is left to the schedule, each time: explore tries both.");
  if (entry.scope != FaultScope::Servers) {
    table.optional("of", &FaultSketch::of, known_name("client"),
                   "The client that it hits; all if left out.");
  }
  if (entry.scope == FaultScope::Messages) {
    table
        .optional("verb", &FaultSketch::verb, verb_grammar(),
                  "Which requests it hits; all if left out.")
        .optional("times", &FaultSketch::times, integer("a number of messages", 1, most),
                  "After how many messages it is over; never if left out.");
  }
  return table.parser();
}

bool needs_details(const FaultEntry& entry) {
  return std::any_of(entry.parameters.begin(), entry.parameters.end(),
                     [](const FaultParameter& parameter) { return !parameter.standard; });
}

void define(FaultSketch& fault, Place place, ParseContext& context) {
  fault.line = place.line;
  context.defines("fault", fault.as.empty() ? fault.name : fault.as, place);
}

/// A fault by its name alone.
Parser<FaultSketch> short_form() {
  std::vector<std::string> names;
  std::vector<std::string> with_details;
  for (const FaultEntry& entry : sim::fault_catalogue()) {
    (needs_details(entry) ? with_details : names).emplace_back(entry.name);
  }
  const Parser<std::string> name = word("a fault", names);
  auto read = [name, with_details](const Node& node, ParseContext& context) {
    FaultSketch fault;
    if (std::find(with_details.begin(), with_details.end(), node.text) != with_details.end()) {
      context.problems.add({node.place, "the fault '" + node.text + "' without details",
                            "a mapping, {" + node.text + ": {…}}", ""});
      return fault;
    }
    fault.name = name.read(node, context);
    define(fault, node.place, context);
    return fault;
  };
  return {name.schema, std::move(read)};
}

}  // namespace

Parser<FaultSketch> fault_grammar() {
  FaultTable table("a fault", "What goes wrong, with its details.");
  for (const FaultEntry& entry : sim::fault_catalogue()) {
    table.one_of_with(
        std::string(entry.name), details_grammar(entry),
        [name = std::string(entry.name)](FaultSketch& fault, FaultSketch read) {
          fault = std::move(read);
          fault.name = name;
        },
        std::string(entry.doc));
  }
  table.finally(define);
  return or_short(short_form(), table.parser());
}

Parser<sim::Verb> verb_grammar() {
  return converted(word("a verb", {"LIST", "WATCH"}), [](const std::string& name) {
    return sim::verb_named(name).value_or(sim::Verb::List);
  });
}

}  // namespace watchlab::scenarios
