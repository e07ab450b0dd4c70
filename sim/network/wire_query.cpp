#include <fmt/format.h>

#include <algorithm>
#include <boost/algorithm/string/predicate.hpp>
#include <charconv>

#include "sim/apiserver/status_bodies.hpp"
#include "sim/network/wire_messages.hpp"

namespace watchlab::sim {

namespace {

api::Error query_refusal(std::string message) {
  return api::error_from(status_bodies::bad_request(std::move(message)));
}

api::Result<std::int64_t> number_in(const Query& query, std::string_view name) {
  const std::optional<std::string_view> text = value_in(query, name);
  std::int64_t number = 0;
  if (text) {
    const char* const last = text->data() + text->size();
    const auto [end, failure] = std::from_chars(text->data(), last, number);
    if (failure != std::errc() || end != last) {
      const bool is_number = failure == std::errc::result_out_of_range && end == last;
      return query_refusal(fmt::format("strconv.ParseInt: parsing \"{}\": {}", *text,
                                       is_number ? "value out of range" : "invalid syntax"));
    }
  }
  return number;
}

api::Result<api::ResourceVersionMatch> match_in(const Query& query) {
  const std::string_view text = value_in(query, "resourceVersionMatch").value_or("");
  if (text == "Exact") {
    return api::ResourceVersionMatch::Exact;
  }
  if (text == "NotOlderThan") {
    return api::ResourceVersionMatch::NotOlderThan;
  }
  if (text.empty()) {
    return api::ResourceVersionMatch::Unset;
  }
  return api::error_from(status_bodies::invalid_options(
      {{.reason = "FieldValueNotSupported",
        .message = fmt::format("Unsupported value: \"{}\": supported values: \"Exact\", "
                               "\"NotOlderThan\", \"\"",
                               text),
        .field = "resourceVersionMatch"}}));
}

std::string query_text_in(const Query& query, std::string_view name) {
  return std::string(value_in(query, name).value_or(""));
}

}  // namespace

bool flag_in(const Query& query, std::string_view name) {
  const std::string_view text = value_in(query, name).value_or("false");
  return text != "0" && !boost::algorithm::iequals(text, "false");
}

api::Result<api::ListOptions> options_from(const Query& query) {
  const api::Result<std::int64_t> limit = number_in(query, "limit");
  const api::Result<std::int64_t> timeout = number_in(query, "timeoutSeconds");
  const api::Result<api::ResourceVersionMatch> match = match_in(query);
  for (const api::Result<std::int64_t>* number : {&limit, &timeout}) {
    if (!*number) {
      return number->error();
    }
  }
  if (!match) {
    return match.error();
  }
  api::ListOptions options;
  options.resource_version = query_text_in(query, "resourceVersion");
  options.resource_version_match = *match;
  options.limit = *limit;
  options.continue_token = query_text_in(query, "continue");
  options.timeout_seconds = *timeout;
  options.allow_watch_bookmarks = flag_in(query, "allowWatchBookmarks");
  if (value_in(query, "sendInitialEvents")) {
    options.send_initial_events = flag_in(query, "sendInitialEvents");
  }
  options.label_selector = query_text_in(query, "labelSelector");
  options.field_selector = query_text_in(query, "fieldSelector");
  return options;
}

}  // namespace watchlab::sim
