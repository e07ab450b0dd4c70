#include "sim/kernel/primitives/sim_cell.hpp"

#include <algorithm>
#include <cstring>

#include "sim/kernel/primitives/sim_gate.hpp"

namespace watchlab::sim {
namespace {

std::string text_of(std::span<const std::byte> value) {
  return {reinterpret_cast<const char*>(value.data()), value.size()};
}

void copy(const WeakStore& from, std::span<std::byte> to) {
  std::memcpy(to.data(), from.bytes.data(), to.size());
}

}  // namespace

void SimCell::order(runtime::AccessKind kind, std::memory_order order, bool changed) {
  const Quiet quiet;
  if (kind != runtime::AccessKind::Write) {
    if (acquires(order)) {
      scheduler_.acquire(sync_);
    } else {
      scheduler_.see(sync_);
    }
  }
  if (kind == runtime::AccessKind::Read) {
    settle(false);
    return;
  }
  const bool updates = kind == runtime::AccessKind::ReadWrite;
  if (!releases(order)) {
    scheduler_.release_fenced(sync_, updates);
  } else if (updates) {
    scheduler_.release(sync_);
  } else {
    scheduler_.release_alone(sync_);
  }
  settle(changed);
}

void SimCell::await_notification(runtime::Location here) {
  const Quiet quiet;
  if (scheduler_.running_down()) {
    scheduler_.end_wait();
    return;
  }
  SimTask& me = scheduler_.current();
  scheduler_.publish(OperationKind::GatePass, this, here, SimGate::kOnce);
  waiters_.push_back(&me);
  scheduler_.disable(me);
  scheduler_.decide();
  std::erase(waiters_, &me);
  if (scheduler_.stopping()) {
    scheduler_.end_wait();
  }
}

void SimCell::wake(std::size_t index) {
  SimTask& task = *waiters_[index];
  waiters_.erase(waiters_.begin() + static_cast<std::ptrdiff_t>(index));
  scheduler_.become(task, OperationKind::GatePass, this);
  scheduler_.enable(task);
}

void SimCell::notify(bool all, runtime::Location here) {
  const Quiet quiet;
  if (!scheduler_.step_if_running(OperationKind::GateChange, this, here)) {
    return;
  }
  if (all) {
    while (!waiters_.empty()) {
      wake(waiters_.size() - 1);
    }
  } else if (!waiters_.empty()) {
    std::vector<const Actor*>& tasks = scheduler_.room_for_candidates();
    tasks.assign(waiters_.begin(), waiters_.end());
    wake(scheduler_.choose(ChoiceKind::Waiter, tasks.size(), "which waiter wakes", tasks));
  }
}

WeakLocation& SimCell::location(std::span<const std::byte> value) {
  if (weak_ == nullptr) {
    weak_ = std::make_unique<WeakLocation>();
    weak_->stores.push_back(std::make_unique<WeakStore>());
    weak_->newest().bytes = text_of(value);
  }
  return *weak_;
}

std::uint32_t SimCell::choose_place(const WeakMemory::Places& places) {
  return places
      .all[scheduler_.unwinding() ? 0
                                  : scheduler_.choose_store(places.all.size(), places.impossible)];
}

void SimCell::read_weakly(std::uint32_t place, std::memory_order order) {
  SimTask& me = scheduler_.current();
  scheduler_.weak_memory()->read(*weak_, place, order, me);
  if (place + 1 == weak_->stores.size()) {
    settle(false);
  }
}

void SimCell::weak_load(std::memory_order order, std::span<std::byte> value) {
  const Quiet quiet;
  WeakLocation& stores = location(value);
  const WeakAccess access{.order = order, .reads = true};
  const std::uint32_t place = choose_place(scheduler_.weak_memory()->readable(
      stores, scheduler_.current(), order != std::memory_order_seq_cst,
      [&access](const WeakStore&) { return access; }));
  copy(*stores.stores[place], value);
  read_weakly(place, order);
}

void SimCell::weak_store(std::memory_order order, std::span<const std::byte> stored,
                         std::span<std::byte> value) {
  const Quiet quiet;
  WeakLocation& stores = location(value);
  SimTask& me = scheduler_.current();
  WeakMemory& memory = *scheduler_.weak_memory();
  const std::uint32_t place = choose_place(memory.writable(stores, me, order));
  memory.write(stores, place, {.order = order, .writes = true}, me).bytes = text_of(stored);
  copy(stores.newest(), value);
  settle(true);
}

void SimCell::weak_take(std::memory_order order, std::span<std::byte> value) {
  const Quiet quiet;
  WeakLocation& stores = location(value);
  const WeakAccess access{.order = order, .reads = true, .writes = true};
  taken_ = choose_place(scheduler_.weak_memory()->readable(
      stores, scheduler_.current(), order != std::memory_order_seq_cst,
      [&access](const WeakStore&) { return access; }));
  copy(*stores.stores[taken_], value);
}

/// Whether a weak exchange fails without a cause is decided first: then it only reads, whatever it
/// finds.
bool SimCell::weak_compare(const ExchangeOrders& orders, std::span<const std::byte> expected,
                           std::span<std::byte> value) {
  const Quiet quiet;
  WeakLocation& stores = location(value);
  const auto matches = [&](const WeakStore& store) {
    return std::memcmp(store.bytes.data(), expected.data(), expected.size()) == 0;
  };
  const bool fails =
      orders.weak &&
      std::ranges::any_of(stores.stores, [&](const auto& store) { return matches(*store); }) &&
      scheduler_.is_spurious(*this, "whether a weak exchange just fails");
  const WeakAccess read{.order = orders.failure, .reads = true};
  const WeakAccess update{.order = orders.success, .reads = true, .writes = true};
  const bool weaker =
      orders.success != std::memory_order_seq_cst || orders.failure != std::memory_order_seq_cst;
  taken_ = choose_place(scheduler_.weak_memory()->readable(
      stores, scheduler_.current(), weaker,
      [&](const WeakStore& store) { return !fails && matches(store) ? update : read; }));
  const WeakStore& found = *stores.stores[taken_];
  copy(found, value);
  if (!fails && matches(found)) {
    return true;
  }
  read_weakly(taken_, orders.failure);
  return false;
}

void SimCell::weak_put(std::memory_order order, std::span<std::byte> value) {
  const Quiet quiet;
  SimTask& me = scheduler_.current();
  const WeakAccess access{.order = order, .reads = true, .writes = true};
  const bool newest = taken_ + 1 == weak_->stores.size();
  const std::string stored = text_of(value);
  const bool changed = stored != weak_->stores[taken_]->bytes;
  scheduler_.weak_memory()->write(*weak_, taken_ + 1, access, me).bytes = stored;
  copy(weak_->newest(), value);
  settle(changed || !newest);
}

std::string SimCell::blocked_because(const SimTask&) const {
  return "and no task is left that would notify it";
}

}  // namespace watchlab::sim
