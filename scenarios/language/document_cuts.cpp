#include "scenarios/language/document_cuts.hpp"

#include <algorithm>
#include <set>
#include <string>
#include <utility>

#include "scenarios/language/values.hpp"

namespace watchlab::scenarios {
namespace {

void erase_children(Node& node, std::size_t begin, std::size_t end) {
  const auto first = static_cast<std::ptrdiff_t>(begin);
  const auto last = static_cast<std::ptrdiff_t>(end);
  if (node.kind == Node::Kind::Sequence) {
    node.items.erase(node.items.begin() + first, node.items.begin() + last);
  } else {
    node.entries.erase(node.entries.begin() + first, node.entries.begin() + last);
  }
}

/// By what name a fault is healed.
std::string name_of_fault(const Node& fault) {
  if (fault.entries.empty()) {
    return fault.text;
  }
  const Node* const as = fault.entries.front().value.find("as");
  return as != nullptr ? as->text : fault.entries.front().key;
}

void add_fault_names(const Node& node, std::set<std::string>& names) {
  for (const Node::Entry& entry : node.entries) {
    if (entry.key == "fault") {
      names.insert(name_of_fault(entry.value));
    }
    add_fault_names(entry.value, names);
  }
  for (const Node& item : node.items) {
    add_fault_names(item, names);
  }
}

bool is_heal(const Node::Entry& entry) { return entry.key == "heal"; }
bool is_time(const Node::Entry& entry) { return entry.key == "after" || entry.key == "at"; }

/// A step without what it does. Its heals stay: they go with their faults.
Node without_actions(Node step) {
  for (Node::Entry& entry : step.entries) {
    std::erase_if(entry.value.items, [](const Node& action) {
      return std::none_of(action.entries.begin(), action.entries.end(), is_heal);
    });
  }
  std::erase_if(step.entries, [](const Node::Entry& entry) {
    return !is_heal(entry) && !is_time(entry) && entry.value.items.empty();
  });
  return step;
}

/// Adds to the time that a step waits.
void wait_longer(Node& step, runtime::Duration time) {
  ParseContext context;
  for (Node::Entry& entry : step.entries) {
    if (entry.key == "after") {
      entry.value = *duration().write(duration().read(entry.value, context) + time);
      return;
    }
  }
  step.entries.push_back({.key = "after", .place = {}, .value = *duration().write(time)});
}

/// Takes away heals of faults that are gone, and steps that do nothing; their time is given to the
/// next step.
void clear_up(Node& script) {
  std::set<std::string> faults;
  add_fault_names(script, faults);
  const auto is_needless = [&](const Node::Entry& entry) {
    return is_heal(entry) && !faults.contains(entry.value.text);
  };
  ParseContext context;
  runtime::Duration owed{0};
  std::vector<Node> kept;
  for (Node& step : script.items) {
    for (Node::Entry& entry : step.entries) {
      std::erase_if(entry.value.items, [&](const Node& action) {
        return std::any_of(action.entries.begin(), action.entries.end(), is_needless);
      });
    }
    std::erase_if(step.entries, [&](const Node::Entry& entry) {
      return is_needless(entry) || (entry.key == "atomic" && entry.value.items.empty());
    });
    const Node* const after = step.find("after");
    if (std::all_of(step.entries.begin(), step.entries.end(), [](const Node::Entry& entry) {
          return is_time(entry) || entry.key == "when";
        })) {
      owed += after != nullptr ? duration().read(*after, context) : runtime::Duration::zero();
      continue;
    }
    if (owed > runtime::Duration::zero()) {
      wait_longer(step, std::exchange(owed, runtime::Duration::zero()));
    }
    kept.push_back(std::move(step));
  }
  script.items = std::move(kept);
}

bool is_script(const Node& root, const NodePath& path) {
  return path.size() == 1 && root.entries[path.front()].key == "script";
}

}  // namespace

std::size_t children_of(const Node& node) { return node.items.size() + node.entries.size(); }

Node& child_of(Node& node, std::size_t which) {
  return node.kind == Node::Kind::Sequence ? node.items[which] : node.entries[which].value;
}

Node* at(Node& root, const NodePath& path) {
  Node* node = &root;
  for (const std::size_t which : path) {
    if (which >= children_of(*node)) {
      return nullptr;
    }
    node = &child_of(*node, which);
  }
  return node;
}

bool heals(const Node& root, const NodePath& path, std::size_t which) {
  const Node& node = *at(const_cast<Node&>(root), path);
  if (node.kind == Node::Kind::Mapping) {
    return is_heal(node.entries[which]) || node.entries[which].key == "as";
  }
  return !is_script(root, path) && std::ranges::any_of(node.items[which].entries, is_heal);
}

Node without(Node root, const NodePath& path, std::size_t begin, std::size_t end) {
  Node& node = *at(root, path);
  if (is_script(root, path)) {
    const auto first = node.items.begin() + static_cast<std::ptrdiff_t>(begin);
    std::transform(first, node.items.begin() + static_cast<std::ptrdiff_t>(end), first,
                   without_actions);
  } else {
    erase_children(node, begin, end);
  }
  for (Node::Entry& entry : root.entries) {
    if (entry.key == "script") {
      clear_up(entry.value);
    }
  }
  return root;
}

}  // namespace watchlab::scenarios
