#include <utility>

#include "core/api/json.hpp"
#include "core/api/json_tokenizer.hpp"

namespace watchlab::api {

namespace {

void append_raw_member(std::string& object, const JsonMember& member) {
  object.append(object.empty() ? "{\"" : ",\"");
  object.append(member.key).append("\":").append(member.value);
}

std::string read_key(std::string_view key, std::string_view what) {
  return key.find('\\') == std::string_view::npos ? std::string(key)
                                                  : json_text('"' + std::string(key) + '"', what);
}

/// What stands there stays; of two texts with one key the last counts.
void read_labels(Labels& into, std::string_view value, std::string_view what) {
  if (value == "null") {
    return;
  }
  for (const JsonMember& member : JsonTokenizer(value, what).members("an object of strings")) {
    into.insert_or_assign(read_key(member.key, what), json_text(member.value, what));
  }
}

void read_strings(std::vector<std::string>& into, std::string_view value, std::string_view what) {
  if (value == "null") {
    return;
  }
  for (const std::string_view element :
       JsonTokenizer(value, what).elements("an array of strings")) {
    into.push_back(json_text(element, what));
  }
}

/// The place for a member of the metadata that is a string; null when it is none of those.
std::string* text_member(ObjectMeta& metadata, std::string_view key) {
  static constexpr std::pair<std::string_view, std::string ObjectMeta::*> kTexts[] = {
      {"name", &ObjectMeta::name},
      {"generateName", &ObjectMeta::generate_name},
      {"namespace", &ObjectMeta::namespace_},
      {"uid", &ObjectMeta::uid},
      {"resourceVersion", &ObjectMeta::resource_version},
      {"creationTimestamp", &ObjectMeta::creation_timestamp},
      {"deletionTimestamp", &ObjectMeta::deletion_timestamp},
  };
  for (const auto& [name, member] : kTexts) {
    if (name == key) {
      return &(metadata.*member);
    }
  }
  return nullptr;
}

void read_metadata_member(ObjectMeta& metadata, std::string& other_members,
                          const JsonMember& member) {
  if (std::string* text = text_member(metadata, member.key)) {
    *text = json_text(member.value, member.key);
  } else if (member.key == "generation") {
    read_json_number(metadata.generation, member.value, member.key);
  } else if (member.key == "labels") {
    read_labels(metadata.labels, member.value, member.key);
  } else if (member.key == "annotations") {
    read_labels(metadata.annotations, member.value, member.key);
  } else if (member.key == "finalizers") {
    read_strings(metadata.finalizers, member.value, member.key);
  } else {
    append_raw_member(other_members, member);
  }
}

void read_metadata(ObjectMeta& metadata, std::string& other_members, std::string_view value) {
  const std::vector<JsonMember> members = JsonTokenizer(value, "metadata").members();
  try {
    for (const JsonMember& member : members) {
      read_metadata_member(metadata, other_members, member);
    }
  } catch (const NotDecoded& failure) {
    throw NotDecoded(std::string("metadata.") + failure.what());  // which names the key alone
  }
}

/// Reads an object that may do without a kind.
Object read_object(std::string_view text) {
  Object object;
  // Either may come in parts: nothing forbids two members of the same name.
  std::string other_members;
  std::string body;
  for (const JsonMember& member : JsonTokenizer(text).members()) {
    if (member.key == "kind") {
      object.kind = json_text(member.value, "kind");
    } else if (member.key == "apiVersion") {
      object.api_version = json_text(member.value, "apiVersion");
    } else if (member.key == "metadata") {
      read_metadata(object.metadata, other_members, member.value);
    } else {
      append_raw_member(body, member);
    }
  }
  for (std::string* const members : {&other_members, &body}) {
    members->append(members->empty() ? "" : "}");
  }
  object.metadata.other_members = std::move(other_members);
  object.body = std::move(body);
  return object;
}

void check_kind_is_there(std::string_view kind) {
  if (kind.empty()) {
    throw NotDecoded("kind is missing");
  }
}

void read_list_metadata(ObjectList& list, std::string_view value) {
  for (const JsonMember& member : JsonTokenizer(value, "metadata").members()) {
    if (member.key == "resourceVersion") {
      list.resource_version = json_text(member.value, "metadata.resourceVersion");
    } else if (member.key == "continue") {
      list.continue_token = json_text(member.value, "metadata.continue");
    } else if (member.key == "remainingItemCount" && member.value != "null") {
      read_json_number(list.remaining_item_count.emplace(), member.value,
                       "metadata.remainingItemCount");
    }
  }
}

void read_items(ObjectList& list, std::string_view value) {
  if (value == "null") {
    return;
  }
  const std::vector<std::string_view> elements = JsonTokenizer(value, "items").elements();
  const std::string_view suffix = "List";
  std::string_view item_kind = list.kind;
  if (item_kind.ends_with(suffix)) {
    item_kind.remove_suffix(suffix.size());
  }
  list.items.reserve(elements.size());
  for (const std::string_view element : elements) {
    Object object = read_object(element);
    if (object.kind.empty()) {
      object.kind = item_kind;
      object.api_version = list.api_version;
    }
    list.items.push_back(share(std::move(object)));
  }
}

ObjectList read_list(std::string_view text) {
  ObjectList list;
  list.api_version.clear();
  std::string_view items = "null";
  for (const JsonMember& member : JsonTokenizer(text).members()) {
    if (member.key == "kind") {
      list.kind = json_text(member.value, "kind");
    } else if (member.key == "apiVersion") {
      list.api_version = json_text(member.value, "apiVersion");
    } else if (member.key == "metadata") {
      read_list_metadata(list, member.value);
    } else if (member.key == "items") {
      items = member.value;
    }
  }
  check_kind_is_there(list.kind);
  read_items(list, items);
  return list;
}

}  // namespace

Result<Object> object_from_json(std::string_view text) {
  return decoded([text] {
    Object object = read_object(text);
    check_kind_is_there(object.kind);
    return object;
  });
}

Result<ObjectList> list_from_json(std::string_view text) {
  return decoded([text] { return read_list(text); });
}

Result<std::string> kind_in_json(std::string_view text) {
  return decoded([text] {
    for (const JsonMember& member : JsonTokenizer(text).members()) {
      if (member.key == "kind") {
        return json_text(member.value, "kind");
      }
    }
    return std::string();
  });
}

}  // namespace watchlab::api
