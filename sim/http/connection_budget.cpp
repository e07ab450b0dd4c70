#include "sim/http/connection_budget.hpp"

#include <algorithm>
#include <utility>

namespace watchlab::sim {
namespace {

/// What has to move until a connection counts as one that makes progress: a byte now and then is
/// none. Also what it holds at least to be a large one.
constexpr std::size_t kProgress = std::size_t{64} << 10;

}  // namespace

void ConnectionBudget::enter(Connection& connection, const std::string& address) {
  connection.address_ = addresses_.try_emplace(address).first;
  ++connection.address_->second.connections;
  connection.place_ = all_.insert(all_.end(), &connection);
}

void ConnectionBudget::leave(Connection& connection) {
  keep(connection, 0);
  all_.erase(connection.place_);
  if (--connection.address_->second.connections == 0) {
    addresses_.erase(connection.address_);
  }
}

void ConnectionBudget::keep(Connection& connection, std::size_t bytes) {
  const std::size_t before = std::exchange(connection.bytes_, bytes);
  bytes_ += bytes - before;
  connection.address_->second.bytes += bytes - before;
  if (before == 0 && bytes > 0) {
    connection.kept_place_ = kept_.insert(kept_.end(), &connection);
  } else if (before > 0 && bytes == 0) {
    kept_.erase(connection.kept_place_);
    // A whole request, or a whole answer, has moved.
    all_.splice(all_.end(), all_, connection.place_);
  }
  if (bytes > before && bytes_ > bytes_max_) {
    make_room(connection);
  }
}

void ConnectionBudget::moved(Connection& connection, std::size_t bytes) {
  connection.moved_ += bytes;
  if (connection.moved_ < kProgress) {
    return;
  }
  connection.moved_ = 0;
  all_.splice(all_.end(), all_, connection.place_);
  if (connection.bytes_ > 0) {
    kept_.splice(kept_.end(), kept_, connection.kept_place_);
  }
}

void ConnectionBudget::make_room(const Connection& wanted_by) {
  if (std::exchange(is_making_room_, true)) {
    return;  // what one that gives up still says makes no others give up
  }
  while (bytes_ > bytes_max_) {
    Connection* const loser = oldest_of_heaviest(wanted_by);
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
ConnectionBudget::Connection* ConnectionBudget::oldest_of_heaviest(
    const Connection& wanted_by) const {
  const auto bytes_of_others = [&](const Addresses::value_type& each) {
    return each.second.bytes - (&*wanted_by.address_ == &each ? wanted_by.bytes_ : 0);
  };
  const auto heaviest = std::ranges::max_element(addresses_, {}, bytes_of_others);
  Connection* small = nullptr;
  for (Connection* const connection : kept_) {
    if (connection == &wanted_by || Addresses::const_iterator(connection->address_) != heaviest) {
      continue;
    }
    if (connection->bytes_ >= kProgress) {
      return connection;
    }
    small = small == nullptr ? connection : small;
  }
  return small;
}

bool ConnectionBudget::make_place() {
  Connection* chosen = nullptr;
  for (Connection* const connection : all_) {
    const bool is_better = chosen == nullptr || connection->address_->second.connections >
                                                    chosen->address_->second.connections;
    chosen = is_better && connection->is_waiting() ? connection : chosen;
  }
  if (chosen != nullptr) {
    chosen->give_up_place();
  }
  return chosen != nullptr;
}

}  // namespace watchlab::sim
