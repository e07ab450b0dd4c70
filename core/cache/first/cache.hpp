#pragma once

#include <map>

#include "core/cache/first/store.hpp"
#include "core/runtime/shared.hpp"
#include "core/runtime/shared_mutex.hpp"

namespace watchlab::cache::first {

/// The plain store: a map behind a readers-writer lock. Later: `ThreadSafeStore`.
class Cache final : public Store {
 public:
  explicit Cache(runtime::Runtime& runtime);

  void add(const std::string& id, const api::ObjectPtr& object) override;
  void update(const std::string& id, const api::ObjectPtr& object) override;
  void remove(const std::string& id) override;
  [[nodiscard]] std::vector<api::ObjectPtr> list() const override;
  [[nodiscard]] api::ObjectPtr get(const std::string& id) const override;

 private:
  runtime::Runtime& runtime_;
  mutable runtime::SharedMutex mutex_;
  runtime::Shared<std::map<std::string, api::ObjectPtr>> items_;
};

}  // namespace watchlab::cache::first
