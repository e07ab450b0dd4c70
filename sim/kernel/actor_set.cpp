#include "sim/kernel/actor_set.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

namespace watchlab::sim {

bool ActorSet::contains_further(std::uint32_t slot) const { return further_.contains(slot); }

void ActorSet::insert_further(std::uint32_t slot) { further_.insert(slot); }

void ActorSet::erase_further(std::uint32_t slot) { further_.erase(slot); }

void ActorSet::insert_all_further(const ActorSet& others) {
  further_.insert(boost::container::ordered_unique_range, others.further_.begin(),
                  others.further_.end());
}

void ActorSet::erase_all_further(const ActorSet& others) {
  decltype(further_)::sequence_type rest;
  std::ranges::set_difference(further_, others.further_, std::back_inserter(rest));
  further_.adopt_sequence(boost::container::ordered_unique_range, std::move(rest));
}

std::uint32_t ActorSet::after(std::uint32_t slot) const {
  if (slot < kFirst - 1) {
    const std::uint64_t above = first_ & ~std::uint64_t{0} << (slot + 1);
    if (above != 0) {
      return static_cast<std::uint32_t>(std::countr_zero(above));
    }
  }
  const auto next = further_.upper_bound(slot);
  return next != further_.end() ? *next : first();
}

std::uint32_t ActorSet::nth_of_many(std::size_t index, std::uint32_t left_out) const {
  const std::uint64_t low = without(first_, left_out);
  const std::size_t count = count_bits(low);
  if (index < count) {
    return nth_bit(low, index);
  }
  const auto gap = further_.find(left_out);
  const std::size_t place = index - count;
  const bool is_behind = gap != further_.end() && place >= further_.index_of(gap);
  return *further_.nth(place + (is_behind ? 1 : 0));
}

}  // namespace watchlab::sim
