#include "tests/sim/explore/table_programs.hpp"

#include <memory>

#include "core/runtime/atomic.hpp"
#include "core/runtime/channel.hpp"
#include "core/runtime/cond_var.hpp"
#include "core/runtime/task.hpp"

namespace watchlab::sim {
namespace {

using runtime::Lock;
using runtime::Mutex;
using runtime::Runtime;

std::string numbered(const char* name, int i) { return name + std::to_string(i); }

/// A program whose root makes what is shared and starts the tasks.
Program program(std::string name, Outcome& outcome, std::function<void(Runtime&)> start) {
  return {std::move(name),
          [&outcome, start = std::move(start)](Runtime& runtime) {
            outcome.clear();
            start(runtime);
          },
          &outcome};
}

using Cells = std::vector<std::shared_ptr<runtime::Atomic<int>>>;

Cells make_cells(Runtime& runtime, int count) {
  Cells cells;
  for (int i = 0; i < count; ++i) {
    cells.push_back(std::make_shared<runtime::Atomic<int>>(runtime, 0, numbered("cell", i)));
  }
  return cells;
}

}  // namespace

Program critical_sections(Outcome& outcome, int tasks, int sections) {
  return program("critical sections", outcome, [&outcome, tasks, sections](Runtime& runtime) {
    const auto mutex = std::make_shared<Mutex>(runtime, "mutex");
    const auto count = std::make_shared<int>(0);
    for (int i = 0; i < tasks; ++i) {
      spawn(runtime, numbered("task", i), [&outcome, &runtime, mutex, count, sections, i] {
        for (int section = 0; section < sections; ++section) {
          const Lock lock(*mutex);
          outcome.add(runtime, numbered("task", i), std::to_string(++*count));
        }
      });
    }
  });
}

Program two_locks_in_two_orders(Outcome& outcome) {
  return program("AB-BA", outcome, [&outcome](Runtime& runtime) {
    const auto a = std::make_shared<Mutex>(runtime, "a");
    const auto b = std::make_shared<Mutex>(runtime, "b");
    spawn(runtime, "ab", [&outcome, &runtime, a, b] {
      const Lock first(*a);
      const Lock second(*b);
      outcome.add(runtime, "order", "ab");
    });
    spawn(runtime, "ba", [&outcome, &runtime, a, b] {
      const Lock first(*b);
      const Lock second(*a);
      outcome.add(runtime, "order", "ba");
    });
  });
}

Program philosophers(Outcome& outcome, int seats) {
  return program("philosophers", outcome, [&outcome, seats](Runtime& runtime) {
    std::vector<std::shared_ptr<Mutex>> forks;
    for (int i = 0; i < seats; ++i) {
      forks.push_back(std::make_shared<Mutex>(runtime, numbered("fork", i)));
    }
    for (int i = 0; i < seats; ++i) {
      const auto left = forks[static_cast<std::size_t>(i)];
      const auto right = forks[static_cast<std::size_t>((i + 1) % seats)];
      spawn(runtime, numbered("philosopher", i), [&outcome, &runtime, left, right, i] {
        const Lock first(*left);
        const Lock second(*right);
        outcome.add(runtime, "order", std::to_string(i));
      });
    }
  });
}

Program readers(Outcome& outcome, int readers) {
  return program("readers", outcome, [&outcome, readers](Runtime& runtime) {
    const auto cell = std::make_shared<runtime::Atomic<int>>(runtime, 0, "cell");
    spawn(runtime, "writer", [cell] { cell->store(1); });
    for (int i = 0; i < readers; ++i) {
      spawn(runtime, numbered("reader", i), [&outcome, &runtime, cell, i] {
        outcome.add(runtime, numbered("reader", i), std::to_string(cell->load()));
      });
    }
  });
}

Program lost_update(Outcome& outcome) {
  return program("lost update", outcome, [&outcome](Runtime& runtime) {
    const auto mutex = std::make_shared<Mutex>(runtime, "mutex");
    const auto value = std::make_shared<int>(0);
    for (int i = 0; i < 2; ++i) {
      spawn(runtime, numbered("task", i), [&outcome, &runtime, mutex, value, i] {
        int seen = 0;
        {
          const Lock lock(*mutex);
          seen = *value;
        }
        const Lock lock(*mutex);
        *value = seen + 1;
        outcome.add(runtime, numbered("task", i), std::to_string(*value));
      });
    }
  });
}

Program disjoint_locks(Outcome& outcome, int tasks) {
  return program("disjoint locks", outcome, [tasks](Runtime& runtime) {
    for (int i = 0; i < tasks; ++i) {
      const auto mutex = std::make_shared<Mutex>(runtime, numbered("mutex", i));
      spawn(runtime, numbered("task", i), [mutex] {
        for (int section = 0; section < 2; ++section) {
          const Lock lock(*mutex);
        }
      });
    }
  });
}

Program broadcast(Outcome& outcome, int waiters) {
  return program("broadcast", outcome, [&outcome, waiters](Runtime& runtime) {
    const auto mutex = std::make_shared<Mutex>(runtime, "mutex");
    const auto changed = std::make_shared<runtime::CondVar>(runtime, "changed");
    for (int i = 0; i < waiters; ++i) {
      spawn(runtime, numbered("waiter", i), [&outcome, &runtime, mutex, changed, i] {
        Lock lock(*mutex);
        changed->wait(lock);
        outcome.add(runtime, "woken", std::to_string(i));
      });
    }
    spawn(runtime, "notifier", [mutex, changed] {
      { const Lock lock(*mutex); }
      changed->notify_all();
    });
  });
}

Program pipeline(Outcome& outcome, int capacity, int senders, int receivers) {
  constexpr int sends = 2;
  return program("pipeline", outcome, [=, &outcome](Runtime& runtime) {
    const runtime::Channel<std::string> channel(runtime, static_cast<std::size_t>(capacity), "ch");
    for (int i = 0; i < senders; ++i) {
      spawn(runtime, numbered("sender", i), [channel, i] {
        for (int send = 0; send < sends; ++send) {
          channel.send(std::to_string(i) + "." + std::to_string(send));
        }
      });
    }
    for (int i = 0; i < receivers; ++i) {
      spawn(runtime, numbered("receiver", i), [=, &outcome, &runtime] {
        for (int received = 0; received < senders * sends / receivers; ++received) {
          outcome.add(runtime, numbered("receiver", i), *channel.receive());
        }
      });
    }
  });
}

Program last_zero(Outcome& outcome, int writers) {
  return program("last zero", outcome, [&outcome, writers](Runtime& runtime) {
    const auto cells = make_cells(runtime, writers + 1);
    for (std::size_t i = 1; i <= static_cast<std::size_t>(writers); ++i) {
      spawn(runtime, numbered("writer", static_cast<int>(i)), [&outcome, &runtime, cells, i] {
        const int found = cells[i - 1]->load();
        cells[i]->store(found + 1);
        outcome.add(runtime, numbered("writer", static_cast<int>(i)), std::to_string(found));
      });
    }
    spawn(runtime, "looker", [&outcome, &runtime, cells, writers] {
      int place = writers;
      while (cells[static_cast<std::size_t>(place)]->load() != 0) {
        --place;
      }
      outcome.add(runtime, "looker", std::to_string(place));
    });
  });
}

Program dominoes(Outcome& outcome, int tasks) {
  return program("dominoes", outcome, [&outcome, tasks](Runtime& runtime) {
    const auto cells = make_cells(runtime, tasks);
    for (std::size_t i = 0; i < cells.size(); ++i) {
      spawn(runtime, numbered("task", static_cast<int>(i)), [&outcome, &runtime, cells, i] {
        if (cells[i]->load() == 0) {
          cells[(i + 1) % cells.size()]->store(1);
          outcome.add(runtime, numbered("task", static_cast<int>(i)), "fell");
        }
      });
    }
  });
}

Program mutex_and_channel(Outcome& outcome) {
  return program("mutex and channel", outcome, [&outcome](Runtime& runtime) {
    const auto mutex = std::make_shared<Mutex>(runtime, "mutex");
    const runtime::Channel<int> channel(runtime, 1, "channel");
    spawn(runtime, "sender", [&outcome, &runtime, mutex, channel] {
      {
        const Lock lock(*mutex);
        outcome.add(runtime, "order", "sender");
      }
      channel.send(1);
    });
    spawn(runtime, "receiver", [&outcome, &runtime, mutex, channel] {
      channel.receive();
      const Lock lock(*mutex);
      outcome.add(runtime, "order", "receiver");
    });
    spawn(runtime, "third", [&outcome, &runtime, mutex] {
      const Lock lock(*mutex);
      outcome.add(runtime, "order", "third");
    });
  });
}

Program petersen_graph(Outcome& outcome) {
  return program("Petersen graph", outcome, [](Runtime& runtime) {
    constexpr std::size_t kRing = 5;  // of the outer and of the inner nodes
    std::vector<std::vector<std::shared_ptr<Mutex>>> locks_of(2 * kRing);
    const auto join = [&](std::size_t a, std::size_t b) {
      const auto lock = std::make_shared<Mutex>(runtime, "edge");
      locks_of[a].push_back(lock);
      locks_of[b].push_back(lock);
    };
    for (std::size_t i = 0; i < kRing; ++i) {
      join(i, (i + 1) % kRing);
    }
    for (std::size_t i = 0; i < kRing; ++i) {
      join(i, kRing + i);
    }
    for (std::size_t i = 0; i < kRing; ++i) {
      join(kRing + i, kRing + (i + 2) % kRing);
    }
    for (const auto& locks : locks_of) {
      spawn(runtime, "node", [locks] {
        const Lock first(*locks[0]);
        const Lock second(*locks[1]);
        const Lock third(*locks[2]);
      });
    }
  });
}

}  // namespace watchlab::sim
