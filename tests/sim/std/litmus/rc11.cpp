// RC11, from its axioms. Nothing here is taken from the worlds that it judges, or from how they do
// it.
//
// An *execution* of a program is a set of events with
//   po  program order, of the events of one thread,
//   rf  reads-from, from a write to each read that returns its value,
//   mo  modification order, for each location a total order of its writes.
// A successful update is one event that reads and writes; the initial write of a location comes
// first in its mo. An execution is consistent when the axioms below hold of it, and the outcomes of
// a program are the final registers and the mo-last values of its consistent executions.
//
// Executions are built event by event: from the empty one, any thread adds its next event, reads
// from any write that is there, and a write goes to any place in mo. Two facts make that complete.
// *No-thin-air* (po ∪ rf is acyclic) is one of the axioms, so every consistent execution has an
// order in which each event comes after those before it in po and rf, and it is built in that
// order. And an execution that is not consistent does not become so by more events, for then all
// relations only grow; so it is dropped at once.
#include <algorithm>
#include <map>
#include <tuple>

#include "tests/sim/std/litmus/judges.hpp"
#include "tests/sim/std/litmus/relation.hpp"

namespace watchlab::litmus {

namespace {

using enum std::memory_order;

/// An event by its thread and its place there: the same whenever it was added.
struct Name {
  int thread = 0;  ///< -1 for initial writes, whose place is their location
  std::size_t place = 0;
  auto operator<=>(const Name&) const = default;
};

struct Event {
  const Instruction* instruction = nullptr;  ///< unset for initial writes
  bool reads = false;
  bool writes = false;
  int location = 0;
  int value = 0;  ///< written
  std::memory_order order = relaxed;
  Name from{};  ///< rf
  auto operator<=>(const Event&) const = default;
};

struct Execution {
  std::vector<std::size_t> next;  ///< the instruction that comes next, by thread
  std::vector<int> registers;
  std::map<Name, Event> events;
  std::vector<std::vector<Name>> mo;  ///< by location
  auto operator<=>(const Execution&) const = default;
};

bool releases(std::memory_order order) {
  return order == release || order == acq_rel || order == seq_cst;
}
bool acquires(std::memory_order order) {
  return order == acquire || order == acq_rel || order == seq_cst;
}

/// The relations that the axioms start from. Events have numbers in the order of their names.
struct Graph {
  Events reads = 0;
  Events writes = 0;
  Events fences = 0;
  Events released = 0;  ///< of an order that releases, and so on
  Events acquired = 0;
  Events sc = 0;
  Relation po;
  Relation rf;
  Relation mo;
  Relation same_location;

  explicit Graph(const Execution& execution) {
    std::map<Name, std::size_t> number;
    for (const auto& [name, event] : execution.events) {
      number.emplace(name, number.size());
    }
    for (const auto& [name, event] : execution.events) {
      const std::size_t i = number.at(name);
      sort_in(event, Events{1} << i);
      for (const auto& [other, second] : execution.events) {
        const std::size_t j = number.at(other);
        if (name.thread == other.thread && name.thread >= 0 && name.place < other.place) {
          po.add(i, j);
        }
        const bool both_access = (event.reads || event.writes) && (second.reads || second.writes);
        if (both_access && event.location == second.location) {
          same_location.add(i, j);
        }
      }
      if (event.reads) {
        rf.add(number.at(event.from), i);
      }
    }
    for (const std::vector<Name>& writes_there : execution.mo) {
      for (std::size_t i = 0; i < writes_there.size(); ++i) {
        for (std::size_t j = i + 1; j < writes_there.size(); ++j) {
          mo.add(number.at(writes_there[i]), number.at(writes_there[j]));
        }
      }
    }
  }

