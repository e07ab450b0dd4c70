// Which objects there are when a step is played, and which may come by somebody else's hand.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "scenarios/language/grammar.hpp"
#include "sim/controllers/controller_catalogue.hpp"
#include "sim/story/client_kinds.hpp"
#include "sim/story/options.hpp"

namespace watchlab::scenarios {
namespace {

using sim::MadeObjects;
using sim::ObjectSketch;
using sim::StoryClientOptions;

/// What the controllers make that this story's world has.
std::vector<MadeObjects> made_by_controllers(const Scenario& scenario) {
  const std::vector<std::string> names = controllers_in(scenario.server, scenario.clients);
  std::vector<MadeObjects> made;
  for (const sim::ControllerEntry& entry : sim::controller_catalogue()) {
    if (std::ranges::count(names, entry.name) > 0) {
      made.insert(made.end(), entry.makes.begin(), entry.makes.end());
    }
  }
  return made;
}

/// Whether it is there as soon as the server is.
bool is_of_the_start(const MadeObjects& made) {
  return made.of.empty() && !made.name.ends_with('*');
}

/// Whether that is true of an object that the story itself makes.
bool any_made(const Scenario& scenario, const std::function<bool(const ObjectSketch&)>& look) {
  return std::ranges::any_of(scenario.server.objects, look) ||
         std::ranges::any_of(scenario.script, [&](const Step& step) {
           return std::ranges::any_of(step.actions, [&](const Action& action) {
             const ObjectSketch* const object = object_of(action);
             return object != nullptr && look(*object) &&
                    (std::holds_alternative<CreateAction>(action) ||
                     std::holds_alternative<ApplyAction>(action));
           });
         });
}

/// Which objects there are, step by step, as far as only the script decides.
class Stock {
 public:
  Stock(const Scenario& scenario, ParseContext& context)
      : scenario_(scenario),
        context_(context),
        types_(types_of(scenario.server)),
        namespaces_(scenario.server.namespaces.begin(), scenario.server.namespaces.end()) {
    namespaces_.insert(kDefault);
    find_other_writers();
    for (const std::string& name : namespaces_) {
      if (name == kDefault || !has_outsiders_) {
        from_the_start_.insert({"Namespace", kDefault, name});
      }
    }
  }

  void make(const ObjectSketch& object, const Node& node) {
    const Key key = key_of(object);
    if (from_the_start_.contains(key)) {
      context_.problems.add(
          {node.place,
           fmt::format("a create of the {} '{}', which the server has from the beginning",
                       object.kind, object.name),
           "an update instead, or another name", ""});
      return;
    }
    if (object.kind == "Namespace") {
      namespaces_.insert(object.name);
    }
    check_home(object, node);
    const bool is_second = is_there(key);
    there_.insert(key);
    if (deleted_.contains(key) && !is_shared(object.kind)) {
      context_.problems.add(
          {node.place,
           fmt::format("a create of '{}', which its finalizer keeps after the delete", object.name),
           "an update before it that leaves the finalizer out, or another name", ""});
      return;
    }
    if (is_second && !held_.contains(key) && !is_shared(object.kind)) {
      context_.problems.add({node.place,
                             fmt::format("a second '{}', while the first is there", object.name),
                             "a delete before it, an update instead, or another name", ""});
    }
    if (!object.finalizers.empty() || !object.body.empty()) {
      held_.insert(key);  // a delete need not be its end
    }
    if (object.body.empty()) {
      finalizers_[key] = object.finalizers;
    }
  }

  /// The server's controllers have made what they make at once.
  void start() {
    for (const MadeObjects& made : made_by_controllers(scenario_)) {
      if (is_of_the_start(made) && made.kind == "Namespace") {
        namespaces_.emplace(made.name);
      }
    }
    for (const MadeObjects& made : made_by_controllers(scenario_)) {
      const bool is_in_each = made.kind == "ServiceAccount";
      for (const std::string& home : is_in_each ? namespaces_ : std::set<std::string>{kDefault}) {
        if (is_of_the_start(made)) {
          from_the_start_.insert({std::string(made.kind), home, std::string(made.name)});
        }
      }
    }
  }

  void take(const Action& action, const Node& node) {
    const ObjectSketch* const object = object_of(action);
    if (object == nullptr) {
      return;
    }
    if (std::holds_alternative<CreateAction>(action)) {
      return make(*object, node);
    }
    const Key key = key_of(*object);
    if (std::holds_alternative<ApplyAction>(action)) {
      check_home(*object, node);
      there_.insert(key);
      held_.insert(key);
      forget_finalizers(key);
      return;
    }
    if (!is_there(key) && !held_.contains(key) && !is_shared(object->kind)) {
      context_.problems.add({node.place,
                             fmt::format("'{}' is not there at this step", object->name),
                             "a create before it", ""});
    }
    if (std::holds_alternative<DeleteAction>(action)) {
      if (!finalizers_[key].empty()) {
        deleted_.insert(key);
      }
      there_.erase(key);
      from_the_start_.erase(key);
      gone_.insert(key);
    } else {
      held_.insert(key);  // it may have got a finalizer
      take_finalizers(action, *object, node);
    }
  }

 private:
  using Key = std::array<std::string, 3>;
  static inline const std::string kDefault = ObjectSketch().namespace_;

  static Key key_of(const ObjectSketch& object) {
    return {object.kind, object.namespace_, object.name};
  }

  void forget_finalizers(const Key& key) {
    finalizers_.erase(key);
    deleted_.erase(key);
  }

