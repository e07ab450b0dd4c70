#pragma once

#include <string>
#include <string_view>

#include "core/api/result.hpp"
#include "core/watch/event.hpp"

namespace watchlab::watch {

/// One event as JSON text, the way an API server sends it: {"type":"ADDED","object":{…}}. An
/// event without object and status has a null for its object. Mirrors apimachinery meta/v1,
/// WatchEvent. Any task may call both functions.
[[nodiscard]] std::string to_json(const Event& event);

/// The reverse. Fails with ErrorKind::Decode when the text is no JSON object, the type is none of
/// the five, or the object is none of a kind. An ERROR whose object is no Status is an event that
/// has neither object nor status. Mirrors client-go rest/watch/decoder.go, Decode.
[[nodiscard]] api::Result<Event> event_from_json(std::string_view text);

}  // namespace watchlab::watch
