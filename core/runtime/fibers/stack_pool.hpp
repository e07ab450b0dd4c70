#pragma once

#include <cstddef>
#include <vector>

#include "core/runtime/fibers/switch.hpp"

namespace watchlab::runtime {

struct StackPoolOptions {
  /// Of each stack; zero for what a simulated task needs.
  std::size_t stack_size = 0;
  /// Stacks come in slabs from the first on, with guard pages between them that are no maps of
  /// their own. Where the kernel cannot do that (Linux before 6.13), stacks come as without this.
  bool in_slabs = false;
};

/// Stacks, mapped once and used again. The first few thousand have a guard page each, so that an
/// overflow is a crash and not a riddle; where the system has no such pages, a canary. A process
/// may hold only some 65,000 maps, so beyond that stacks come in slabs with one guard and a canary
/// each, checked when a stack comes back. For one OS thread at a time.
class StackPool {
 public:
  StackPool() : StackPool(StackPoolOptions{}) {}
  explicit StackPool(const StackPoolOptions& options);
  StackPool(const StackPool&) = delete;
  StackPool& operator=(const StackPool&) = delete;
  ~StackPool();

  [[nodiscard]] Stack take();
  /// Fails when the stack is not `is_intact`.
  void give_back(const Stack& stack);
  /// False when what ran on it went beyond its end. Always true where a guard page sees to that.
  [[nodiscard]] static bool is_intact(const Stack& stack);

 private:
  void map_guarded();
  void map_slab();
  /// False when this kernel has no guards without maps.
  [[nodiscard]] bool map_slab_of_guarded();

  struct Mapping {
    void* address;
    std::size_t size;
  };

  const std::size_t stack_size_;
  bool in_slabs_;
  std::vector<Stack> free_;
  std::vector<Mapping> mappings_;
};

}  // namespace watchlab::runtime
