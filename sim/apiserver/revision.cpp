#include "sim/apiserver/revision.hpp"

#include <charconv>

namespace watchlab::sim {

std::string revision_text(Revision revision) { return std::to_string(revision); }

std::optional<Revision> parse_revision(std::string_view text) {
  Revision revision = 0;
  const char* end = text.data() + text.size();
  const auto [parsed, error] = std::from_chars(text.data(), end, revision);
  if (error != std::errc() || parsed != end || revision < 0) {
    return std::nullopt;
  }
  return revision;
}

}  // namespace watchlab::sim
