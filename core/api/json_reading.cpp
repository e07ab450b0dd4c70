#include <charconv>
#include <optional>
#include <utility>

#include "core/api/json.hpp"
#include "core/api/json_tokenizer.hpp"
#include "core/api/json_writer.hpp"

namespace watchlab::api {

namespace {

void append_raw_member(std::string& object, const JsonMember& member) {
  // With room for the brace that comes last: an object keeps its body for long, and a string that
  // grows by itself takes twice what it needs.
  constexpr std::string_view around = "{\"\":}";
  object.reserve(object.size() + member.key.size() + member.value.size() + around.size());
  object.append(object.empty() ? "{\"" : ",\"");
  object.append(member.key).append("\":").append(member.value);
}

Result<void> read_text(std::string& into, std::string_view value, std::string_view what) {
  Result<std::string> text = json_string_value(value, what);
  if (!text) {
    return text.error();
  }
  into = std::move(text).value();
  return {};
}

Result<void> read_number(std::int64_t& into, std::string_view value, std::string_view what) {
  const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), into);
  if (error != std::errc() || end != value.data() + value.size()) {
    return json_mismatch(what, "a whole number of 64 bits");
  }
  return {};
}

Result<std::string> read_key(std::string_view key, std::string_view what) {
  if (key.find('\\') == std::string_view::npos) {
    return std::string(key);
  }
  return json_string_value('"' + std::string(key) + '"', what);
}

Result<void> read_labels(Labels& into, std::string_view value, std::string_view what) {
  if (value == "null") {
    return {};
  }
  const Result<std::vector<JsonMember>> members = JsonTokenizer(value).members();
  if (!members) {
    return json_mismatch(what, "an object of strings");
  }
  into.reserve(members->size());
  for (const JsonMember& member : *members) {
    const Result<std::string> key = read_key(member.key, what);
    if (!key) {
      return key.error();
    }
    if (Result<void> read = read_text(into[*key], member.value, what); !read) {
      return read;
    }
  }
  return {};
}

Result<void> read_strings(std::vector<std::string>& into, std::string_view value,
                          std::string_view what) {
  if (value == "null") {
    return {};
  }
  return each_of(
      JsonTokenizer(value).elements(), what, "an array of strings",
      [&](std::string_view element) { return read_text(into.emplace_back(), element, what); });
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

/// The error of a member speaks of its key alone.
Result<void> read_metadata_member(ObjectMeta& metadata, const JsonMember& member) {
  if (std::string* text = text_member(metadata, member.key)) {
    return read_text(*text, member.value, member.key);
  }
  if (member.key == "generation") {
    return read_number(metadata.generation, member.value, member.key);
  }
  if (member.key == "labels") {
    return read_labels(metadata.labels, member.value, member.key);
  }
  if (member.key == "annotations") {
    return read_labels(metadata.annotations, member.value, member.key);
  }
  if (member.key == "finalizers") {
    return read_strings(metadata.finalizers, member.value, member.key);
  }
  append_raw_member(metadata.other_members, member);
  return {};
}

Result<void> read_metadata(ObjectMeta& metadata, std::string_view value) {
  const auto read = [&metadata](const JsonMember& member) {
    Result<void> done = read_metadata_member(metadata, member);
    if (!done) {
      Error error = done.error();
      error.message.insert(0, "metadata.");
      done = error;
    }
    return done;
  };
  return each_of(JsonTokenizer(value).members(), "metadata", "an object", read);
}

Result<void> read_object_member(Object& object, const JsonMember& member) {
  if (member.key == "kind") {
    return read_text(object.kind, member.value, "kind");
  }
  if (member.key == "apiVersion") {
    return read_text(object.api_version, member.value, "apiVersion");
  }
  if (member.key == "metadata") {
    return read_metadata(object.metadata, member.value);
  }
  append_raw_member(object.body, member);
  return {};
}

/// Reads an object that may do without a kind.
Result<Object> read_object(std::string_view text) {
  Object object;
  const auto read = [&object](const JsonMember& member) {
    return read_object_member(object, member);
  };
  if (const auto done = each_of(JsonTokenizer(text).members(), "", "", read); !done) {
    return done.error();
  }
  // At the end, because either may come in parts: nothing forbids two members of the same name.
  for (std::string* kept : {&object.metadata.other_members, &object.body}) {
    kept->append(kept->empty() ? "" : "}");
  }
  return object;
}

Error kind_is_missing() { return {.kind = ErrorKind::Decode, .message = "kind is missing"}; }

Result<void> read_list_metadata(ObjectList& list, std::string_view value) {
  const auto read = [&list](const JsonMember& member) -> Result<void> {
    if (member.key == "resourceVersion") {
      return read_text(list.resource_version, member.value, "metadata.resourceVersion");
    }
    if (member.key == "continue") {
      return read_text(list.continue_token, member.value, "metadata.continue");
    }
    if (member.key == "remainingItemCount" && member.value != "null") {
      return read_number(list.remaining_item_count.emplace(), member.value,
                         "metadata.remainingItemCount");
    }
    return {};
  };
  return each_of(JsonTokenizer(value).members(), "metadata", "an object", read);
}

Result<void> read_items(ObjectList& list, std::string_view value) {
  if (value == "null") {
    return {};
  }
  const Result<std::vector<std::string_view>> elements = JsonTokenizer(value).elements();
  if (!elements) {
    return json_mismatch("items", "an array");
  }
  const std::string_view suffix = "List";
  std::string_view item_kind = list.kind;
  if (item_kind.ends_with(suffix)) {
    item_kind.remove_suffix(suffix.size());
  }
  list.items.reserve(elements->size());
  for (const std::string_view element : *elements) {
    Result<Object> item = read_object(element);
    if (!item) {
      return item.error();
    }
    Object object = std::move(item).value();
    if (object.kind.empty()) {
      object.kind = item_kind;
      object.api_version = list.api_version;
    }
    list.items.push_back(std::make_shared<const Object>(std::move(object)));
  }
  return {};
}

}  // namespace

Result<Object> object_from_json(std::string_view text) {
  Result<Object> object = read_object(text);
  if (object && object->kind.empty()) {
    return kind_is_missing();
  }
  return object;
}

Result<ObjectList> list_from_json(std::string_view text) {
  ObjectList list;
  list.api_version.clear();
  std::string_view items = "null";
  const auto read = [&](const JsonMember& member) -> Result<void> {
    if (member.key == "kind") {
      return read_text(list.kind, member.value, "kind");
    }
    if (member.key == "apiVersion") {
      return read_text(list.api_version, member.value, "apiVersion");
    }
    if (member.key == "metadata") {
      return read_list_metadata(list, member.value);
    }
    items = member.key == "items" ? member.value : items;
    return {};
  };
  if (const auto done = each_of(JsonTokenizer(text).members(), "", "", read); !done) {
    return done.error();
  }
  if (list.kind.empty()) {
    return kind_is_missing();
  }
  if (const auto done = read_items(list, items); !done) {
    return done.error();
  }
  return list;
}

Result<std::string> kind_in_json(std::string_view text) {
  const Result<std::vector<JsonMember>> members = JsonTokenizer(text).members();
  if (!members) {
    return members.error();
  }
  for (const JsonMember& member : *members) {
    if (member.key == "kind") {
      return json_string_value(member.value, "kind");
    }
  }
  return std::string();
}

}  // namespace watchlab::api
