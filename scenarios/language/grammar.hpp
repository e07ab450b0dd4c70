#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

#include "scenarios/language/scenario.hpp"
#include "scenarios/language/values.hpp"

/// The language, one function a part. Each makes its piece from tables; a part is made of the ones
/// below it.
namespace watchlab::scenarios {

/// A whole file.
[[nodiscard]] Codec<Scenario> scenario_grammar();
[[nodiscard]] Codec<sim::StoryServerOptions> server_grammar();
[[nodiscard]] Codec<sim::StoryResourceOptions> resource_grammar();
[[nodiscard]] Codec<sim::StoryClientOptions> client_grammar();
[[nodiscard]] Codec<sim::FaultSketch> fault_grammar();
[[nodiscard]] Codec<sim::Condition> condition_grammar();
[[nodiscard]] Codec<Step> step_grammar();
[[nodiscard]] Codec<sim::Expectation> expectation_grammar();
/// Puts a problem for each expectation that could neither hold nor fail: about something that is
/// not written down of that kind of client, or about a client or handler that never starts.
void check_expectations(const Scenario& scenario, const Node& root, ParseContext& context);
/// The client that an expectation is about; null when the names in it are wrong.
[[nodiscard]] const sim::StoryClientOptions* client_of(const Scenario& scenario,
                                                       const sim::Expectation& expectation);
/// Puts a problem for each part of the script that can never come, or that the server would refuse.
void check_script(const Scenario& scenario, const Node& root, ParseContext& context);
/// The part of it about who and what is there when a step is played: each condition that no client
/// can meet, and each step about a client, a handler, a replica or a fault that is not there.
void check_cast(const Scenario& scenario, const Node& root, ParseContext& context);
/// Puts a problem for each name of an object, a label, a key of data or the like that a server
/// would refuse.
void check_names_of_objects(const Scenario& scenario, const Node& root, ParseContext& context);
/// Puts a problem for each field that is written with a value of another type than its own, and for
/// each patch and body that a server refuses or would not look at.
void check_fields(const Scenario& scenario, const Node& root, ParseContext& context);
/// Puts a problem for each write of an object that is not there, or is there already, as far as
/// nobody but the script writes.
void check_stock(const Scenario& scenario, const Node& root, ParseContext& context);
/// Whether an object of that name, as `object_name` has it, may come by somebody else than the
/// script: the server has it from the start, its controllers make it, or a client.
[[nodiscard]] bool may_come_by_others(const Scenario& scenario, const std::string& object);
/// Where the value of that key is, in a mapping or in one of its values; else the mapping itself.
[[nodiscard]] Place place_of_key(const Node& node, std::string_view key);
/// How many API servers there are.
[[nodiscard]] std::int64_t servers_of(const Scenario& scenario);
/// Whether a client can ever send such a request.
[[nodiscard]] bool sends(const sim::StoryClientOptions& client, sim::Verb verb);
/// What stands behind the verb of a step's action of that number, for the places of words in it.
[[nodiscard]] const Node& action_node(const Node& step, std::size_t which);
/// Calls `look` for each action of the script, in order, with what stands behind its verb.
void each_action(const Scenario& scenario, const Node& root,
                 const std::function<void(const Action&, const Node&)>& look);
[[nodiscard]] Codec<Exploration> exploration_grammar();

/// An object that a server or a step makes: a name, or a mapping that gives also its content. `doc`
/// says what happens to it.
[[nodiscard]] Codec<sim::ObjectSketch> made_object_grammar(std::string doc);
/// An object that a step changes or deletes; it must be made somewhere in the file.
[[nodiscard]] Codec<sim::ObjectSketch> changed_object_grammar(std::string doc);
[[nodiscard]] Codec<sim::ObjectSketch> deleted_object_grammar(std::string doc);

/// A change by a patch, and by server-side apply.
[[nodiscard]] Codec<sim::PatchSketch> patch_grammar();
[[nodiscard]] Codec<sim::ApplySketch> apply_grammar();

/// "{name: web, namespace: prod}" for "prod/web"; "" for what is no namespace and a name.
[[nodiscard]] std::string name_and_namespace(const std::string& name);
/// Puts a problem for such a text where only a name can stand.
void refuse_slash(const std::string& name, Place place, ParseContext& context);

/// The verbs that a request can have: LIST, WATCH, and those of requests about one object.
[[nodiscard]] Codec<sim::Verb> any_verb_grammar();
/// "demo" as it stands in the default namespace, "prod/demo" elsewhere; the name by which the check
/// for unknown objects knows it.
[[nodiscard]] std::string object_name(const std::string& namespace_, const std::string& name);

}  // namespace watchlab::scenarios
