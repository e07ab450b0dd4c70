#pragma once

#include <memory>
#include <vector>

namespace watchlab::runtime {

class FiberTask;

/// Makes the tasks of one scheduler known to debuggers while it lives. A debugger has no `Runtime&`
/// to start from, so there is one list of all of them in a process, the symbol `watchlab_fibers`;
/// watchlab_gdb.py reads it, and nothing else does.
class DebuggerEntry {
 public:
  explicit DebuggerEntry(const std::vector<std::unique_ptr<FiberTask>>& tasks);
  DebuggerEntry(const DebuggerEntry&) = delete;
  DebuggerEntry& operator=(const DebuggerEntry&) = delete;
  ~DebuggerEntry();

 private:
  // The script knows the places of these two.
  DebuggerEntry* next_ = nullptr;
  const std::vector<std::unique_ptr<FiberTask>>* tasks_;
};

}  // namespace watchlab::runtime
