#pragma once

#include <array>
#include <functional>
#include <string>
#include <string_view>

#include "core/cache/real_fifo.hpp"
#include "tests/core/cache/queues.hpp"

/// What the tests of `RealFIFO` share: the machines that have one.
namespace watchlab::tests {

/// What sets the queues of the releases apart.
struct Machine {
  const char* name;
  bool atomic;
  bool unlocks;
  bool counts_before;
};

/// 0.33 and 0.35; 0.36 with all its gates, with unlocking off, and with atomic events off.
inline constexpr std::array<Machine, 4> kMachines{{
    {.name = "0.33", .atomic = false, .unlocks = false, .counts_before = true},
    {.name = "0.37", .atomic = true, .unlocks = true, .counts_before = false},
    {.name = "0.36 locked", .atomic = true, .unlocks = false, .counts_before = false},
    {.name = "0.36 not atomic", .atomic = false, .unlocks = false, .counts_before = false},
}};

/// What the informers of that machine hand to their queue; `known` only where it is allowed.
inline cache::RealFIFOOptions options_of(const Machine& machine,
                                         const cache::KeyListerGetter& known) {
  return {.known_objects = machine.atomic ? nullptr : &known,
          .atomic_events = machine.atomic,
          .unlock_while_processing = machine.unlocks,
          .emit_delta_type_bookmark = machine.atomic,
          .count_before_processing = machine.counts_before};
}

using QueueBody = std::function<void(runtime::Runtime& runtime, cache::RealFIFO& queue)>;

/// Plays the body with a queue of each machine, of those with atomic events only if so wished, all
/// of which know nothing.
inline void for_each_machine(const QueueBody& body, bool atomic_only = false) {
  for (const Machine& machine : kMachines) {
    if (atomic_only && !machine.atomic) {
      continue;
    }
    holds_in_every_world([&](runtime::Runtime& runtime) {
      const FixedObjects nothing({});
      cache::RealFIFO queue(runtime, options_of(machine, nothing));
      body(runtime, queue);
    });
  }
}

inline void for_each_atomic_machine(const QueueBody& body) { for_each_machine(body, true); }

/// A transformer that shows how often it was applied: "1" becomes "1t".
inline api::Result<api::ObjectPtr> add_a_t(const api::ObjectPtr& given) {
  return object(api::key_of(given->metadata), given->metadata.resource_version + "t");
}

/// Queues, as additions, the objects of these names in this order, revisions 1 and so on.
inline void add_all(cache::RealFIFO& queue, std::string_view names) {
  int revision = 0;
  for (const char name : names) {
    expect_ok(queue.add(object(std::string(1, name), std::to_string(++revision))));
  }
}

/// Pops one batch and says what it was: "batch: …" or "single: …", with "initial" for the first
/// list.
inline std::string pop_batch_text(cache::RealFIFO& queue) {
  std::string text;
  const auto write = [&](std::string_view how, const cache::Deltas& deltas, bool is_initial) {
    text = std::string(how) + (is_initial ? " initial: " : ": ") + text_of(deltas);
    return api::Result<void>();
  };
  const api::Result<void> popped =
      queue.pop_batch([&](const cache::Deltas& batch,
                          bool is_initial) { return write("batch", batch, is_initial); },
                      [&](const cache::PopItem& item, bool is_initial) -> cache::Processed {
                        return write("single", std::get<cache::Deltas>(item), is_initial);
                      });
  return popped ? text : "error: " + popped.error().message;
}

}  // namespace watchlab::tests
