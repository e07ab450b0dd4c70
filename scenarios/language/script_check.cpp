// What a server would refuse of a script is a mistake of its author.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <boost/algorithm/string/case_conv.hpp>
#include <cctype>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "core/api/names.hpp"
#include "scenarios/language/grammar.hpp"
#include "sim/apiserver/object_names.hpp"
#include "sim/apiserver/write_rules.hpp"
#include "sim/kernel/article.hpp"
#include "sim/story/client_kinds.hpp"
#include "sim/story/options.hpp"
#include "sim/story/reconciler.hpp"

namespace watchlab::scenarios {
namespace {

using sim::StoryClientOptions;
using sim::with_article;

// What a server accepts as a name. Mirrors apimachinery/pkg/util/validation.

constexpr std::size_t kLabelMax = 63;
constexpr std::size_t kSubdomainMax = 253;

bool is_alnum(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0; }

bool is_name_part(std::string_view text) {
  return text.size() <= kLabelMax && api::is_label_text(text);
}

bool is_qualified(std::string_view text) {
  const std::size_t slash = text.find('/');
  const std::string_view domain = text.substr(0, slash);
  return slash == std::string_view::npos
             ? is_name_part(text)
             : domain.size() <= kSubdomainMax && api::is_dns_subdomain(domain) &&
                   is_name_part(text.substr(slash + 1));
}

bool is_data_key(std::string_view text) {
  return !text.empty() && text.size() <= kSubdomainMax && text != "." && !text.starts_with("..") &&
         std::ranges::all_of(
             text, [](char c) { return is_alnum(c) || c == '-' || c == '_' || c == '.'; });
}

bool is_finalizer(std::string_view text) {
  return (is_qualified(text) && text.find('/') != std::string_view::npos) || text == "kubernetes" ||
         text == "orphan" || text == "foregroundDeletion";
}

/// A name like that one which objects of the type can have: in small letters, with '-' for what
/// none can have but at its ends, and no longer than one is; "" when that does not help.
std::string nearest_good_name(const sim::ResourceType& type, const std::string& name) {
  std::string near = boost::algorithm::to_lower_copy(name);
  std::ranges::replace_if(
      near, [](char c) { return !is_alnum(c) && c != '.'; }, '-');
  near.erase(0, std::min(near.find_first_not_of("-."), near.size()));
  near.erase(near.find_last_not_of("-.") + 1);
  if (broken_rule_of_name(type, near).empty()) {
    return near;
  }
  std::ranges::replace(near, '.', '-');
  return broken_rule_of_name(type, near).empty() ? near : "";
}

constexpr const char* kQualified =
    "letters, digits, '-', '_' and '.', at most 63, perhaps after a domain and '/'";

/// What of a long text a message shows.
std::string shown_name(const std::string& text) {
  constexpr std::size_t kShown = 40;
  return text.size() <= kLabelMax
             ? fmt::format("'{}'", text)
             : fmt::format("'{}…' ({} characters)", text.substr(0, kShown), text.size());
}

/// Puts a problem for a name that breaks a rule of its type.
void put_bad_name(const Node& node, const sim::ResourceType& type, const std::string& name,
                  ParseContext& context) {
  const std::string several = with_commas(node.quoted ? "" : name, [&](const std::string& word) {
    return broken_rule_of_name(type, word).empty();
  });
  const std::string apart = type.namespaced ? name_and_namespace(name) : "";
  context.problems.add(
      {node.place,
       fmt::format("{} is not a valid name of {}", shown_name(name), with_article(type.kind)),
       !several.empty() ? several
       : !apart.empty() ? apart
                        : broken_rule_of_name(type, name),
       several.empty() && apart.empty() ? nearest_good_name(type, name) : ""});
}

/// Puts a problem for a namespace of which a server would not make one; none for an empty text.
void check_namespace_name(const Node& node, ParseContext& context) {
  static const sim::ResourceTypes kTypes;
  const sim::ResourceType& type = *kTypes.find_kind("Namespace");
  if (!node.text.empty() && !broken_rule_of_name(type, node.text).empty()) {
    put_bad_name(node, type, node.text, context);
  }
}

/// Puts a problem for what a server would refuse of an object that is written there.
class NameCheck {
 public:
  NameCheck(const sim::ObjectSketch& object, const Node& node, ParseContext& context)
      : object_(object), node_(node), context_(context) {}

  /// Each name is put once: `seen` are those that were.
  void check_name(const sim::ResourceTypes& types, std::set<std::string>& seen) {
    const sim::ResourceType* const type = types.find_kind(object_.kind);
    if (type != nullptr && !broken_rule_of_name(*type, object_.name).empty() &&
        seen.insert(object_.kind + "/" + object_.name).second) {
      const Node* const name = node_.kind == Node::Kind::Scalar ? nullptr : node_.find("name");
      put_bad_name(name != nullptr ? *name : node_, *type, object_.name, context_);
    }
  }