 private:
  void sort_in(const Event& event, Events one) {
    reads |= event.reads ? one : 0;
    writes |= event.writes ? one : 0;
    fences |= !event.reads && !event.writes ? one : 0;
    released |= releases(event.order) ? one : 0;
    acquired |= acquires(event.order) ? one : 0;
    sc |= event.order == seq_cst ? one : 0;
  }
};

/// The axioms, with the names and letters of the paper; its `E^{⊒rel}` is `released`.
bool is_consistent(const Graph& g) {
  const auto id = [](Events set) { return Relation::identity(set); };
  const Events updates = g.reads & g.writes;

  // Reads-before: a read and each write that is later than the one it returns. An update is not
  // before itself.
  const Relation rb = (g.rf.inverse() * g.mo).without(id(~Events{0}));
  // Extended coherence order.
  const Relation eco = (g.rf | g.mo | rb).closure();

  // Release sequence, as in C++20: a write and the updates that continue it, one from the other.
  // (The paper still lets later writes of the same thread take part.)
  const Relation rs = id(g.writes) * (g.rf * id(updates)).closure().optional();
  // Synchronizes-with: from a release write, or a release fence before a write, to an acquire read
  // from its release sequence, or an acquire fence after such a read.
  const Relation fence_before = (id(g.fences) * g.po).optional();
  const Relation fence_after = (g.po * id(g.fences)).optional();
  const Relation sw =
      id(g.released) * fence_before * rs * g.rf * id(g.reads) * fence_after * id(g.acquired);
  // Happens-before.
  const Relation hb = (g.po | sw).closure();

  // COHERENCE: hb; eco? is irreflexive.
  if (!(hb * eco.optional()).is_irreflexive()) {
    return false;
  }
  // ATOMICITY: in mo nothing is between an update and the write that it reads from; that is, rb; mo
  // does not lead back to it. Nor do other ways of eco: the paper's two events of an update are
  // coherent by po between them, which one event does not have.
  if (!eco.is_irreflexive()) {
    return false;
  }

  // SC: psc is acyclic, the order that sequentially consistent accesses and fences must agree on.
  const Relation po_elsewhere = g.po.without(g.same_location);
  const Relation scb = g.po | po_elsewhere * hb * po_elsewhere | (hb & g.same_location) | g.mo | rb;
  const Relation sc_fence = id(g.sc & g.fences);
  const Relation psc_base =
      (id(g.sc) | sc_fence * hb.optional()) * scb * (id(g.sc) | hb.optional() * sc_fence);
  const Relation psc_fence = sc_fence * (hb | hb * eco * hb) * sc_fence;
  return (psc_base | psc_fence).is_acyclic();
  // NO-THIN-AIR holds by the way executions are built; see above.
}

class Enumeration {
 public:
  explicit Enumeration(const Program& program) : program_(program) {
    Execution start{
        .next = std::vector<std::size_t>(program.threads.size()),
        .registers = std::vector<int>(static_cast<std::size_t>(program.registers), kUnset),
        .events = {},
        .mo = {}};
    for (int location = 0; location < program.locations; ++location) {
      const Name name{.thread = -1, .place = static_cast<std::size_t>(location)};
      start.events[name] = {.writes = true, .location = location};
      start.mo.push_back({name});
    }
    continue_from(start);
  }
  [[nodiscard]] const Outcomes& outcomes() const { return outcomes_; }

 private:
  void continue_from(const Execution& execution) {
    if (!seen_.insert(execution).second || !is_consistent(Graph(execution))) {
      return;
    }
    bool ended = true;
    for (std::size_t thread = 0; thread < program_.threads.size(); ++thread) {
      if (execution.next[thread] < program_.threads[thread].size()) {
        ended = false;
        take_next(execution, thread);
      }
    }
    if (ended) {
      std::vector<int> memory;
      for (const std::vector<Name>& writes_there : execution.mo) {
        memory.push_back(execution.events.at(writes_there.back()).value);
      }
      outcomes_.insert(outcome(execution.registers, memory));
    }
  }

  /// Continues with each form that the next event of the thread can have.
  void take_next(Execution execution, std::size_t thread) {
    const std::size_t place = execution.next[thread]++;
    const Instruction& one = program_.threads[thread][place];
    if (!runs(one, execution.registers)) {
      continue_from(execution);
      return;
    }
    const Name name{.thread = static_cast<int>(thread), .place = place};
    const Event event{.instruction = &one, .location = one.location, .order = one.order};
    if (one.op == Op::Fence) {
      execution.events[name] = event;
      continue_from(execution);
    } else if (one.op == Op::Store) {
      write_anywhere(execution, name, event, one.value);
    } else {
      for (const Name& from : execution.mo[static_cast<std::size_t>(one.location)]) {
        read_from(execution, name, event, from);
      }
    }
  }

  void read_from(Execution execution, const Name& name, Event event, const Name& from) {
    const Instruction& one = *event.instruction;
    const int value = execution.events.at(from).value;
    int& reg = execution.registers[static_cast<std::size_t>(one.reg)];
    event.reads = true;
    event.from = from;
    reg = value;
    if (writes(one, value)) {
      write_anywhere(execution, name, event, written(one, value));
      if (one.op != Op::Weak) {
        return;
      }
      reg = kFailed;
    }
    // What does not write is a load, or an exchange that failed: a load by its second order.
    event.order = one.op == Op::Load ? one.order : one.failure;
    execution.events[name] = event;
    continue_from(execution);
  }

  void write_anywhere(const Execution& execution, const Name& name, Event event, int value) {
    event.writes = true;
    event.value = value;
    const auto location = static_cast<std::size_t>(event.location);
    for (std::size_t at = 1; at <= execution.mo[location].size(); ++at) {
      Execution longer = execution;
      longer.events[name] = event;
      auto& order = longer.mo[location];
      order.insert(order.begin() + static_cast<std::ptrdiff_t>(at), name);
      continue_from(longer);
    }
  }

  const Program& program_;
  std::set<Execution> seen_;
  Outcomes outcomes_;
};

}  // namespace

Outcomes rc11_outcomes(const Program& program) { return Enumeration(program).outcomes(); }

}  // namespace watchlab::litmus
