#include "core/cache/first/fifo.hpp"

#include <utility>

#include "core/cache/store.hpp"

namespace watchlab::cache::first {

FIFO::FIFO(runtime::Runtime& runtime)
    : runtime_(runtime),
      mutex_(runtime, "first/fifo"),
      changed_(runtime, "first/fifo"),
      state_(runtime, State{}, "first/fifo") {}

void FIFO::add(const std::string& id, const api::ObjectPtr& object) {
  const runtime::Lock lock(mutex_);
  State& state = state_.write();
  state.items[id] = object;
  state.queue.push_back(id);
  changed_.notify_all();
}

void FIFO::update(const std::string& id, const api::ObjectPtr& object) { add(id, object); }

void FIFO::remove(const std::string& id) {
  const runtime::Lock lock(mutex_);
  state_.write().items.erase(id);
}

std::vector<api::ObjectPtr> FIFO::list() const {
  std::vector<api::ObjectPtr> objects;
  {
    const runtime::Lock lock(mutex_);
    for (const auto& [id, object] : state_.read().items) {
      objects.push_back(object);
    }
  }
  return in_visiting_order(runtime_, std::move(objects), "list");
}

api::ObjectPtr FIFO::get(const std::string& id) const {
  const runtime::Lock lock(mutex_);
  const auto& items = state_.read().items;
  const auto found = items.find(id);
  return found != items.end() ? found->second : nullptr;
}

api::ObjectPtr FIFO::pop() {
  runtime::Lock lock(mutex_);
  for (;;) {
    while (state_.read().queue.empty()) {
      changed_.wait(lock);
    }
    State& state = state_.write();
    const std::string id = std::move(state.queue.front());
    state.queue.pop_front();
    auto item = state.items.extract(id);
    if (!item.empty()) {
      return std::move(item.mapped());
    }
  }
}

}  // namespace watchlab::cache::first
