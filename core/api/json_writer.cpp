#include "core/api/json_writer.hpp"

#include <algorithm>
#include <boost/json.hpp>

#include "core/runtime/ensure.hpp"

namespace watchlab::api {

void append_json_string(std::string& out, std::string_view text) {
  const bool is_plain = std::ranges::all_of(text, [](char sign) {
    return static_cast<unsigned char>(sign) >= 0x20 && sign != '"' && sign != '\\';
  });
  if (is_plain) {
    out.append(1, '"').append(text).append(1, '"');
  } else {
    out.append(boost::json::serialize(boost::json::string_view(text.data(), text.size())));
  }
}

void JsonMemberWriter::members_of(std::string_view object) {
  const std::size_t first = object.find_first_not_of(" \t\r\n");
  const std::size_t last = object.find_last_not_of(" \t\r\n");
  if (first == std::string_view::npos) {
    return;
  }
  runtime::ensure(object[first] == '{' && object[last] == '}',
                  "an object's further members are a JSON object");
  const std::string_view members = object.substr(first + 1, last - first - 1);
  if (members.find_first_not_of(" \t\r\n") != std::string_view::npos) {
    separate();
    out_ += members;
  }
}

}  // namespace watchlab::api
