#include "sim/apiserver/status_bodies.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <boost/json.hpp>
#include <cmath>
#include <optional>
#include <string_view>
#include <utility>

#include "sim/apiserver/managed_fields.hpp"
#include "sim/apiserver/resource_type.hpp"

namespace watchlab::sim::status_bodies {

using api::Status;
using api::StatusReason;

namespace {

Status about(const api::GroupVersionResource& resource, std::string_view name, StatusReason reason,
             std::string message) {
  Status status = api::failure(reason, std::move(message));
  status.details.name = name;
  status.details.group = resource.group;
  status.details.kind = resource.resource;
  return status;
}

}  // namespace

Status not_found(const api::GroupVersionResource& resource, std::string_view name) {
  return about(resource, name, StatusReason::NotFound,
               fmt::format("{} \"{}\" not found", qualified_name(resource), name));
}

Status unknown_resource() {
  return api::failure(StatusReason::NotFound, "the server could not find the requested resource");
}

Status already_exists(const api::GroupVersionResource& resource, std::string_view name) {
  return about(resource, name, StatusReason::AlreadyExists,
               fmt::format("{} \"{}\" already exists", qualified_name(resource), name));
}

Status modified_since(const api::GroupVersionResource& resource, std::string_view name) {
  return about(resource, name, StatusReason::Conflict,
               fmt::format("Operation cannot be fulfilled on {} \"{}\": the object has been "
                           "modified; please apply your changes to the latest version and try "
                           "again",
                           qualified_name(resource), name));
}

Status precondition_failed(const api::GroupVersionResource& resource, std::string_view name,
                           std::string_view why) {
  return about(resource, name, StatusReason::Conflict,
               fmt::format("Operation cannot be fulfilled on {} \"{}\": Precondition failed: {}",
                           qualified_name(resource), name, why));
}

Status invalid_object(const api::GroupVersionResource& resource, std::string_view kind,
                      std::string_view name, api::StatusCause cause) {
  const std::string full_kind =
      resource.group.empty() ? std::string(kind) : fmt::format("{}.{}", kind, resource.group);
  Status status = about(
      resource, name, StatusReason::Invalid,
      fmt::format("{} \"{}\" is invalid: {}: {}", full_kind, name, cause.field, cause.message));
  status.details.kind = kind;
  status.details.causes.push_back(std::move(cause));
  return status;
}

Status invalid_options(api::StatusCause cause) {
  return invalid_object({"meta.k8s.io", "v1", ""}, "ListOptions", "", std::move(cause));
}

Status invalid_patch_options(api::StatusCause cause) {
  return invalid_object({"meta.k8s.io", "v1", ""}, "PatchOptions", "", std::move(cause));
}

Status apply_conflict(std::string message, std::vector<api::StatusCause> causes) {
  Status status = api::failure(StatusReason::Conflict, std::move(message));
  status.details.causes = std::move(causes);
  return status;
}

Status bad_request(std::string message) {
  return api::failure(StatusReason::BadRequest, std::move(message));
}

Status invalid_revision(std::string_view text) {
  return bad_request(fmt::format("invalid resource version: \"{}\"", text));
}

Status list_expired() {
  return api::failure(StatusReason::Expired,
                      "The resourceVersion for the provided list is too old.");
}

Status continue_expired(std::string inconsistent_token) {
  Status status = api::failure(
      StatusReason::Expired,
      "The provided continue parameter is too old to display a consistent list result. You can "
      "start a new list without the continue parameter, or use the continue token in this response "
      "to retrieve the remainder of the results. Continuing with the provided token results in an "
      "inconsistent list - objects that were created, modified, or deleted between the time the "
      "first chunk was returned and now may show up in the list.");
  status.continue_token = std::move(inconsistent_token);
  return status;
}

Status watch_too_old(Revision asked, Revision oldest) {
  return api::failure(StatusReason::Expired,
                      fmt::format("too old resource version: {} ({})", asked, oldest - 1));
}

Status uncached_watch_too_old() {
  return api::failure(StatusReason::Expired,
                      "The resourceVersion for the provided watch is too old.");
}

Status too_large_revision(Revision asked, Revision current) {
  Status status = api::failure(
      StatusReason::Timeout,
      fmt::format("Timeout: Too large resource version: {}, current: {}", asked, current));
  status.details.causes.push_back({"ResourceVersionTooLarge", "Too large resource version", ""});
  status.details.retry_after_seconds = 1;
  return status;
}

Status cache_not_ready(runtime::Duration down_for) {
  Status status = api::failure(StatusReason::TooManyRequests, "storage is (re)initializing");
  const double down_seconds = std::chrono::duration<double>(down_for).count();
  status.details.retry_after_seconds =
      static_cast<std::int32_t>(std::clamp(std::exp(0.06 * down_seconds), 1.0, 30.0));
  return status;
}

Status namespace_terminating(const api::GroupVersionResource& resource, std::string_view name,
                             std::string_view namespace_name) {
  const std::string why =
      fmt::format("unable to create new content in namespace {} because it is being terminated",
                  namespace_name);
  Status status =
      about(resource, name, StatusReason::Forbidden,
            fmt::format("{} \"{}\" is forbidden: {}", qualified_name(resource), name, why));
  status.details.causes.push_back({"NamespaceTerminating",
                                   fmt::format("namespace {} is being terminated", namespace_name),
                                   "metadata.namespace"});
  return status;
}

Status deleted(const api::GroupVersionResource& resource, std::string_view name,
               std::string_view uid) {
  Status status;
  status.status = "Success";
  status.code = 200;
  status.details.name = name;
  status.details.group = resource.group;
  status.details.kind = resource.resource;
  status.details.uid = uid;
  return status;
}

}  // namespace watchlab::sim::status_bodies

