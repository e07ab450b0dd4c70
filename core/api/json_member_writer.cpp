#include "core/api/json_member_writer.hpp"

#include "core/runtime/ensure.hpp"

namespace watchlab::api {

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
