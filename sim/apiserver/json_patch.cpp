#include "sim/apiserver/json_patch.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <boost/algorithm/string/replace.hpp>
#include <boost/json.hpp>
#include <charconv>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "sim/apiserver/element_index.hpp"
#include "sim/apiserver/managed_fields.hpp"
#include "sim/apiserver/status_bodies.hpp"
#include "sim/kinds/kind_table.hpp"

namespace watchlab::sim {

namespace {

namespace json = boost::json;

api::Error unreadable() {
  return api::error_from(status_bodies::bad_request("the patch cannot be read"));
}

/// A real server does not say which operation it was.
api::Error not_applicable() {
  return api::error_from(
      api::failure(api::StatusReason::Invalid,
                   "the server rejected our request due to an error in our request"));
}

/// Mirrors apiserver's maxJSONPatchOperations.
constexpr std::size_t kOperationsMax = 10'000;
/// How much all copies of one patch may add, in bytes of JSON. Mirrors JSONPatchMaxCopyBytes of
/// apiserver's server config.
constexpr std::size_t kCopiedMax = std::size_t{3} << 20;
/// How many elements of lists one JSON patch may shift: all operations that there may be, on a list
/// of a thousand. A real server has no such limit, but serves others meanwhile.
constexpr std::size_t kStepsMax = 10'000'000;

/// What the operations of a patch have cost so far.
struct Work {
  std::size_t copied = 0;  ///< bytes of JSON
  std::size_t steps = 0;   ///< elements shifted