namespace watchlab::sim {

namespace side_by_side {

constexpr int kDepthMax = 16;
constexpr std::size_t kMembersMax = 16;

/// The JSON string that the text begins with, quotes and all; nothing when there is none that
/// means just what it looks like.
std::optional<std::string_view> plain_string(std::string_view text) {
  if (text.empty() || text.front() != '"') {
    return std::nullopt;
  }
  for (std::size_t i = 1; i < text.size(); ++i) {
    const char sign = text[i];
    if (sign == '"') {
      return text.substr(0, i + 1);
    }
    if (sign < ' ' || sign == '\\' || static_cast<unsigned char>(sign) > '~') {
      return std::nullopt;
    }
  }
  return std::nullopt;
}

/// The number without sign or fraction, or the word, that the text begins with.
std::string_view word(std::string_view text) {
  for (const std::string_view name : {"true", "false", "null"}) {
    if (text.starts_with(name)) {
      return name;
    }
  }
  const auto end =
      std::find_if(text.begin(), text.end(), [](char sign) { return sign < '0' || sign > '9'; });
  const std::string_view digits = text.substr(0, static_cast<std::size_t>(end - text.begin()));
  return digits.size() > 1 && digits.front() == '0' ? std::string_view() : digits;
}

/// Two bodies, read side by side without making anything of either. Most updates change the value
/// of a member and nothing else, and to see that takes a tenth of the time of reading both.
class BodyPair {
 public:
  BodyPair(std::string_view a, std::string_view b) : a_(a), b_(b) {}

  /// True when both are JSON objects of one shape that differ in some strings. False says nothing:
  /// the bodies may be the same, or differ in a way that only reading them shows. Gives up on
  /// spaces, escapes, what is not ASCII, and members that come twice or in another order.
  [[nodiscard]] bool differs_plainly();

 private:
  [[nodiscard]] bool pass_value(int depth);
  [[nodiscard]] bool pass_object(int depth);
  [[nodiscard]] bool pass_array(int depth);
  [[nodiscard]] bool pass_strings();
  [[nodiscard]] bool pass_same_word();
  /// Both continue with this sign.
  [[nodiscard]] bool pass(char sign);

