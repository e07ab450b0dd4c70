#include "sim/http/kind_rules.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <boost/json.hpp>
#include <utility>

#include "core/client/tls_channel.hpp"
#include "sim/apiserver/managed_fields.hpp"
#include "sim/apiserver/status_bodies.hpp"
#include "sim/apiserver/structural_schema.hpp"
#include "sim/apiserver/write_rules.hpp"
#include "sim/http/duplicate_fields.hpp"
#include "sim/kinds/kind_shape.hpp"

namespace watchlab::sim {

namespace {

namespace json = boost::json;

/// Makes data of the texts that a Secret is written with: nobody reads those.
void encode_texts(json::object& secret) {
  const json::value* const texts = secret.if_contains("stringData");
  if (texts == nullptr) {
    return;
  }
  const json::object written = texts->is_object() ? texts->get_object() : json::object();
  secret.erase("stringData");
  json::value& data = secret["data"];
  json::object& encoded = data.is_object() ? data.get_object() : data.emplace_object();
  for (const auto& [key, text] : written) {
    encoded[key] = text.is_string() ? json::value(client::to_base64(text.get_string())) : text;
  }
}

/// The members of a patch that say how to merge are of no kind.
bool is_directive(std::string_view path) {
  return path.substr(path.rfind('.') + 1).starts_with('$');
}

/// Misfits in the metadata, which schemas don't cover. Values of wrong types are found elsewhere.
void add_unknown_metadata(const json::object& object, Misfits& misfits) {
  const json::value* const metadata = object.if_contains("metadata");
  if (metadata != nullptr && metadata->is_object()) {
    for (const std::string& path :
         misfits_in(metadata->get_object(), KindTable::newest().message("meta/v1.ObjectMeta"))
             .unknown) {
      misfits.unknown.push_back("metadata." + path);
    }
  }
}

/// Of a built-in kind, or of a custom resource that has a schema; nothing of any other.
Misfits misfits_of(std::string_view text, const ResourceType& type) {
  boost::system::error_code failure;
  const json::value value = json::parse(text, failure, {}, {.max_depth = kJsonDepthMax});
  if (failure || !value.is_object()) {
    return {};
  }
  Misfits misfits;
  if (const Kind* const kind = built_in_kind(type)) {
    misfits = misfits_in(value.get_object(), *kind->message);
  } else if (type.schema != nullptr) {
    json::object copy = value.get_object();
    misfits.unknown = prune(copy, *type.schema);
    add_unknown_metadata(value.get_object(), misfits);
  }
  std::erase_if(misfits.unknown, [](const std::string& path) { return is_directive(path); });
  return misfits;
}

/// Warnings about unknown members of an object, and about duplicate ones in its text.
std::vector<std::string> misfits_in_words(const Misfits& misfits, std::string_view text) {
  std::vector<std::string> words;
  for (const std::string& path : misfits.unknown) {
    words.push_back(fmt::format("unknown field \"{}\"", path));
  }
  for (const std::string& path : duplicate_fields(text)) {
    words.push_back(fmt::format("duplicate field \"{}\"", path));
  }
  return words;
}

/// All problems, in the words of a real server's YAML parser.
std::string in_one(const std::vector<std::string>& repeated_keys) {
  return fmt::format("yaml: unmarshal errors:\n  {}", fmt::join(repeated_keys, "\n  "));
}

bool merges(const Request& request) {
  return request.verb == Verb::Patch &&
         (request.patch_type == PatchType::Merge || request.patch_type == PatchType::Strategic);
}

api::Status refusal_of_patch(std::string_view patch, const std::string& why) {
  return status_bodies::invalid_object(
      {}, "", "",
      {{"FieldValueInvalid",
        fmt::format("Invalid value: {}: {}", json::serialize(json::string(std::string(patch))),
                    why),
        "patch"}});
}

/// 500 for an apply of fields that the kind does not have: a real server cannot say whose they are.
std::optional<api::Status> refusal_of_apply(const Request& request, std::string_view body,
                                            const ResourceType& type) {
  const Misfits misfits = misfits_of(body, type);
  if (misfits.unknown.empty()) {
    return std::nullopt;
  }
  std::vector<std::string> errors;
  for (const std::string& path : misfits.unknown) {
    errors.push_back(fmt::format(".{}: field not declared in schema", path));
  }
  return status_bodies::nameless_failure(
      fmt::format("failed to create typed patch object ({}/{}; {}, Kind={}): {}{}",
                  request.namespace_, request.name, api_version_of(type.resource), type.kind,
                  errors.size() > 1 ? "errors:\n  " : "", fmt::join(errors, "\n  ")));
}

}  // namespace

const Kind* built_in_kind(const ResourceType& type) {
  return type.custom
             ? nullptr
             : KindTable::newest().find(api_version_of(type.resource), type.resource.resource);
}

std::vector<ResourceType> built_in_collections() {
  std::vector<ResourceType> types;
  for (const Kind& kind : KindTable::newest().kinds()) {
    if (kind.has_objects()) {
      types.push_back(collection_of(kind));
    }
  }
  return types;
}

void complete_object(const ResourceType& type, api::Object& object) {
  if (const Kind* const kind = built_in_kind(type)) {
    json::object body = object_in(object.body);
    if (kind->message->name == "core/v1.Secret") {
      encode_texts(body);
    }
    // A namespace gets its finalizer when it is made, and never again.
    const bool is_emptied = kind->kind == "Namespace" && !object.metadata.uid.empty() &&
                            !is_held_namespace(type, object);
    body = shaped(body, *kind->message, {.kind = kind->kind, .without_metadata = true});
    if (is_emptied) {
      body["spec"] = json::object();
    }
    object.body = json::serialize(body);
  }
}

std::vector<std::string> unknown_fields(std::string_view text, const ResourceType& type) {
  return misfits_in_words(misfits_of(text, type), text);
}

std::optional<api::Status> refusal_of_fields(const Request& request, std::string_view body,
                                             const ResourceType& type, const FieldValidation& how) {
  const bool is_whole = request.verb == Verb::Create || request.verb == Verb::Update ||
                        request.verb == Verb::UpdateStatus;
  if (request.verb == Verb::Patch && request.patch_type == PatchType::Apply) {
    const std::optional<api::Status> refusal = refusal_of_apply(request, body, type);
    const bool is_refused = !refusal && how.validation == "Strict" && !how.repeated_keys.empty();
    return is_refused ? status_bodies::bad_request(
                            "error strict decoding YAML: error converting YAML to JSON: " +
                            in_one(how.repeated_keys))
                      : refusal;
  }
  if (!is_whole && !merges(request)) {
    return std::nullopt;
  }
  const Misfits misfits = misfits_of(body, type);
  std::string why = misfits.mistyped;
  if (why.empty() && how.validation == "Strict") {
    std::vector<std::string> words = misfits_in_words(misfits, body);
    if (!how.repeated_keys.empty()) {
      words.insert(words.begin(), in_one(how.repeated_keys));
    }
    why = words.empty() ? "" : fmt::format("strict decoding error: {}", fmt::join(words, ", "));
  }
  if (why.empty()) {
    return std::nullopt;
  }
  return is_whole ? status_bodies::bad_request(
                        fmt::format("{0} in version \"{1}\" cannot be handled as a {0}: {2}",
                                    type.kind, type.resource.version, why))
                  : refusal_of_patch(body, why);
}

}  // namespace watchlab::sim