  /// A server adds no finalizer to what is being deleted.
  void take_finalizers(const Action& action, const ObjectSketch& object, const Node& node) {
    const Key key = key_of(object);
    const bool says_all = std::holds_alternative<UpdateAction>(action) && object.body.empty() &&
                          node.find("finalizers") != nullptr;
    const std::vector<std::string> before = finalizers_[key];
    const auto added = std::ranges::find_if(object.finalizers, [&](const std::string& each) {
      return std::ranges::count(before, each) == 0;
    });
    if (says_all && deleted_.contains(key) && !is_shared(object.kind) &&
        added != object.finalizers.end()) {
      context_.problems.add({place_of_key(node, "finalizers"),
                             fmt::format("the new finalizer '{}' of '{}', which is being deleted",
                                         *added, object.name),
                             "finalizers that it had before the delete", ""});
    }
    if (says_all && !object.finalizers.empty()) {
      finalizers_[key] = object.finalizers;
    } else {
      forget_finalizers(key);
    }
  }

  void find_other_writers() {
    for (const StoryClientOptions& client : scenario_.clients) {
      has_outsiders_ = has_outsiders_ || traits_of(client.kind).external;
      if (sends(client, sim::Verb::Create) || sends(client, sim::Verb::Delete)) {
        shared_.emplace("ConfigMap");
      }
    }
    const std::vector<std::string> controllers =
        controllers_in(scenario_.server, scenario_.clients);
    shares_all_ = has_outsiders_ || std::ranges::count(controllers, "garbage") > 0;
    for (const MadeObjects& made : made_by_controllers(scenario_)) {
      if (!is_of_the_start(made) || made.kind == "ServiceAccount") {  // which comes again
        shared_.emplace(made.kind);
      }
    }
    for (const Step& step : scenario_.script) {
      for (const Action& action : step.actions) {
        const ObjectSketch* const object = object_of(action);
        const auto* const act = std::get_if<FaultAction>(&action);
        shares_all_ = shares_all_ || (object != nullptr && object->kind == "Namespace") ||
                      (act != nullptr && act->fault.name == "restore_backup");
      }
    }
  }

  /// Whether a client, a fault or the server itself may make and delete such objects too.
  [[nodiscard]] bool is_shared(const std::string& kind) const {
    return shares_all_ || shared_.contains(kind);
  }

  [[nodiscard]] bool is_there(const Key& key) const {
    const bool is_bulk = key[0] == "ConfigMap" && key[1] == kDefault &&
                         sim::is_bulk_object(key[2], scenario_.server.bulk_objects);
    return there_.contains(key) || from_the_start_.contains(key) ||
           (is_bulk && !gone_.contains(key));
  }

  /// An object lives in a namespace that is there; one that is not is reported once.
  void check_home(const ObjectSketch& object, const Node& node) {
    const sim::ResourceType* const type = types_.find_kind(object.kind);
    const std::string& home = object.namespace_;
    if (shares_all_ || type == nullptr || !type->namespaced || home.empty() ||
        namespaces_.contains(home)) {
      return;
    }
    const std::vector<std::string> there(namespaces_.begin(), namespaces_.end());
    context_.problems.add(
        {place_of_key(node, "namespace"),
         fmt::format("the namespace '{}', which is not there", home),
         fmt::format("'namespaces: [{}]' in the server, or an object of the kind Namespace", home),
         nearest_name(home, there)});
    namespaces_.insert(home);
  }

  const Scenario& scenario_;
  ParseContext& context_;
  sim::ResourceTypes types_;
  std::set<std::string> namespaces_;  ///< that are there
  std::set<std::string> shared_;      ///< kinds of which others write objects
  bool has_outsiders_ = false;
  bool shares_all_ = false;
  std::set<Key> from_the_start_;
  std::set<Key> there_;
  std::set<Key> gone_;
  std::set<Key> held_;                                  ///< of which a delete may leave something
  std::set<Key> deleted_;                               ///< what finalizers keep after its delete
  std::map<Key, std::vector<std::string>> finalizers_;  ///< where only the script decides them
};

}  // namespace

bool may_come_by_others(const Scenario& scenario, const std::string& object) {
  const std::string name = object.substr(object.find('/') + 1);
  if (name == ObjectSketch().namespace_ ||
      std::ranges::count(scenario.server.namespaces, name) > 0) {
    return true;
  }
  const auto is_free = [](const StoryClientOptions& client) {
    return traits_of(client.kind).external && client.makes.empty();
  };
  if (std::ranges::any_of(scenario.clients, is_free)) {
    return true;
  }
  for (const MadeObjects& made : made_by_controllers(scenario)) {
    const bool may_be =
        made.of.empty()
            ? made.may_be_called(name, "")
            : any_made(scenario, [&](const ObjectSketch& owner) {
                return owner.kind == made.of &&
                       made.may_be_called(object, object_name(owner.namespace_, owner.name));
              });
    if (may_be) {
      return true;
    }
  }
  const auto makes_children = [](const StoryClientOptions& client) {
    return traits_of(client.kind).has_work_queue && sends(client, sim::Verb::Create);
  };
  return std::ranges::any_of(scenario.clients, makes_children) &&
         any_made(scenario, [&](const ObjectSketch& owner) {
           return object.starts_with(object_name(owner.namespace_, owner.name) + "-");
         });
}

void check_stock(const Scenario& scenario, const Node& root, ParseContext& context) {
  if (!context.problems.empty()) {
    return;
  }
  Stock stock(scenario, context);
  const Node* const server = root.find("server");
  const Node* const objects = server != nullptr ? server->find("objects") : nullptr;
  for (std::size_t i = 0; objects != nullptr && i < objects->items.size(); ++i) {
    stock.make(scenario.server.objects.at(i), objects->items[i]);
  }
  stock.start();
  each_action(scenario, root,
              [&](const Action& action, const Node& node) { stock.take(action, node); });
}

}  // namespace watchlab::scenarios