  std::string_view a_;  // what is left of it
  std::string_view b_;
  bool differ_ = false;
};

bool BodyPair::differs_plainly() {
  return a_.starts_with('{') && pass_object(kDepthMax) && a_.empty() && b_.empty() && differ_;
}

bool BodyPair::pass(char sign) {
  if (!a_.starts_with(sign) || !b_.starts_with(sign)) {
    return false;
  }
  a_.remove_prefix(1);
  b_.remove_prefix(1);
  return true;
}

bool BodyPair::pass_value(int depth) {
  if (a_.starts_with('"')) {
    return pass_strings();
  }
  if (a_.starts_with('{')) {
    return pass_object(depth);
  }
  return a_.starts_with('[') ? pass_array(depth) : pass_same_word();
}

bool BodyPair::pass_object(int depth) {
  if (depth == 0 || !pass('{')) {
    return false;
  }
  if (pass('}')) {
    return true;
  }
  std::array<std::string_view, kMembersMax> keys;
  for (std::size_t i = 0; i < keys.size(); ++i) {
    const std::optional<std::string_view> key = plain_string(a_);
    if (!key || !b_.starts_with(*key) ||
        std::find(keys.begin(), keys.begin() + i, *key) != keys.begin() + i) {
      return false;
    }
    keys[i] = *key;
    a_.remove_prefix(key->size());
    b_.remove_prefix(key->size());
    if (!pass(':') || !pass_value(depth - 1)) {
      return false;
    }
    if (pass('}')) {
      return true;
    }
    if (!pass(',')) {
      return false;
    }
  }
  return false;
}

bool BodyPair::pass_array(int depth) {
  if (depth == 0 || !pass('[')) {
    return false;
  }
  if (pass(']')) {
    return true;
  }
  while (pass_value(depth - 1)) {
    if (pass(']')) {
      return true;
    }
    if (!pass(',')) {
      return false;
    }
  }
  return false;
}

bool BodyPair::pass_strings() {
  const std::optional<std::string_view> mine = plain_string(a_);
  const std::optional<std::string_view> other = plain_string(b_);
  if (!mine || !other) {
    return false;
  }
  differ_ = differ_ || *mine != *other;
  a_.remove_prefix(mine->size());
  b_.remove_prefix(other->size());
  return true;
}

bool BodyPair::pass_same_word() {
  const std::string_view same = word(a_);
  if (same.empty() || word(b_) != same) {
    return false;
  }
  a_.remove_prefix(same.size());
  b_.remove_prefix(same.size());
  return true;
}

}  // namespace side_by_side

namespace {

/// Room for what is read only to be compared; bodies that are larger take more from the heap.
class Room {
 public:
  [[nodiscard]] boost::json::object read(const std::string& body) {
    boost::system::error_code error;
    boost::json::value value =
        boost::json::parse(body.empty() ? "{}" : body, error, boost::json::storage_ptr(&memory_));
    return !error && value.is_object() ? std::move(value.get_object())
                                       : boost::json::object(boost::json::storage_ptr(&memory_));
  }

 private:
  static constexpr std::size_t kSize = 2048;
  std::array<unsigned char, kSize> buffer_;
  boost::json::monotonic_resource memory_{buffer_.data(), buffer_.size()};
};

bool same_when_read(const std::string& a, const std::string& b) {
  Room room;
  return room.read(a) == room.read(b);
}

}  // namespace

bool same_body(const std::string& a, const std::string& b) {
  return a == b || (!side_by_side::BodyPair(a, b).differs_plainly() && same_when_read(a, b));
}

bool same_but_for_status(const std::string& a, const std::string& b) {
  if (a == b) {
    return true;
  }
  boost::json::object first = object_in(a);
  boost::json::object second = object_in(b);
  first.erase("status");
  second.erase("status");
  return first == second;
}

std::string with_status_of(const std::string& body, const std::string& source) {
  boost::json::object merged = object_in(body);
  const boost::json::object other = object_in(source);
  if (const auto* status = other.if_contains("status")) {
    merged["status"] = *status;
  } else {
    merged.erase("status");
  }
  return boost::json::serialize(merged);
}

}  // namespace watchlab::sim
