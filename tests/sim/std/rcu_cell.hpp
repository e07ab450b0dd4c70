#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <memory>
#include <mutex>
#include <thread>
#include <utility>

namespace wild {

/// A value that is read without a lock and replaced as a whole: read, copy, update. Who replaces it
/// waits until no reader can still see the old one, and then frees it.
///
/// Readers announce themselves in one of two counters; the epoch says in which. A reader may be
/// late between looking at the epoch and announcing itself. So the writer empties the other counter
/// before it turns the epoch to it, and then the one that it leaves.
template <typename T>
class RcuCell {
 public:
  explicit RcuCell(T value) : current_(new T(std::move(value))) {}
  RcuCell(const RcuCell&) = delete;
  RcuCell& operator=(const RcuCell&) = delete;
  ~RcuCell() { delete current_.load(std::memory_order_acquire); }

  /// Calls `look` with the value, which stays what it is until that comes back.
  template <typename Look>
  void read(Look look) const {
    std::atomic<int>& readers = readers_[epoch_.load() % 2];
    readers.fetch_add(1);
    look(std::as_const(*current_.load(std::memory_order_acquire)));
    readers.fetch_sub(1, std::memory_order_release);
  }

  void update(T value) {
    const std::lock_guard<std::mutex> lock(writers_);
    const std::unique_ptr<const T> old(
        current_.exchange(new T(std::move(value)), std::memory_order_acq_rel));
    const unsigned epoch = epoch_.load();
    wait_for_readers(epoch + 1);
    epoch_.store(epoch + 1);
    wait_for_readers(epoch);
  }

 private:
  void wait_for_readers(unsigned epoch) const {
    while (readers_[epoch % 2].load() != 0) {
      std::this_thread::yield();
    }
  }

  std::atomic<T*> current_;
  std::atomic<unsigned> epoch_{0};
  mutable std::array<std::atomic<int>, 2> readers_{};
  std::mutex writers_;
};

}  // namespace wild
