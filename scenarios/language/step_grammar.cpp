#include <algorithm>
#include <utility>

#include "scenarios/language/grammar.hpp"
#include "scenarios/language/table.hpp"

namespace watchlab::scenarios {
namespace {

constexpr std::int64_t kCountedMax = 1'000'000;

using sim::Condition;
using Kind = Condition::Kind;
using Actions = std::vector<Action>;

Codec<Condition> counted(Kind kind, const std::string& title) {
  Table<Condition> table(title, "A number of things that have happened since the beginning.");
  table
      .optional("of", &Condition::of, known_name(kind == Kind::Handled ? "handler" : "client"),
                kind == Kind::Handled ? "Which handler; default: all."
                                      : "Which client; may be omitted if there is only one.")
      .required("count", &Condition::count, integer("a count", 1, kCountedMax), "How many.");
  if (kind == Kind::Requested) {
    table.optional("verb", &Condition::verb, any_verb_grammar(), "Which ones; default: all.");
  }
  return table.codec();
}

Codec<Condition> noted_grammar() {
  Table<Condition> table("a number of notes", "What a program has said for the record.");
  table
      .optional("of", &Condition::of, known_name("client"),
                "Which client; may be omitted if there is only one.")
      .optional("text", &Condition::text, text("a note"),
                "Their text, where * matches anything; default: any text.")
      .optional("count", &Condition::count, integer("a count", 1, kCountedMax),
                "How many; default 1.");
  return or_short(as_member(&Condition::text, text("a note")), table.codec());
}

Codec<MoveAction> move_grammar() {
  Table<MoveAction> table("a move", "To which replica a client's next requests go.");
  table.required("client", &MoveAction::client, known_name("client"), "Whose requests.")
      .required("to", &MoveAction::replica, integer("a replica", 0, 100), "Counted from 0.");
  return table.codec();
}

/// Something that happens at an instant: one key, its verb.
Table<Action> action_table() {
  Table<Action> table("a part of an atomic step", "Something that happens.");
  table
      .alternative(
          "create",
          as_member(&CreateAction::object, made_object_grammar("An object that comes into being.")),
          "Creates an object.")
      .alternative(
          "update",
          as_member(&UpdateAction::object, changed_object_grammar("An object that changes.")),
          "Changes an object.")
      .alternative("delete",
                   as_member(&DeleteAction::object, deleted_object_grammar("An object that goes.")),
                   "Deletes an object.")
      .alternative("patch", as_member(&PatchAction::patch, patch_grammar()), "Patches an object.")
      .alternative("apply", as_member(&ApplyAction::apply, apply_grammar()),
                   "A field manager applies an object (server-side apply): creates it, or sets "
                   "these fields.")
      .alternative("fault", as_member(&FaultAction::fault, fault_grammar()),
                   "Injects a fault, from now on or at this instant.")
      .alternative("heal", as_member(&HealAction::name, known_name("fault")), "Ends a fault.")
      .alternative("start", as_member(&StartAction::client, known_name("client")),
                   "Starts a client that starts later, or that has crashed.")
      .alternative("stop", as_member(&StopAction::client, known_name("client")), "Stops a client.")
      .alternative("crash", as_member(&CrashAction::client, known_name("client")),
                   "Kills the program of a client of the kind go; start brings it back.")
      .alternative("add_handler", as_member(&AddHandlerAction::handler, known_name("handler")),
                   "Adds a handler that starts later to its shared informer.")
      .alternative("remove_handler",
                   as_member(&RemoveHandlerAction::handler, known_name("handler")),
                   "Removes a handler from its shared informer.")
      .alternative("move", move_grammar(),
                   "Routes a client to another replica, as a load balancer does.");
  return table;
}

void finish_step(Step& step, const Node& node, ParseContext& context) {
  step.line = node.place.line;
  if (step.at && step.after) {
    const Place second = std::max(node.place_of({"at"}), node.place_of({"after"}));
    context.problems.add({second, "a step with 'at' and 'after'", "one of at or after", ""});
  }
}

/// For constant and other actions alike.
template <typename Sketch>
Sketch* sketch_in(auto& action) {
  return std::visit(
      [](auto& each) -> Sketch* {
        if constexpr (requires { each.object; }) {
          return &each.object;
        } else if constexpr (requires { each.patch; }) {
          return &each.patch.object;
        } else if constexpr (requires { each.apply; }) {
          return &each.apply.object;
        } else {
          return nullptr;
        }
      },
      action);
}

}  // namespace

const sim::ObjectSketch* object_of(const Action& action) {
  return sketch_in<const sim::ObjectSketch>(action);
}

sim::ObjectSketch* object_of(Action& action) { return sketch_in<sim::ObjectSketch>(action); }

Codec<Condition> condition_grammar() {
  Table<Condition> table("a condition", "Something to wait for.");
  const auto of_client = as_member(&Condition::of, known_name("client"));
  table
      .sort({"watching", "This client has an open watch."}, &Condition::kind, Kind::Watching,
            of_client)
      .sort({"synced", "This client has handled its first list."}, &Condition::kind, Kind::Synced,
            of_client)
      .sort({"ended", "This client has ended."}, &Condition::kind, Kind::Ended, of_client)
      .sort({"handled", "This many handler calls have started."}, &Condition::kind, Kind::Handled,
            counted(Kind::Handled, "a number of handler calls"))
      .sort({"popped", "This many deltas have been popped."}, &Condition::kind, Kind::Popped,
            counted(Kind::Popped, "a number of deltas"))
      .sort({"requested", "The server has received this many requests."}, &Condition::kind,
            Kind::Requested, counted(Kind::Requested, "a number of requests"))
      .sort({"noted", "A program has written this note."}, &Condition::kind, Kind::Noted,
            noted_grammar());
  return table.codec();
}

Codec<Step> step_grammar() {
  const Table<Action> actions = action_table();
  Table<Action> pause("a pause", "Time that passes.");
  pause.alternative("wait", as_member(&WaitAction::duration, duration()), "Lets time pass.");
  const auto open = [](Step& step) -> Action& { return step.actions.emplace_back(); };
  const auto look = [](const Step& step) {
    return step.actions.size() == 1 ? &step.actions.front() : nullptr;
  };
  Table<Step> table("a step", "When, and what.");
  table.optional("when", &Step::when, condition_grammar(), "Waits for this condition first.")
      .optional("at", &Step::at, duration(), "Then waits until this time since the start.")
      .optional("after", &Step::after, duration(),
                "Then waits this long after the previous step, or after the condition became true.")
      .include(actions, open, look)
      .key(
          {"atomic", "All of these at the same instant, before any other task runs.",
           Presence::OneOf},
          some_of("a list of what happens", actions.codec()),
          [](Step& step, Actions read) { step.actions = std::move(read); },
          [](const Step& step) {
            return step.actions.size() == 1 ? std::nullopt : std::optional(step.actions);
          })
      .include(pause, open, look)
      .finally(finish_step);
  return table.codec();
}

}  // namespace watchlab::scenarios
