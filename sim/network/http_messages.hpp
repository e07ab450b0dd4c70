#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

/// Requests and responses of HTTP/1.1 as values.
namespace watchlab::sim {

struct HttpField {
  std::string name;
  std::string value;
};
using HttpFields = std::vector<HttpField>;

/// The value of the first field of that name, however its letters are written; "" for none.
[[nodiscard]] std::string_view field_of(const HttpFields& fields, std::string_view name);

struct HttpRequest {
  std::string method;
  std::string target;  ///< path and query as sent
  HttpFields fields;
  std::string body;
};

/// What stands before the body of a response.
struct HttpHead {
  std::int32_t code = 200;
  HttpFields fields;
};

/// How much memory the other side can make a reader use.
struct HttpLimits {
  std::size_t head_max = std::size_t{64} << 10;  ///< of a head, or of a chunk's size line
  std::size_t body_max = std::size_t{64} << 20;  ///< of a whole body; streams have no limit
};

}  // namespace watchlab::sim
