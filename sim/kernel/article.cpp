#include "sim/kernel/article.hpp"

#include <algorithm>
#include <array>
#include <boost/algorithm/string/case_conv.hpp>

namespace watchlab::sim {

std::string with_article(std::string_view noun) {
  const std::string beginning = boost::algorithm::to_lower_copy(std::string(noun.substr(0, 3)));
  const bool has_vowel =
      !beginning.empty() && std::string_view("aeiou").find(beginning.front()) < 5;
  // A vowel in writing, and none in speech.
  constexpr std::array<std::string_view, 5> kSpokenOtherwise{"one", "uni", "url", "use", "uti"};
  const bool sounds_so = has_vowel && std::ranges::count(kSpokenOtherwise, beginning) == 0;
  return (sounds_so ? "an " : "a ") + std::string(noun);
}

}  // namespace watchlab::sim