  void check() {
    if (const Node* const space = node_.find("namespace"); space != nullptr) {
      check_namespace_name(*space, context_);
    }
    for (const char* key : {"labels", "annotations"}) {
      for_each(key, [&](const Node::Entry& entry) {
        const bool is_label = key == std::string_view("labels");
        if (!is_qualified(is_label ? entry.key : boost::algorithm::to_lower_copy(entry.key))) {
          put(entry.place, entry.key, is_label ? "label key" : "annotation key", kQualified);
        } else if (is_label && !entry.value.text.empty() && !is_name_part(entry.value.text)) {
          put(entry.value.place, entry.value.text, "label value",
              "at most 63 letters, digits, '-', '_' and '.', starting and ending with a letter or "
              "digit");
        }
      });
    }
    for_each("data", [&](const Node::Entry& entry) {
      if (!is_data_key(entry.key)) {
        put(entry.place, entry.key, "data key", "letters, digits, '-', '_' and '.'");
      }
    });
    const Node* const finalizers = node_.find("finalizers");
    for (const Node& each : finalizers != nullptr ? finalizers->items : std::vector<Node>()) {
      if (!is_finalizer(each.text)) {
        const std::string several = with_commas(each.quoted ? "" : each.text, is_finalizer);
        put(each.place, each.text, "finalizer",
            several.empty() ? "a domain, '/' and a name: example.com/keep" : several);
      }
    }
  }

 private:
  void for_each(const char* key, auto look) {
    const Node* const patch = node_.find("merge");
    const Node* const metadata = patch != nullptr ? patch->find("metadata") : nullptr;
    for (const Node* const place : {&node_, metadata}) {
      const Node* const map = place != nullptr ? place->find(key) : nullptr;
      for (const Node::Entry& entry : map != nullptr ? map->entries : std::vector<Node::Entry>()) {
        look(entry);
      }
    }
  }
  void put(Place place, const std::string& word, const std::string& what, std::string expected) {
    context_.problems.add({place, fmt::format("{} is not a valid {}", shown_name(word), what),
                           std::move(expected), ""});
  }

  const sim::ObjectSketch& object_;
  const Node& node_;
  ParseContext& context_;
};

}  // namespace

void check_names_of_objects(const Scenario& scenario, const Node& root, ParseContext& context) {
  const Node* const server = root.find("server");
  const Node* const objects = server != nullptr ? server->find("objects") : nullptr;
  const Node* const namespaces = server != nullptr ? server->find("namespaces") : nullptr;
  std::set<std::string> spaces;
  for (const Node& each : namespaces != nullptr ? namespaces->items : std::vector<Node>()) {
    check_namespace_name(each, context);
    if (!spaces.insert(each.text).second) {
      context.problems.add(
          {each.place, fmt::format("a second namespace '{}'", each.text), "each name once", ""});
    }
  }
  const sim::ResourceTypes types = types_of(scenario.server);
  std::set<std::string> refused;
  const auto check = [&](const sim::ObjectSketch& object, const Node& node) {
    NameCheck names(object, node, context);
    names.check_name(types, refused);
    names.check();
  };
  for (std::size_t i = 0; objects != nullptr && i < objects->items.size(); ++i) {
    check(scenario.server.objects.at(i), objects->items[i]);
  }
  each_action(scenario, root, [&](const Action& action, const Node& node) {
    if (const sim::ObjectSketch* const object = object_of(action)) {
      check(*object, node);
    }
  });
}

bool sends(const StoryClientOptions& client, sim::Verb verb) {
  if (verb == sim::Verb::List || verb == sim::Verb::Watch || traits_of(client.kind).external) {
    return true;
  }
  if (!traits_of(client.kind).has_work_queue) {
    return false;
  }
  const std::vector<sim::ReconcilerEntry> all = sim::reconciler_catalogue();
  const auto found = std::ranges::find(all, client.reconcile, &sim::ReconcilerEntry::name);
  return found != all.end() && std::ranges::count(found->verbs, verb) > 0;
}

const Node& action_node(const Node& step, std::size_t which) {
  if (const Node* const atomic = step.find("atomic")) {
    const Node& action = atomic->items.at(which);
    return action.entries.empty() ? action : action.entries.front().value;
  }
  for (const Node::Entry& entry : step.entries) {
    if (entry.key != "when" && entry.key != "at" && entry.key != "after") {
      return entry.value;
    }
  }
  return step;
}

void each_action(const Scenario& scenario, const Node& root,
                 const std::function<void(const Action&, const Node&)>& look) {
  const Node* const script = root.find("script");
  for (std::size_t i = 0; script != nullptr && i < scenario.script.size(); ++i) {
    for (std::size_t j = 0; j < scenario.script[i].actions.size(); ++j) {
      look(scenario.script[i].actions[j], action_node(script->items.at(i), j));
    }
  }
}

void check_script(const Scenario& scenario, const Node& root, ParseContext& context) {
  check_cast(scenario, root, context);
  check_stock(scenario, root, context);
}

}  // namespace watchlab::scenarios
