#include <deque>
#include <vector>

#include "core/runtime/cond_var.hpp"
#include "core/runtime/mutex.hpp"
#include "core/runtime/task.hpp"
#include "tests/benchmarks/bench_objects.hpp"

namespace watchlab::benchmarks {
namespace {

using runtime::Lock;
using runtime::Runtime;
using runtime::Task;

constexpr std::size_t kCapacity = 3;
constexpr int kItemsEach = 9;

}  // namespace

void bounded_buffer(Runtime& runtime) {
  runtime::Mutex mutex(runtime, "buffer");
  runtime::CondVar not_full(runtime, "not_full");
  runtime::CondVar not_empty(runtime, "not_empty");
  std::deque<int> items;
  std::vector<Task> tasks;
  for (int i = 0; i < 3; ++i) {
    tasks.push_back(spawn(runtime, "producer", [&] {
      for (int item = 0; item < kItemsEach; ++item) {
        Lock lock(mutex);
        while (items.size() >= kCapacity) {
          not_full.wait(lock);
        }
        items.push_back(item);
        not_empty.notify_one();
      }
    }));
    tasks.push_back(spawn(runtime, "consumer", [&] {
      for (int item = 0; item < kItemsEach; ++item) {
        Lock lock(mutex);
        while (items.empty()) {
          not_empty.wait(lock);
        }
        items.pop_front();
        not_full.notify_one();
      }
    }));
  }
  for (const Task& task : tasks) {
    task.join();
  }
}

}  // namespace watchlab::benchmarks
