#include "sim/kinds/value_place.hpp"

#include <fmt/format.h>

namespace watchlab::sim {

namespace {

constexpr std::size_t kLengthMax = std::size_t{64} << 10;

}  // namespace

std::string Place::text() const {
  if (above_ == nullptr) {
    return std::string(name_);
  }
  std::string text = above_->text();
  if (index_) {
    return fmt::format("{}[{}]", text, *index_);
  }
  const bool is_first = text.empty() && is_named_;
  return text.append(is_first ? "" : ".").append(name_);
}

void NamedPlaces::add(const Place& place) {
  if (length_ < kLengthMax) {
    length_ += paths_.emplace_back(place.text()).size();
  }
}

}  // namespace watchlab::sim
