#include "sim/http/request_checks.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <boost/algorithm/string/predicate.hpp>
#include <boost/json.hpp>
#include <cctype>
#include <charconv>
#include <cmath>
#include <map>
#include <set>

#include "core/api/json.hpp"
#include "core/api/names.hpp"
#include "sim/apiserver/managed_fields.hpp"
#include "sim/apiserver/object_names.hpp"
#include "sim/apiserver/resource_definition.hpp"
#include "sim/apiserver/status_bodies.hpp"

namespace watchlab::sim {

namespace {

/// What an escape like \ud83d says, which begins there; nothing when there is none.
std::optional<unsigned> unicode_escape_at(std::string_view text, std::size_t at) {
  constexpr std::size_t kDigits = 4;
  constexpr int kHexadecimal = 16;
  if (!text.substr(std::min(at, text.size())).starts_with("\\u") ||
      text.size() < at + 2 + kDigits) {
    return std::nullopt;
  }
  unsigned code = 0;
  const char* const begin = text.data() + at + 2;
  const auto read = std::from_chars(begin, begin + kDigits, code, kHexadecimal);
  return read.ptr == begin + kDigits ? std::optional(code) : std::nullopt;
}

void replace_halves_of_pairs(std::string& text) {
  constexpr std::size_t kEscape = 6;
  const auto is_between = [](std::optional<unsigned> code, unsigned first, unsigned last) {
    return code && *code >= first && *code <= last;
  };
  for (std::size_t at = text.find('\\'); at != std::string::npos; at = text.find('\\', at)) {
    const std::optional<unsigned> code = unicode_escape_at(text, at);
    if (!code) {
      at += 2;
    } else if (is_between(code, 0xD800, 0xDBFF) &&
               is_between(unicode_escape_at(text, at + kEscape), 0xDC00, 0xDFFF)) {
      at += 2 * kEscape;
    } else {
      if (is_between(code, 0xD800, 0xDFFF)) {
        text.replace(at, kEscape, "\\ufffd");
      }
      at += kEscape;
    }
  }
}

bool has_infinity(const boost::json::value& value) {
  if (const double* const number = value.if_double()) {
    return !std::isfinite(*number);
  }
  if (const boost::json::array* const array = value.if_array()) {
    return std::ranges::any_of(*array, has_infinity);
  }
  const boost::json::object* const object = value.if_object();
  return object != nullptr && std::ranges::any_of(*object, [](const auto& member) {
           return has_infinity(member.value());
         });
}

}  // namespace

std::optional<api::Status> refusal_of_json(std::string& body) {
  replace_halves_of_pairs(body);
  boost::system::error_code failure;
  const boost::json::value value =
      boost::json::parse(body, failure, {}, {.max_depth = kJsonDepthMax});
  const bool is_too_large = failure == boost::json::error::exponent_overflow || has_infinity(value);
  return is_too_large ? std::optional(status_bodies::bad_request(
                            "the body has a number that is too large for a float64"))
                      : std::nullopt;
}

bool is_utf8(std::string_view text) {
  for (std::size_t i = 0; i < text.size();) {
    const auto first = static_cast<unsigned char>(text[i]);
    const std::size_t length = first < 0x80U                     ? 1
                               : first >= 0xC2U && first < 0xE0U ? 2
                               : first >= 0xE0U && first < 0xF0U ? 3
                               : first >= 0xF0U && first < 0xF5U ? 4
                                                                 : 0;
    if (length == 0 || i + length > text.size()) {
      return false;
    }
    const auto second = static_cast<unsigned char>(length > 1 ? text[i + 1] : '\x80');
    const bool is_long_for_less =
        (first == 0xE0U && second < 0xA0U) || (first == 0xF0U && second < 0x90U);
    const bool is_no_character =
        (first == 0xEDU && second >= 0xA0U) || (first == 0xF4U && second >= 0x90U);
    if (is_long_for_less || is_no_character) {
      return false;
    }
    for (std::size_t j = i + 1; j < i + length; ++j) {
      if ((static_cast<unsigned char>(text[j]) & 0xC0U) != 0x80U) {
        return false;
      }
    }
    i += length;
  }
  return true;
}

std::optional<api::Status> refusal_of_head(const HttpRequest& http) {
  constexpr std::int32_t kNotImplemented = 501;
  constexpr std::int32_t kExpectationFailed = 417;
  const auto encodings = fields_of(http.fields, "Transfer-Encoding");
  const bool is_known = encodings.empty() || (encodings.size() == 1 &&
                                              boost::algorithm::iequals(encodings[0], "chunked"));
  if (!is_known) {
    api::Status status =
        api::failure(api::StatusReason::InternalError,
                     "this server reads the transfer encoding chunked, and no other");
    status.code = kNotImplemented;
    return status;
  }
  const auto lengths = fields_of(http.fields, "Content-Length");
  const bool is_length = std::ranges::all_of(lengths, [&](std::string_view length) {
    return length == lengths[0] && !length.empty() &&
           length.find_first_not_of("0123456789") == std::string_view::npos;
  });
  if (!is_length) {
    return status_bodies::bad_request("Content-Length is not one whole number");
  }
  const std::size_t hosts = fields_of(http.fields, "Host").size();
  if (hosts > 1 || (hosts == 0 && !http.is_http_10)) {
    return status_bodies::bad_request(hosts == 0 ? "missing required Host header"
                                                 : "too many Host headers");
  }
  // Mirrors golang.org/x/net/http/httpguts, validHostByte.
  constexpr std::string_view kHostSigns = "!$%&'()*+,-.:;=[]_~";
  const bool is_host = std::ranges::all_of(field_of(http.fields, "Host"), [&](char sign) {
    return kHostSigns.find(sign) != std::string_view::npos ||
           (static_cast<unsigned char>(sign) < 0x80U && std::isalnum(sign) != 0);
  });
  if (!is_host) {
    return status_bodies::bad_request("malformed Host header");
  }
  const std::string expected(field_of(http.fields, "Expect"));
  if (!expected.empty() && !has_word({{"Expect", expected}}, "Expect", "100-continue")) {
    api::Status status = api::failure(api::StatusReason::BadRequest,
                                      "this server can be expected to say 100-continue, and "
                                      "nothing else");
    status.code = kExpectationFailed;
    return status;
  }
  return std::nullopt;
}

std::string_view bearer_token_of(const HttpFields& fields) {
  constexpr std::string_view kScheme = "Bearer ";
  const std::string_view shown = field_of(fields, "Authorization");
  return boost::algorithm::istarts_with(shown, kScheme) ? shown.substr(kScheme.size())
                                                        : std::string_view();
}

std::string refusal_of_target(const Target& target) {
  for (const std::string& segment : target.path) {
    if (segment == "." || segment == "..") {
      return "a path with . or .. in it is not followed";
    }
    if (!is_utf8(segment) || segment.find('\0') != std::string::npos ||
        segment.find('/') != std::string::npos) {
      return "a part of the path is no name";
    }
  }
  const bool readable = std::ranges::all_of(
      target.query, [](const auto& each) { return is_utf8(each.first) && is_utf8(each.second); });
  return readable ? "" : "the query is no UTF-8";
}

std::optional<api::Status> refusal_of_kind(std::string& body, const ResourceType& type) {
  const std::string& kind = type.kind;
  const api::Result<std::string> said = api::kind_in_json(body);
  if (said && type.custom) {
    const std::string version = text_in(object_in(body), "apiVersion");
    const std::string expected = api_version_of(type.resource);
    if (!version.empty() && version != expected) {
      return status_bodies::bad_request(fmt::format(
          "the API version in the data ({}) does not match the expected API version ({})", version,
          expected));
    }
  }
  if (!said || *said == kind) {
    return std::nullopt;
  }
  if (!said->empty()) {
    return status_bodies::bad_request(
        fmt::format("{} cannot be handled as a {}: the kinds do not match", *said, kind));
  }
  const std::size_t first = body.find('{') + 1;
  const std::size_t next = body.find_first_not_of(" \t\r\n", first);
  const bool is_empty = next != std::string::npos && body[next] == '}';
  body.insert(first, fmt::format(R"("kind":"{}"{})", kind, is_empty ? "" : ","));
  return std::nullopt;
}

std::string missing_subresource(const Target& target) {
  const std::string last = target.path.size() > 5 ? target.path.back() : "";
  for (const std::string_view each : {"log", "exec", "attach", "portforward", "proxy"}) {
    if (last == each) {
      return fmt::format("watchlab runs no containers, so there is no {} of pods", each);
    }
  }
  return "";
}

std::optional<api::Status> refusal_of_name(const ResourceType& type, const std::string& name,
                                           const std::string& generated) {
  const bool makes = name.empty();
  if (makes && generated.empty()) {
    return std::nullopt;  // that it is missing is found later
  }
  const std::string tried = makes ? generated + "x" : name;
  const std::string rule = broken_rule_of_name(type, tried);
  if (rule.empty()) {
    return std::nullopt;
  }
  return status_bodies::invalid_object(
      type.resource, type.kind, name,
      {{"FieldValueInvalid",
        fmt::format("Invalid value: \"{}\": must be {}", makes ? generated : name, rule),
        makes ? "metadata.generateName" : "metadata.name"}});
}

std::optional<api::Status> refusal_of_definition(const Request& request) {
  if (request.object == nullptr || request.resource.group != "apiextensions.k8s.io" ||
      request.resource.resource != "customresourcedefinitions" ||
      (request.verb != Verb::Create && request.verb != Verb::Update)) {
    return std::nullopt;
  }
  boost::system::error_code failure;
  const boost::json::value body =
      boost::json::parse(request.object->body, failure, {}, {.max_depth = kJsonDepthMax});
  const auto text_at = [&](const std::string& field) {
    std::string pointer = "/" + field;
    std::ranges::replace(pointer, '.', '/');
    const boost::json::value* const found = failure ? nullptr : body.find_pointer(pointer, failure);
    failure.clear();
    return found != nullptr && found->is_string() ? std::string(found->as_string()) : "";
  };
  std::vector<api::StatusCause> causes;
  const std::string& name = request.object->metadata.name;
  const std::string group = text_at("spec.group");
  const std::string plural = text_at("spec.names.plural");
  if (name != plural + "." + group) {
    causes.push_back({"FieldValueInvalid",
                      fmt::format("Invalid value: \"{}\": must be "
                                  "spec.names.plural+\".\"+spec.group",
                                  name),
                      "metadata.name"});
  }
  for (const char* const field : {"spec.group", "spec.names.plural", "spec.names.kind"}) {
    if (text_at(field).empty()) {
      causes.push_back({"FieldValueRequired", "Required value", field});
    }
  }
  if (!group.empty() && (!api::is_dns_subdomain(group) || group.find('.') == std::string::npos)) {
    causes.push_back(
        {"FieldValueInvalid",
         fmt::format("Invalid value: \"{}\": should be a domain with at least one dot", group),
         "spec.group"});
  }
  if (const boost::json::value* const spec =
          failure ? nullptr : body.find_pointer("/spec", failure)) {
    const std::vector<api::StatusCause> found = mistakes_in_versions(*spec);
    causes.insert(causes.end(), found.begin(), found.end());
  }
  if (causes.empty()) {
    return std::nullopt;
  }
  return status_bodies::invalid_object(request.resource, "CustomResourceDefinition", name,
                                       std::move(causes));
}

}  // namespace watchlab::sim
