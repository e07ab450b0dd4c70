// What a write asks for beyond its object: the options of DELETE and the query of all writes.
#include <fmt/format.h>

#include <boost/json.hpp>
#include <charconv>
#include <utility>

#include "sim/apiserver/status_bodies.hpp"
#include "sim/network/wire_messages.hpp"

namespace watchlab::sim {

namespace {

namespace json = boost::json;

api::Error unreadable_options(std::string message) {
  return api::error_from(status_bodies::bad_request(std::move(message)));
}

/// Whether a write is a rehearsal. A word that is not understood must not become a write: 422, as
/// apimachinery meta/v1/validation has it.
api::Result<bool> dry_run_from(std::string_view text, std::string_view options_kind) {
  if (text == "All") {
    return true;
  }
  return api::error_from(status_bodies::invalid_object(
      {"meta.k8s.io", "v1", ""}, options_kind, "",
      {api::StatusCause{"FieldValueNotSupported",
                        fmt::format("Unsupported value: \"{}\": supported values: \"All\"", text),
                        "dryRun"}}));
}

std::string_view options_kind_of(Verb verb) {
  switch (verb) {
    case Verb::Create:
      return "CreateOptions";
    case Verb::Patch:
      return "PatchOptions";
    case Verb::Delete:
    case Verb::DeleteCollection:
      return "DeleteOptions";
    default:
      return "UpdateOptions";
  }
}

/// A text that may be left out. False when something else stands there.
bool read_text(std::string& into, const json::object& object, std::string_view key) {
  const json::value* value = object.if_contains(key);
  if (value == nullptr || value->is_null()) {
    return true;
  }
  if (value->is_string()) {
    into = value->as_string();
  }
  return value->is_string();
}

/// A whole number that may be left out. False when something else stands there.
bool read_number(std::optional<std::int64_t>& into, const json::object& object,
                 std::string_view key) {
  const json::value* value = object.if_contains(key);
  if (value != nullptr && value->is_int64()) {
    into = value->as_int64();
  }
  return value == nullptr || value->is_null() || value->is_int64();
}

/// What must be true of an object that is to be deleted. False for values of the wrong type: a
/// precondition that was not understood must not count as none.
bool read_preconditions(DeleteOptions& options, const json::object& object) {
  const json::value* conditions = object.if_contains("preconditions");
  if (conditions == nullptr || conditions->is_null()) {
    return true;
  }
  return conditions->is_object() && read_text(options.uid, conditions->as_object(), "uid") &&
         read_text(options.resource_version, conditions->as_object(), "resourceVersion");
}

}  // namespace

std::string deletion_text(const DeleteOptions& options) {
  json::object body{{"kind", "DeleteOptions"}, {"apiVersion", "v1"}};
  json::object preconditions;
  if (!options.uid.empty()) {
    preconditions["uid"] = options.uid;
  }
  if (!options.resource_version.empty()) {
    preconditions["resourceVersion"] = options.resource_version;
  }
  if (!preconditions.empty()) {
    body["preconditions"] = std::move(preconditions);
  }
  if (!options.propagation_policy.empty()) {
    body["propagationPolicy"] = options.propagation_policy;
  }
  if (options.grace_period_seconds) {
    body["gracePeriodSeconds"] = *options.grace_period_seconds;
  }
  return json::serialize(body);
}

api::Result<DeleteOptions> deletion_from(const std::string& body) {
  if (body.empty()) {
    return DeleteOptions{};
  }
  boost::system::error_code code;
  const json::value parsed = json::parse(body, code);
  if (code || !parsed.is_object()) {
    return unreadable_options("the body is no DeleteOptions");
  }
  DeleteOptions options;
  const json::object& sent = parsed.as_object();
  const bool read = read_text(options.propagation_policy, sent, "propagationPolicy") &&
                    read_number(options.grace_period_seconds, sent, "gracePeriodSeconds");
  if (!read || !read_preconditions(options, sent)) {
    return unreadable_options("a field of the DeleteOptions has a value of the wrong type");
  }
  const json::value* dry_run = sent.if_contains("dryRun");
  if (dry_run != nullptr && dry_run->is_array()) {
    for (const json::value& each : dry_run->as_array()) {
      const api::Result<bool> rehearses =
          dry_run_from(each.is_string() ? std::string_view(each.as_string()) : "", "DeleteOptions");
      if (!rehearses) {
        return rehearses.error();
      }
      options.dry_run = true;
    }
  }
  return options;
}

/// What the query of a write says beyond the body.
api::Result<void> read_write_query(Request& request, const Query& query) {
  if (const std::optional<std::string_view> dry_run = value_in(query, "dryRun")) {
    const api::Result<bool> rehearses = dry_run_from(*dry_run, options_kind_of(request.verb));
    if (!rehearses) {
      return rehearses.error();
    }
  }
  const bool deletes = request.verb == Verb::Delete || request.verb == Verb::DeleteCollection;
  if (!deletes) {
    return {};
  }
  if (const std::optional<std::string_view> text = value_in(query, "gracePeriodSeconds")) {
    std::int64_t seconds = 0;
    const char* const last = text->data() + text->size();
    const auto [end, failure] = std::from_chars(text->data(), last, seconds);
    if (failure != std::errc() || end != last) {
      return unreadable_options(
          fmt::format("gracePeriodSeconds: \"{}\" is no whole number", *text));
    }
    request.deletion.grace_period_seconds = seconds;
  }
  if (const std::optional<std::string_view> policy = value_in(query, "propagationPolicy")) {
    request.deletion.propagation_policy = *policy;
  }
  return {};
}

}  // namespace watchlab::sim
