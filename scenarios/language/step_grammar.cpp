#include <utility>

#include "scenarios/language/grammar.hpp"
#include "scenarios/language/table.hpp"

namespace watchlab::scenarios {
namespace {

constexpr std::int64_t counted_max = 1'000'000;

using Kind = sim::Condition::Kind;

Parser<sim::Condition> of_client(Kind kind) {
  return converted(known_name("client"), [kind](std::string client) {
    return sim::Condition{.kind = kind, .of = std::move(client)};
  });
}

Parser<sim::Condition> counted(Kind kind, const std::string& title) {
  Table<sim::Condition> table(title, "A number of things that have happened since the beginning.");
  table
      .optional("of", &sim::Condition::of, known_name(kind == Kind::Handled ? "handler" : "client"),
                "Whose; may be left out when there is only one.")
      .required("count", &sim::Condition::count, integer("a count", 1, counted_max), "How many.");
  if (kind == Kind::Requested) {
    table.optional("verb", &sim::Condition::verb, verb_grammar(), "Which ones; all if left out.");
  }
  return converted(table.parser(), [kind](sim::Condition condition) {
    condition.kind = kind;
    return condition;
  });
}

Parser<MoveAction> move_grammar() {
  Table<MoveAction> table("a move", "To which replica a client's next requests go.");
  table.required("client", &MoveAction::client, known_name("client"), "Whose requests.")
      .required("to", &MoveAction::replica, integer("a replica", 0, 100), "Counted from 0.");
  return table.parser();
}

/// Adds the verbs of a step to a table whose rows end in a list of actions.
template <typename T, typename Get>
void add_verbs(Table<T>& table, Get actions_of) {
  const auto add = [actions_of](auto make) {
    return [actions_of, make](T& step, auto value) {
      actions_of(step).emplace_back(make(std::move(value)));
    };
  };
  table
      .one_of_with("create", made_object_grammar("An object that comes into being."),
                   add([](sim::ObjectSketch object) { return CreateAction{std::move(object)}; }),
                   "Somebody creates an object.")
      .one_of_with("update", changed_object_grammar("An object that changes."),
                   add([](sim::ObjectSketch object) { return UpdateAction{std::move(object)}; }),
                   "Somebody changes an object.")
      .one_of_with("delete", deleted_object_grammar("An object that goes."),
                   add([](sim::ObjectSketch object) { return DeleteAction{std::move(object)}; }),
                   "Somebody deletes an object.")
      .one_of_with("fault", fault_grammar(),
                   add([](sim::FaultSketch fault) { return FaultAction{std::move(fault)}; }),
                   "Something goes wrong from now on, or at this instant.")
      .one_of_with("heal", known_name("fault"),
                   add([](std::string name) { return HealAction{std::move(name)}; }),
                   "A fault is over.")
      .one_of_with("start", known_name("client"),
                   add([](std::string client) { return StartAction{std::move(client)}; }),
                   "A client that starts later starts now.")
      .one_of_with("stop", known_name("client"),
                   add([](std::string client) { return StopAction{std::move(client)}; }),
                   "A client is told to stop.")
      .one_of_with("add_handler", known_name("handler"),
                   add([](std::string name) { return AddHandlerAction{std::move(name)}; }),
                   "A handler of a shared informer that starts later is added now.")
      .one_of_with("remove_handler", known_name("handler"),
                   add([](std::string name) { return RemoveHandlerAction{std::move(name)}; }),
                   "A handler of a shared informer is removed.")
      .one_of_with("move", move_grammar(), add([](MoveAction action) { return action; }),
                   "A client is led to another replica, as a load balancer does.");
}

Parser<std::vector<Action>> atomic_grammar() {
  struct Part {
    std::vector<Action> actions;
  };
  Table<Part> table("a part of an atomic step", "Something that happens.");
  add_verbs(table, [](Part& part) -> std::vector<Action>& { return part.actions; });
  return converted(list_of("a list of what happens", table.parser()), [](std::vector<Part> parts) {
    std::vector<Action> actions;
    for (Part& part : parts) {
      actions.insert(actions.end(), part.actions.begin(), part.actions.end());
    }
    return actions;
  });
}

void finish_step(Step& step, Place place, ParseContext& context) {
  step.line = place.line;
  if (step.at && step.after) {
    context.problems.add({place, "a step with 'at' and 'after'", "one of at or after", ""});
  }
}

}  // namespace

Parser<sim::Condition> condition_grammar() {
  Table<sim::Condition> table("a condition", "Something to wait for.");
  const auto put = [](sim::Condition& out, sim::Condition read) { out = std::move(read); };
  table.one_of_with("watching", of_client(Kind::Watching), put, "This client has an open watch.")
      .one_of_with("synced", of_client(Kind::Synced), put,
                   "This client has handled its first list.")
      .one_of_with("ended", of_client(Kind::Ended), put, "This client has come to its end.")
      .one_of_with("handled", counted(Kind::Handled, "a number of handler calls"), put,
                   "So many handler calls have begun.")
      .one_of_with("popped", counted(Kind::Popped, "a number of deltas"), put,
                   "So many deltas were popped.")
      .one_of_with("requested", counted(Kind::Requested, "a number of requests"), put,
                   "The server has seen so many requests.");
  return table.parser();
}

Parser<Step> step_grammar() {
  Table<Step> table("a step", "When, and what.");
  table.optional("when", &Step::when, condition_grammar(), "Waits for this first.")
      .optional("at", &Step::at, duration(), "Then waits for this time since the beginning.")
      .optional("after", &Step::after, duration(),
                "Then waits this long, since the step before or since the condition held.");
  const auto actions_of = [](Step& step) -> std::vector<Action>& { return step.actions; };
  add_verbs(table, actions_of);
  table
      .one_of_with(
          "atomic", atomic_grammar(),
          [](Step& step, std::vector<Action> actions) { step.actions = std::move(actions); },
          "All of these at one instant, before anybody else does anything.")
      .one_of_with(
          "wait", duration(),
          [](Step& step, runtime::Duration time) { step.actions.emplace_back(WaitAction{time}); },
          "Time passes.")
      .finally(finish_step);
  return table.parser();
}

}  // namespace watchlab::scenarios
