#pragma once

#include <string>
#include <string_view>
#include <vector>

/// What reads bytes that somebody else has made, as functions of these bytes alone: the targets of
/// the fuzzer, and of the tests that play its corpus. Each ends with a value or an error value,
/// whatever comes, and throws `std::logic_error` when what was read means two different things.
namespace watchlab::hostile {

/// A client reads a response, and the events of a watch in it. Returns what came of it in words.
std::string read_as_response(std::string_view bytes);
/// A server reads a request, does what it asks, and a client reads the answer.
std::string read_as_request(std::string_view bytes);
/// The bytes are read as an object, a list, a Status and an event; what was read is written and
/// read again.
std::string read_as_json(std::string_view bytes);
/// A server plays a whole session with a client that sends these bytes over one connection, in
/// pieces whose size the first byte says. What it answers must be HTTP.
std::string play_session(std::string_view bytes);
/// The first byte says which of the four reads the rest.
std::string read(std::string_view input);

/// Inputs for `read` to begin with: good ones, and each kind of bad one.
[[nodiscard]] std::vector<std::string> seeds();
/// The same for `play_session`.
[[nodiscard]] std::vector<std::string> session_seeds();

}  // namespace watchlab::hostile
