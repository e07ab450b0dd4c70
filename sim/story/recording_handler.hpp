#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "core/cache/cache.hpp"
#include "core/cache/resource_event_handler.hpp"
#include "sim/story/client.hpp"

namespace watchlab::sim {

/// A handler that records each call, takes its time, and panics if its options say so. Called by
/// whatever calls handlers.
class RecordingHandler : public cache::ResourceEventHandler {
 public:
  /// What it reads when it is called.
  struct View {
    /// The revision of a key in the client's store; "" if there is none.
    std::function<std::string(const std::string& key)> held;
    /// Whether its registration reports that it has synced; unset if there is no registration.
    std::function<bool()> synced;
    /// The revision that the store has reached; null if it does not report one.
    std::shared_ptr<const ReachedRevision> reached = nullptr;
    /// What each call does at its end; unset for nothing.
    std::function<void()> then = nullptr;
  };

  RecordingHandler(std::shared_ptr<StoryStage> stage, std::string client,
                   StoryHandlerOptions options, View view);

  void on_add(const api::ObjectPtr& object, bool is_in_initial_list) override;
  void on_update(const api::ObjectPtr& old_object, const api::ObjectPtr& new_object) override;
  void on_delete(const cache::Item& item) override;

 private:
  [[nodiscard]] CallRecord call_of(CallType type, const api::ObjectPtr& object) const;
  void handle(CallRecord call);

  std::shared_ptr<StoryStage> stage_;
  std::string client_;
  StoryHandlerOptions options_;
  View view_;
  std::int64_t calls_ = 0;
  bool in_call_ = false;
};

/// Wraps a client's store: passes everything on and remembers, without a lock of its own, the
/// revision of each key after the last successful change. Only for the task that processes deltas.
class ObservedStore : public cache::Store, public cache::TransactionStore {
 public:
  explicit ObservedStore(std::shared_ptr<cache::Cache> store) : store_(std::move(store)) {}

  api::Result<void> add(const cache::Item& item) override;
  api::Result<void> update(const cache::Item& item) override;
  api::Result<void> remove(const cache::Item& item) override;
  api::Result<void> replace(std::span<const api::ObjectPtr> items,
                            const std::string& resource_version) override;
  api::Result<void> resync() override { return store_->resync(); }
  void bookmark(const std::string& resource_version) override {
    store_->bookmark(resource_version);
  }
  [[nodiscard]] std::string last_store_sync_resource_version() const override {
    return store_->last_store_sync_resource_version();
  }
  [[nodiscard]] std::optional<cache::TransactionError> transaction(
      std::span<const cache::Transaction> changes) override;
  [[nodiscard]] std::vector<api::ObjectPtr> list() const override { return store_->list(); }
  [[nodiscard]] std::vector<std::string> list_keys() const override { return store_->list_keys(); }
  [[nodiscard]] api::Result<api::ObjectPtr> get(const cache::Item& item) const override {
    return store_->get(item);
  }
  [[nodiscard]] api::ObjectPtr get_by_key(const std::string& key) const override {
    return store_->get_by_key(key);
  }

  /// "" if the key is not there.
  [[nodiscard]] std::string held(const std::string& key) const;

 private:
  void hold(const cache::Item& item);

  std::shared_ptr<cache::Cache> store_;
  std::map<std::string, std::string> held_;  // revisions by key
};

}  // namespace watchlab::sim
