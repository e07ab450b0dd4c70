#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "core/cache/store.hpp"

namespace watchlab::sim {

/// A client's store with an eye on it: passes everything on and remembers, without a lock of its
/// own, which revision of each key the store holds since the last change that came back well.
/// Only the task that processes deltas may use it.
class ObservedStore : public cache::Store {
 public:
  explicit ObservedStore(std::shared_ptr<cache::Store> store) : store_(std::move(store)) {}

  api::Result<void> add(const cache::Item& item) override;
  api::Result<void> update(const cache::Item& item) override;
  api::Result<void> remove(const cache::Item& item) override;
  api::Result<void> replace(std::span<const api::ObjectPtr> items,
                            const std::string& resource_version) override;
  api::Result<void> resync() override { return store_->resync(); }
  [[nodiscard]] std::vector<api::ObjectPtr> list() const override { return store_->list(); }
  [[nodiscard]] std::vector<std::string> list_keys() const override { return store_->list_keys(); }
  [[nodiscard]] api::Result<api::ObjectPtr> get(const cache::Item& item) const override {
    return store_->get(item);
  }
  [[nodiscard]] api::ObjectPtr get_by_key(const std::string& key) const override {
    return store_->get_by_key(key);
  }

  /// "" when the key is not there.
  [[nodiscard]] std::string held(const std::string& key) const;

 private:
  void hold(const cache::Item& item);

  std::shared_ptr<cache::Store> store_;
  std::map<std::string, std::string> held_;  // revisions by key
};

}  // namespace watchlab::sim
