#include "sim/http/room.hpp"

#include <algorithm>
#include <utility>

namespace watchlab::sim {
namespace {

/// What has to move until a connection counts as one that makes progress: a byte now and then is
/// none. Also what it holds at least to be a large one.
constexpr std::size_t kProgress = std::size_t{64} << 10;

}  // namespace

void Room::enter(Guest& guest, const std::string& address) {
  guest.address_ = addresses_.try_emplace(address).first;
  ++guest.address_->second.guests;
  guest.place_ = all_.insert(all_.end(), &guest);
}

void Room::leave(Guest& guest) {
  keep(guest, 0);
  all_.erase(guest.place_);
  if (--guest.address_->second.guests == 0) {
    addresses_.erase(guest.address_);
  }
}

void Room::keep(Guest& guest, std::size_t bytes) {
  const std::size_t before = std::exchange(guest.bytes_, bytes);
  bytes_ += bytes - before;
  guest.address_->second.bytes += bytes - before;
  if (before == 0 && bytes > 0) {
    guest.kept_place_ = kept_.insert(kept_.end(), &guest);
  } else if (before > 0 && bytes == 0) {
    kept_.erase(guest.kept_place_);
    all_.splice(all_.end(), all_, guest.place_);  // a whole request, or a whole answer, has moved
  }
  if (bytes > before && bytes_ > bytes_max_) {
    make_room(guest);
  }
}

void Room::moved(Guest& guest, std::size_t bytes) {
  guest.moved_ += bytes;
  if (guest.moved_ < kProgress) {
    return;
  }
  guest.moved_ = 0;
  all_.splice(all_.end(), all_, guest.place_);
  if (guest.bytes_ > 0) {
    kept_.splice(kept_.end(), kept_, guest.kept_place_);
  }
}

void Room::make_room(const Guest& wanted_by) {
  if (std::exchange(is_making_room_, true)) {
    return;  // what one that gives up still says makes no others give up
  }
  while (bytes_ > bytes_max_) {
    Guest* const loser = oldest_of_heaviest(wanted_by);
    if (loser == nullptr) {
      break;
    }
    loser->give_up_room();
    keep(*loser, 0);
  }
  is_making_room_ = false;
}

/// Null when nothing is kept for others. A small one, such as a health check in the middle of much
/// else, would make no room: it only gives up when no larger one is there.
Room::Guest* Room::oldest_of_heaviest(const Guest& wanted_by) const {
  const auto bytes_of_others = [&](const Addresses::value_type& each) {
    return each.second.bytes - (&*wanted_by.address_ == &each ? wanted_by.bytes_ : 0);
  };
  const auto heaviest = std::ranges::max_element(addresses_, {}, bytes_of_others);
  Guest* small = nullptr;
  for (Guest* const guest : kept_) {
    if (guest == &wanted_by || Addresses::const_iterator(guest->address_) != heaviest) {
      continue;
    }
    if (guest->bytes_ >= kProgress) {
      return guest;
    }
    small = small == nullptr ? guest : small;
  }
  return small;
}

bool Room::make_place() {
  Guest* chosen = nullptr;
  for (Guest* const guest : all_) {
    const bool is_better =
        chosen == nullptr || guest->address_->second.guests > chosen->address_->second.guests;
    chosen = is_better && guest->is_waiting() ? guest : chosen;
  }
  if (chosen != nullptr) {
    chosen->give_up_place();
  }
  return chosen != nullptr;
}

}  // namespace watchlab::sim
