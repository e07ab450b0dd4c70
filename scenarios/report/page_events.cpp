#include "scenarios/report/page_events.hpp"

#include <utility>

namespace watchlab::scenarios {
namespace {

/// A place at or before `at` where no letter is cut.
std::size_t letter_start(std::string_view text, std::size_t at) {
  while (at > 0 && at < text.size() && (static_cast<unsigned char>(text[at]) & 0xC0U) == 0x80U) {
    --at;
  }
  return at;
}

}  // namespace

void apply_patch(boost::json::object& state, const Patch& patch) {
  boost::json::object* inner = &state;
  for (std::size_t i = 0; i + 2 < patch.size(); ++i) {
    boost::json::value& next = (*inner)[patch[i].as_string()];
    if (!next.is_object()) {
      next.emplace_object();
    }
    inner = &next.as_object();
  }
  const boost::json::string& last = patch[patch.size() - 2].as_string();
  if (patch.back().is_null()) {
    inner->erase(last);
  } else {
    inner->insert_or_assign(last, patch.back());
  }
}

std::size_t TextTable::number_of(std::string_view text) {
  const auto found = numbers_.find(text);
  if (found != numbers_.end()) {
    return found->second;
  }
  texts_.emplace_back(text);
  return numbers_.emplace(text, texts_.size() - 1).first->second;
}

PageEvent& EventLog::add(PageEvent event) {
  events_.push_back(std::move(event));
  return events_.back();
}

void EventLog::set(PageEvent& event, std::initializer_list<boost::json::value_ref> path_and_value) {
  Patch patch(path_and_value);
  apply_patch(state_, patch);
  event.patches.push_back(std::move(patch));
}

std::string shortened(std::string_view text) {
  constexpr std::size_t most = 120;
  constexpr std::size_t kept = 50;
  if (text.size() <= most) {
    return std::string(text);
  }
  return std::string(text.substr(0, letter_start(text, kept))) + "…" +
         std::string(text.substr(letter_start(text, text.size() - kept)));
}

}  // namespace watchlab::scenarios