  /// Whether the patch may go on.
  [[nodiscard]] bool fits() const { return copied <= kCopiedMax && steps <= kStepsMax; }
};

api::Error too_many_operations(std::size_t operations) {
  return api::error_from(
      api::failure(api::StatusReason::RequestEntityTooLarge,
                   fmt::format("The allowed maximum operations in a JSON patch is {}, got {}",
                               kOperationsMax, operations)));
}

/// The text of what a patch has made.
api::Result<std::string> text_of(const json::value& document) {
  std::string text = json::serialize(document);
  if (text.size() > kPatchedMax) {
    return api::error_from(status_bodies::too_large_object(kPatchedMax));
  }
  return text;
}

std::optional<json::value> parsed_value(const std::string& text) {
  boost::system::error_code error;
  json::value value = json::parse(text, error, {}, {.max_depth = kJsonDepthMax});
  return error ? std::nullopt : std::optional(std::move(value));
}

void merge(json::value& target, const json::value& patch) {
  if (!patch.is_object()) {
    target = patch;
    return;
  }
  json::object& members = target.is_object() ? target.get_object() : target.emplace_object();
  for (const auto& [name, value] : patch.get_object()) {
    if (value.is_null()) {
      members.erase(name);
    } else {
      merge(members[name], value);
    }
  }
}

/// `message` says what the target is made of; null where no kind does.
void merge_strategically(json::value& target, const json::value& patch, const KindMessage* message);

/// Whether an element of a list only says that one of its key goes.
bool is_deletion(const json::value& element) {
  const json::value* directive =
      element.is_object() ? element.get_object().if_contains("$patch") : nullptr;
  return directive != nullptr && *directive == "delete";
}

/// A list that is not there yet: there is nothing to delete from it.
json::array new_list(const json::array& patch, const KindMessage* message) {
  json::array list;
  for (const json::value& element : patch) {
    if (!is_deletion(element)) {
      merge_strategically(list.emplace_back(nullptr), element, message);
    }
  }
  return list;
}

/// Merges a list of elements that meet, by a key or as a whole, into another one. What the patch
/// brings stands before what it does not name, but for elements that stood in front of one that
/// both have.
template <typename Meet>
void merge_in_order(json::array& target, const json::array& patch,
                    std::optional<std::string_view> key, Meet meet) {
  const ElementIndex in_target(target, key);
  const ElementIndex in_patch(patch, key);
  ElementIndex in_merged(key);
  json::array merged;
  std::size_t next = 0;
  const auto take_until = [&](std::size_t end) {
    for (; next < end; ++next) {
      if (!in_patch.contains(target[next])) {
        merged.push_back(target[next]);
      }
    }
  };
  for (const json::value& element : patch) {
    if (const auto twice = in_merged.find(element)) {
      meet(merged[*twice], element);
      continue;
    }
    const auto stood = in_target.find(element);
    take_until(stood.value_or(0));
    in_merged.add(element, merged.size());
    meet(merged.emplace_back(stood ? target[*stood] : json::value()), element);
  }
  take_until(target.size());
  target = std::move(merged);
}

void merge_lists(json::array& target, json::array patch, std::string_view key,
                 const KindMessage* message) {
  ElementIndex gone(key);
  for (const json::value& element : patch) {
    if (is_deletion(element)) {
      gone.add(element, 0);
    }
  }
  const auto is_gone = [&gone](const json::value& each) { return gone.contains(each); };
  target.erase(std::remove_if(target.begin(), target.end(), is_gone), target.end());
  patch.erase(std::remove_if(patch.begin(), patch.end(), is_deletion), patch.end());
  merge_in_order(target, patch, key, [message](json::value& element, const json::value& change) {
    merge_strategically(element, change, message);
  });
}

/// A set that a list of texts holds: both lists together.
void merge_sets(json::array& target, const json::array& patch) {
  merge_in_order(target, patch, std::nullopt,
                 [](json::value& element, const json::value& text) { element = text; });
}

/// How a member merges: a list by a key, or as a set; what neither is true of is replaced.
struct MergeRule {
  std::optional<std::string_view> key;
  bool is_set = false;
};

MergeRule rule_of(std::string_view name, const KindMessage* message, const KindField* field) {
  if (message == nullptr) {
    return {merge_key_of(name), is_set_of_strings(name)};
  }
  const bool merges = field != nullptr && field->merges && field->form == FieldForm::List;
  const bool has_key = merges && !field->merge_key.empty();
  return {has_key ? std::optional(field->merge_key) : std::nullopt, merges && !has_key};
}

/// Removes what a patch does not say to keep, or says to take out of a list.
void follow_directive(json::object& members, std::string_view name, const json::value& value) {
  constexpr std::string_view kDelete = "$deleteFromPrimitiveList/";
  const json::array* const texts = value.if_array();
  const ElementIndex named(texts == nullptr ? json::array() : *texts, std::nullopt);
  const auto is_named = [&named](const json::value& each) { return named.contains(each); };
  if (texts != nullptr && name == "$retainKeys") {
    std::vector<std::string> gone;
    for (const auto& [member, held] : members) {
      if (!is_named(json::string(member))) {
        gone.emplace_back(member);
      }
    }
    for (const std::string& member : gone) {
      members.erase(member);
    }
  } else if (texts != nullptr && name.starts_with(kDelete)) {
    json::value* const list = members.if_contains(name.substr(kDelete.size()));
    if (list != nullptr && list->is_array()) {
      json::array& held = list->get_array();
      held.erase(std::remove_if(held.begin(), held.end(), is_named), held.end());
    }
  }
}

void merge_strategically(json::value& target, const json::value& patch,
                         const KindMessage* message) {
  if (!patch.is_object()) {
    target = patch;
    return;
  }
  json::object& members = target.is_object() ? target.get_object() : target.emplace_object();
  for (const auto& [name, value] : patch.get_object()) {
    const KindField* const field = message == nullptr ? nullptr : find_field(*message, name);
    const KindMessage* const below = field == nullptr ? nullptr : field->message;
    const MergeRule rule = rule_of(name, message, field);
    json::value* present = members.if_contains(name);
    const bool both_lists = value.is_array() && present != nullptr && present->is_array();
    if (name.starts_with('$')) {
      follow_directive(members, name, value);
    } else if (value.is_null()) {
      members.erase(name);
    } else if (rule.is_set && both_lists) {
      merge_sets(present->get_array(), value.get_array());
    } else if (rule.key && both_lists) {
      merge_lists(present->get_array(), value.get_array(), *rule.key, below);
    } else if (rule.key && value.is_array()) {
      members[name] = new_list(value.get_array(), below);
    } else {
      merge_strategically(members[name], value, below);
    }
  }
}

/// What an object is made of; null for one of a kind that is not built in.
const KindMessage* message_of(const json::value& object) {
  return object.is_object()
             ? KindTable::newest().message_of(text_in(object.get_object(), "apiVersion"),
                                              text_in(object.get_object(), "kind"))
             : nullptr;
}

/// The name of a member, as one step of a pointer writes it.
std::string unescaped(std::string_view step) {
  std::string name(step);
  boost::replace_all(name, "~1", "/");
  boost::replace_all(name, "~0", "~");
  return name;
}

/// A place in a list of that many elements; those below zero count from its end. Mirrors what
/// strconv.Atoi reads.
std::optional<std::size_t> place_in(std::string_view step, std::size_t size) {
  std::int64_t place = 0;
  const bool plus = step.starts_with('+') && !step.starts_with("+-");
  const char* const last = step.data() + step.size();
  const auto [end, failure] = std::from_chars(step.data() + (plus ? 1 : 0), last, place);
  place += place < 0 ? static_cast<std::int64_t>(size) : 0;
  const bool inside = place >= 0 && place < static_cast<std::int64_t>(size);
  return failure == std::errc() && end == last && inside
             ? std::optional(static_cast<std::size_t>(place))
             : std::nullopt;
}

/// What the pointer leads to; null when nothing is there.
json::value* find(json::value& document, std::string_view pointer) {
  json::value* at = &document;
  while (at != nullptr && !pointer.empty()) {
    pointer.remove_prefix(1);
    const std::string_view step = pointer.substr(0, pointer.find('/'));
    pointer.remove_prefix(step.size());
    if (at->is_object()) {
      at = at->get_object().if_contains(unescaped(step));
    } else {
      const auto place = at->is_array() ? place_in(step, at->get_array().size()) : std::nullopt;
      at = place ? &at->get_array()[*place] : nullptr;
    }
  }
  return at;
}

std::string_view parent_of(std::string_view pointer) {
  return pointer.substr(0, pointer.rfind('/'));
}

std::string_view last_step(std::string_view pointer) {
  return pointer.substr(pointer.rfind('/') + 1);
}

/// Whether the pointer leads to a member of an object that is there: such a member, if it is not,
/// reads as null. Mirrors evanphx/json-patch v4, which real servers use.
bool names_member(json::value& document, std::string_view pointer) {
  const json::value* parent = pointer.empty() ? nullptr : find(document, parent_of(pointer));
  return parent != nullptr && parent->is_object();
}

bool add(json::value& document, std::string_view pointer, json::value value, Work& work) {
  json::value* parent = pointer.empty() ? nullptr : find(document, parent_of(pointer));
  const std::string_view last = last_step(pointer);
  if (parent != nullptr && parent->is_object()) {
    parent->get_object()[unescaped(last)] = std::move(value);
    return true;
  }
  if (parent == nullptr || !parent->is_array()) {
    return false;
  }
  json::array& list = parent->get_array();
  const auto place = last == "-" ? std::optional(list.size()) : place_in(last, list.size() + 1);
  work.steps += place ? list.size() - *place : 0;
  if (place && work.fits()) {
    list.insert(list.begin() + static_cast<std::ptrdiff_t>(*place), std::move(value));
  }
  return place && work.fits();
}

bool remove(json::value& document, std::string_view pointer, Work& work) {
  json::value* found = pointer.empty() ? nullptr : find(document, pointer);
  if (found == nullptr) {
    return false;
  }
  json::value& parent = *find(document, parent_of(pointer));
  if (parent.is_object()) {
    parent.get_object().erase(unescaped(last_step(pointer)));
  } else {
    json::array& list = parent.get_array();
    work.steps += static_cast<std::size_t>(list.end() - found);
    list.erase(found);
  }
  return work.fits();
}

/// One operation of a JSON patch, read.
struct PatchOperation {
  std::string name;
  std::string path;
  std::string from;
  const json::value* value = nullptr;
};

std::optional<PatchOperation> operation_of(const json::value& text) {
  const auto member = [&](const char* name) {
    const json::value* found = text.is_object() ? text.get_object().if_contains(name) : nullptr;
    return found != nullptr && found->is_string() ? std::optional<std::string>(found->get_string())
                                                  : std::nullopt;
  };
  const std::optional<std::string> name = member("op");
  const std::optional<std::string> path = member("path");
  if (!name || !path || !is_json_pointer(*path)) {
    return std::nullopt;
  }
  const std::optional<std::string> from = member("from");
  const json::value* value = text.get_object().if_contains("value");
  const bool needs_value = *name == "add" || *name == "replace";
  const bool needs_from = *name == "move" || *name == "copy";
  const bool known = needs_value || needs_from || *name == "remove" || *name == "test";
  const bool complete =
      (!needs_value || value != nullptr) && (!needs_from || (from && is_json_pointer(*from)));
  return known && complete ? std::optional(PatchOperation{*name, *path, from.value_or(""), value})
                           : std::nullopt;
}

/// False for an operation that cannot be done, or is one too much. Of the whole document there is
/// nothing but a test, and another object or list in its place.
bool apply(json::value& document, const PatchOperation& operation, Work& work) {
  if (operation.name == "add") {
    return add(document, operation.path, *operation.value, work);
  }
  if (operation.name == "remove") {
    return remove(document, operation.path, work);
  }
  json::value* at = find(document, operation.path);
  if (operation.name == "test") {
    const bool nothing = operation.value == nullptr || operation.value->is_null();
    return at != nullptr ? !nothing && *at == *operation.value
                         : nothing && names_member(document, operation.path);
  }
  if (operation.name == "replace") {
    if (at == nullptr && names_member(document, operation.path)) {
      return add(document, operation.path, *operation.value, work);
    }
    const bool may = at != nullptr && (!operation.path.empty() || operation.value->is_object() ||
                                       operation.value->is_array());
    if (may) {
      *at = *operation.value;
    }
    return may;
  }
  json::value* source = operation.from.empty() ? nullptr : find(document, operation.from);
  if (source == nullptr) {
    return false;
  }
  const bool copies = operation.name == "copy";
  work.copied += copies ? json::serialize(*source).size() : 0;
  if (!work.fits()) {
    return false;
  }
  json::value moved = copies ? *source : std::move(*source);
  return (copies || remove(document, operation.from, work)) &&
         add(document, operation.path, std::move(moved), work);
}

template <typename How>
api::Result<std::string> merged(const std::string& document, const std::string& patch, How how) {
  std::optional<json::value> target = parsed_value(document);
  const std::optional<json::value> change = parsed_value(patch);
  if (!target || !change || !change->is_object()) {
    return unreadable();
  }
  how(*target, *change);
  return text_of(*target);
}

}  // namespace

bool is_json_pointer(std::string_view text) {
  std::size_t tilde = text.find('~');
  while (tilde != std::string_view::npos && text.substr(tilde + 1).find_first_of("01") == 0) {
    tilde = text.find('~', tilde + 1);
  }
  return tilde == std::string_view::npos && (text.empty() || text.front() == '/');
}

api::Result<std::string> merge_patched(const std::string& document, const std::string& patch) {
  return merged(document, patch, merge);
}

api::Result<std::string> strategic_patched(const std::string& document, const std::string& patch) {
  return merged(document, patch, [](json::value& target, const json::value& change) {
    merge_strategically(target, change, message_of(target));
  });
}

api::Result<std::string> json_patched(const std::string& document, const std::string& patch) {
  std::optional<json::value> target = parsed_value(document);
  const std::optional<json::value> operations = parsed_value(patch);
  if (!target || !operations || !operations->is_array()) {
    return unreadable();
  }
  if (const std::size_t count = operations->get_array().size(); count > kOperationsMax) {
    return too_many_operations(count);
  }
  Work work;
  for (const json::value& each : operations->get_array()) {
    const std::optional<PatchOperation> operation = operation_of(each);
    if (!operation) {
      return unreadable();
    }
    if (!apply(*target, *operation, work)) {
      return not_applicable();
    }
  }
  return target->is_object() ? text_of(*target) : not_applicable();
}

}  // namespace watchlab::sim
