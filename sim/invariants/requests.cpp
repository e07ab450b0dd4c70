#include <fmt/format.h>

#include <chrono>
#include <map>
#include <set>
#include <span>

#include "sim/invariants/families.hpp"
#include "sim/invariants/reading.hpp"
#include "sim/kernel/article.hpp"

namespace watchlab::sim::invariants {
namespace {

bool is_canonical(const std::string& revision) {
  return revision.front() != '0' && revision.find_first_not_of("0123456789") == std::string::npos;
}

Finding check_server_had_the_revision(const Record& record, const RequestRecord& request) {
  const std::string& revision = request.options.resource_version;
  const bool is_said = !revision.empty() && revision != "0";
  if (is_said && (!is_canonical(revision) || is_earlier(record.revision, revision))) {
    return fmt::format("{} sends {} with the revision '{}', which the server never had",
                       request.client, with_article(to_string(request.verb)), revision);
  }
  return std::nullopt;
}

/// A program may have several watches, so that no order of their revisions is known.
Finding check_server_had_the_revisions(const Record& record) {
  for (const RequestRecord& request : record.requests) {
    if (Finding finding = check_server_had_the_revision(record, request)) {
      return finding;
    }
  }
  return std::nullopt;
}

Finding check_revisions_are_the_servers(const Record& record) {
  Revisions watched;
  for (const RequestRecord& request : record.requests) {
    if (Finding finding = check_server_had_the_revision(record, request)) {
      return finding;
    }
    const std::string& revision = request.options.resource_version;
    std::string& last = watched[request.client];
    if (request.verb == Verb::List || streams_a_list(request)) {
      last.clear();
      continue;
    }
    if (is_earlier(revision, last)) {
      return fmt::format("{} watches from {} after it has watched from {}", request.client,
                         revision, last);
    }
    last = revision;
  }
  return std::nullopt;
}

/// The newest revision of the frames and `newest`.
std::string last_frame_revision(std::span<const FrameRecord> frames, std::string newest) {
  for (const FrameRecord& frame : frames) {
    const std::string revision = revision_of(frame.event.object);
    if (frame.event.type != watch::EventType::Error && is_earlier(newest, revision)) {
      newest = revision;
    }
  }
  return newest;
}

Finding check_requests_never_go_back(const Record& record) {
  Revisions received;  // the newest, by client
  for (std::size_t i = 0; i < record.requests.size(); ++i) {
    const RequestRecord& request = record.requests[i];
    std::string& newest = received[request.client];
    const std::string& asked = request.options.resource_version;
    const bool is_stale = asked == "0" ? !newest.empty() : is_earlier(asked, newest);
    if (!asked.empty() && is_stale) {
      return fmt::format("{} sends {} at {} although it has received {}", request.client,
                         with_article(to_string(request.verb)), asked, newest);
    }
    if (i >= record.answers.size()) {
      continue;
    }
    if (request.verb == Verb::List && !record.answers[i].list.resource_version.empty()) {
      // The pages of a list all have the revision of the first.
      newest = record.answers[i].list.resource_version;
    }
    if (streams_a_list(request)) {
      // What comes before the mark is collected, and forgotten if that does not come.
      const auto marked = from_the_mark(record.answers[i]);
      newest = marked.empty() ? newest : last_frame_revision(marked, "");
    } else if (request.verb == Verb::Watch && !asked.empty() && asked != "0") {
      newest = last_frame_revision(record.answers[i].frames, newest);
    }
  }
  return std::nullopt;
}

Finding check_requests_name_what_was_told(const Record& record) {
  std::map<std::string, std::set<std::string>> received;
  for (const auto& [request, answer] : answered_requests(record)) {
    const std::string& asked = request.options.resource_version;
    std::set<std::string>& known = received[request.client];
    if (!asked.empty() && asked != "0" && !known.contains(asked)) {
      return fmt::format("{} sends {} at {}, which it has not received", request.client,
                         with_article(to_string(request.verb)), asked);
    }
    known.insert(answer.list.resource_version);
    for (const FrameRecord& frame : answer.frames) {
      known.insert(revision_of(frame.event.object));
    }
  }
  return std::nullopt;
}

constexpr runtime::Duration kLongWatch = std::chrono::seconds(1);

/// What is answered by another watch, at once or after a pause.
bool wants_a_watch(const RequestRecord& request) {
  if (request.verb != Verb::Watch) {
    return false;
  }
  if (request.answer == AnswerKind::Refused || request.answer == AnswerKind::TooMany) {
    return true;
  }
  const bool has_ended = stream_has_ended(request);
  return has_ended && request.ended &&
         (request.events > 0 || *request.ended - request.at >= kLongWatch);
}

Finding check_relists_have_a_reason(const Record& record) {
  std::map<std::string, const RequestRecord*> last;
  for (const RequestRecord& request : record.requests) {
    const RequestRecord*& before = last[request.client];
    if (before != nullptr && request.verb == Verb::List && wants_a_watch(*before)) {
      return fmt::format("{} sends a LIST although its WATCH at {} was {}", request.client,
                         before->options.resource_version, outcome_of(*before));
    }
    before = &request;
  }
  return std::nullopt;
}

/// By the answer, or by the error that ends the stream.
bool stream_is_refused_its_revision(const RequestRecord& request, const AnswerRecord& answer) {
  if (is_refused_its_revision(request)) {
    return true;
  }
  const FrameRecord* const last = answer.frames.empty() ? nullptr : &answer.frames.back();
  if (last == nullptr || last->event.type != watch::EventType::Error || !last->event.status) {
    return false;
  }
  const api::Error error = api::error_from(*last->event.status);
  return api::is_expired(error) || api::is_gone(error) || api::is_too_large_resource_version(error);
}

Finding check_newest_lists_have_a_reason(const Record& record) {
  std::map<std::string, bool> refused;  // a revision, since the last list that came
  for (const auto& [request, answer] : answered_requests(record)) {
    const ClientRecord* client = client_named(record, request.client);
    const bool is_first_page = streams_a_list(request) || (request.verb == Verb::List &&
                                                           request.options.continue_token.empty());
    // What workers ask for is their own affair.
    if (!is_first_page || client == nullptr || client->workers) {
      continue;
    }
    bool& is_refused = refused[request.client];
    if (streams_a_list(request)) {
      is_refused = (is_refused || stream_is_refused_its_revision(request, answer)) &&
                   from_the_mark(answer).empty();
      continue;
    }
    const std::string& asked = request.options.resource_version;
    if (is_refused && !asked.empty()) {
      return fmt::format("{} sends a LIST at {} although its revision was refused", request.client,
                         asked);
    }
    if (!is_refused && asked.empty()) {
      return fmt::format("{} asks for the newest state of all, although no revision was refused",
                         request.client);
    }
    if (is_refused_its_revision(request)) {
      is_refused = true;
    } else if (request.answer == AnswerKind::Ok && answer.list.continue_token.empty()) {
      is_refused = false;
    } else if (request.answer == AnswerKind::Ok) {
      return std::nullopt;  // what becomes of the other pages is another story
    }
  }
  return std::nullopt;
}

}  // namespace

std::vector<Invariant> of_requests() {
  return {
      {.clause = "C13",
       .name = "revisions_are_the_servers",
       .doc = "No request uses a revision that the server never had, and no watch starts before an "
              "earlier one.",
       .check = check_revisions_are_the_servers,
       .needs_legal_world = true,
       .check_outside = check_server_had_the_revisions},
      {.clause = "I15",
       .name = "requests_never_go_back",
       .doc = "A client never asks for a state older than what it has received, unless it asks for "
              "the latest state.",
       .check = check_requests_never_go_back,
       .suspended_by = bugs_that_confuse_revisions(),
       .extends = {"revisions_are_the_servers"}},
      {.clause = "I16",
       .name = "requests_name_what_was_told",
       .doc = "A client asks only for revisions that it has received.",
       .check = check_requests_name_what_was_told,
       .suspended_by = bugs_that_confuse_revisions(),
       .extends = {"revisions_are_the_servers"}},
      {.clause = "I20",
       .name = "relists_have_a_reason",
       .doc = "After a watch ended cleanly, or could not be opened because the server was busy or "
              "down, a client watches again instead of listing.",
       .check = check_relists_have_a_reason},
      {.clause = "I32",
       .name = "newest_lists_have_a_reason",
       .doc = "A list asks for the latest state only after the server has refused a revision, "
              "until a list succeeds.",
       .check = check_newest_lists_have_a_reason,
       .needs_legal_world = true},
  };
}

}  // namespace watchlab::sim::invariants
