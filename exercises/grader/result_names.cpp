#include "exercises/grader/result_names.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <climits>
#include <string_view>

#include "exercises/grader/plain_text.hpp"
#include "exercises/grader/program_cache.hpp"

namespace watchlab::course {
namespace {

/// What `write_output` calls a file before it is whole: another process may have up to 4194304.
constexpr std::string_view kLongestEnding = ".json.4194304.part";
constexpr std::size_t kNameBytesMax = NAME_MAX - kLongestEnding.size();
/// Of a name that is longer: so much that a reader still knows whose it is.
constexpr std::size_t kBeginningBytes = 200;

}  // namespace

std::string ResultNames::name_for(const std::string& folder) {
  if (folder.size() <= kNameBytesMax) {
    return folder;
  }
  const auto known = shortened_.find(folder);
  if (known != shortened_.end()) {
    return known->second;
  }
  const std::string beginning = beginning_of(folder, kBeginningBytes);
  std::uint64_t digest = digest_of(folder);
  std::string name = fmt::format("{}-{:016x}", beginning, digest);
  while (is_taken(name)) {
    name = fmt::format("{}-{:016x}", beginning, ++digest);
  }
  return shortened_[folder] = name;
}

std::vector<std::string> ResultNames::notes() const {
  std::vector<std::string> notes;
  for (const auto& [folder, name] : shortened_) {
    notes.push_back(fmt::format("{}: its name is too long for a file; the result is {}.json",
                                plain_line(folder), plain_line(name)));
  }
  return notes;
}

/// A student can work out the digest and name a folder like the result of another one.
bool ResultNames::is_taken(const std::string& name) const {
  std::error_code unknown;
  return std::filesystem::exists(std::filesystem::symlink_status(submissions_ / name, unknown)) ||
         std::ranges::any_of(shortened_, [&](const auto& one) { return one.second == name; });
}

}  // namespace watchlab::course
