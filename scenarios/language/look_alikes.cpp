#include "scenarios/language/look_alikes.hpp"

#include <array>
#include <string>

namespace watchlab::scenarios {
namespace {

constexpr std::array<LookAlike, 25> kLookAlikes{{
    {"\u00a0", "a no-break space", "a space", true},
    {"\u2003", "a wide space", "a space", true},
    {"\u2009", "a thin space", "a space", true},
    {"\u202f", "a narrow no-break space", "a space", true},
    {"\u2028", "a line separator (U+2028)", "a line break", true},
    {"\u2029", "a paragraph separator (U+2029)", "a line break", true},
    {"\u3000", "a full-width space", "a space", true},
    {"\u200b", "an invisible space", "none", true},
    {"\ufeff", "an invisible mark (U+FEFF)", "none", true},
    {"\u201c", "the typographic quote '\u201c'", "the quote '\"'", true},
    {"\u201d", "the typographic quote '\u201d'", "the quote '\"'", true},
    {"\u201e", "the typographic quote '\u201e'", "the quote '\"'", true},
    {"\u2018", "the typographic quote '\u2018'", "the quote \"'\"", true},
    {"\u2019", "the typographic quote '\u2019'", "the quote \"'\"", true},
    {"\u00ab", "the typographic quote '\u00ab'", "the quote '\"'", true},
    {"\u00bb", "the typographic quote '\u00bb'", "the quote '\"'", true},
    {"\u2013", "the dash '\u2013'", "'-' and a space", true},
    {"\u2014", "the dash '\u2014'", "'-' and a space", true},
    {"\uff02", "the full-width quote '\uff02'", "the quote '\"'", false},
    {"\uff1a", "the full-width colon '\uff1a'", "':' and a space", false},
    {"\uff0c", "the full-width comma '\uff0c'", "','", false},
    {"\uff5b", "the full-width brace '\uff5b'", "'{'", false},
    {"\uff5d", "the full-width brace '\uff5d'", "'}'", false},
    {"\uff3b", "the full-width bracket '\uff3b'", "'['", false},
    {"\uff3d", "the full-width bracket '\uff3d'", "']'", false},
}};

}  // namespace

std::span<const LookAlike> look_alikes() { return kLookAlikes; }

std::optional<Problem> look_alike_at(std::string_view rest, Place place) {
  for (const LookAlike& each : kLookAlikes) {
    if (rest.starts_with(each.bytes)) {
      return Problem{place, std::string(each.what), std::string(each.expected), ""};
    }
  }
  return std::nullopt;
}

}  // namespace watchlab::scenarios
