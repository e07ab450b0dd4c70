#pragma once

#include "core/client/api_messages.hpp"
#include "core/client/http_body.hpp"
#include "core/client/http_message.hpp"
#include "core/client/url.hpp"

/// HTTP and URLs as values are the client's (core/client), and the server of the simulation
/// uses the same, by the same names.
namespace watchlab::sim {

using client::chunk_line;
using client::escaped;
using client::field_of;
using client::fields_of;
using client::has_word;
using client::HttpBody;
using client::HttpField;
using client::HttpFields;
using client::HttpHead;
using client::HttpLimits;
using client::HttpRequest;
using client::HttpRequestReader;
using client::HttpResponseReader;
using client::is_json;
using client::last_chunk;
using client::media_type_of;
using client::not_json;
using client::path_of;
using client::Query;
using client::query_from;
using client::Target;
using client::target_from;
using client::target_text;
using client::to_string;
using client::value_in;

}  // namespace watchlab::sim
