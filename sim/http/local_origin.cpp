#include "sim/http/local_origin.hpp"

#include <arpa/inet.h>

#include <algorithm>
#include <boost/algorithm/string/predicate.hpp>
#include <string>

namespace watchlab::sim {
namespace {

bool is_port(std::string_view text) {
  constexpr std::size_t kDigitsMax = 5;
  return !text.empty() && text.size() <= kDigitsMax &&
         std::ranges::all_of(text, [](char sign) { return sign >= '0' && sign <= '9'; });
}

/// Takes ":8001" off the end; false for what follows a name and is no port.
bool without_port(std::string_view& host) {
  const std::size_t end = host.starts_with('[') ? host.find(']') + 1 : host.find(':');
  if (end == 0) {
    return false;  // a bracket that is never closed
  }
  const std::string_view rest = end < host.size() ? host.substr(end) : std::string_view();
  host = host.substr(0, end);
  return rest.empty() || (rest.front() == ':' && is_port(rest.substr(1)));
}

}  // namespace

bool is_loopback_host(std::string_view host) {
  if (!without_port(host)) {
    return false;
  }
  if (boost::algorithm::iequals(host, "localhost") || host == "[::1]") {
    return true;
  }
  in_addr address{};
  constexpr std::uint32_t kLoopback = 127;
  constexpr unsigned kFirstByte = 24;
  return ::inet_pton(AF_INET, std::string(host).c_str(), &address) == 1 &&
         ntohl(address.s_addr) >> kFirstByte == kLoopback;
}

namespace {

/// Whether a browser says that a page of another site asks. It sends no `Origin` with some of these
/// requests, for one of an image. That the user follows a link to us is nothing that a page reads.
bool is_of_other_site(const HttpRequest& http) {
  const auto is = [&](std::string_view name, std::string_view value) {
    return boost::algorithm::iequals(field_of(http.fields, name), value);
  };
  const bool is_visit =
      http.method == "GET" && is("Sec-Fetch-Mode", "navigate") && is("Sec-Fetch-Dest", "document");
  return !is_visit &&
         std::ranges::any_of(fields_of(http.fields, "Sec-Fetch-Site"), [](std::string_view site) {
           return !boost::algorithm::iequals(site, "same-origin") &&
                  !boost::algorithm::iequals(site, "none");
         });
}

}  // namespace

bool is_local_request(const HttpRequest& http, bool is_tls) {
  if (is_of_other_site(http)) {
    return false;
  }
  const std::string_view host = field_of(http.fields, "Host");
  const auto origins = fields_of(http.fields, "Origin");
  const std::string own = (is_tls ? "https://" : "http://") + std::string(host);
  return is_loopback_host(host) && std::ranges::all_of(origins, [&own](std::string_view origin) {
           return boost::algorithm::iequals(origin, own);
         });
}

}  // namespace watchlab::sim
