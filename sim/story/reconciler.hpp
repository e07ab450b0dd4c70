#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "core/api/result.hpp"
#include "core/cache/indexer.hpp"
#include "core/runtime/stop_token.hpp"
#include "sim/network/connection.hpp"

namespace watchlab::sim {

/// What a reconciler works with: its controller's view, which may be stale, and a connection for
/// writes.
struct ReconcileContext {
  std::shared_ptr<cache::Indexer> store;  ///< with the index of `index_by_labels`
  Connection& connection;
  const runtime::StopToken& stop;
  runtime::Runtime& runtime;
};

/// What a controller does with a key. Workers call it concurrently, but never for the same key.
class Reconciler {
 public:
  Reconciler() = default;
  Reconciler(const Reconciler&) = delete;
  Reconciler& operator=(const Reconciler&) = delete;
  virtual ~Reconciler() = default;

  /// Brings the server closer to what the object with this key asks for. An error puts the key
  /// back.
  virtual api::Result<void> reconcile(const std::string& key, ReconcileContext& context) = 0;
  /// The key to reconcile when an object changes: its own key unless it belongs to another object.
  [[nodiscard]] virtual std::string key_for(const api::Object& object) const;
  /// The controller sees an object for the first time.
  virtual void notified_of(const api::Object& /*object*/) {}
};

/// The value of this key in the object's data; "" if there is none.
[[nodiscard]] std::string value_in(const api::Object& object, const std::string& key);
/// The same as a number; 0 if it is not a number.
[[nodiscard]] int number_in(const api::Object& object, const std::string& key);

/// A reconciler that can be requested by name.
struct ReconcilerEntry {
  std::string_view name;
  std::string_view doc;  ///< what it does, in a sentence
  std::unique_ptr<Reconciler> (*make)(runtime::Runtime& runtime);
  std::vector<Verb> verbs = {};  ///< which requests it sends
};

/// All reconcilers, in the order of the help text.
[[nodiscard]] std::vector<ReconcilerEntry> reconciler_catalogue();
/// The reconciler with this name, or null.
[[nodiscard]] std::unique_ptr<Reconciler> make_reconciler(runtime::Runtime& runtime,
                                                          std::string_view name);

/// For `ReconcilerEntry::make`: a reconciler that consists of just this function.
template <api::Result<void> (*function)(const std::string& key, ReconcileContext& context)>
[[nodiscard]] std::unique_ptr<Reconciler> make_from(runtime::Runtime& /*runtime*/) {
  struct Stateless final : Reconciler {
    api::Result<void> reconcile(const std::string& key, ReconcileContext& context) override {
      return function(key, context);
    }
  };
  return std::make_unique<Stateless>();
}

/// Related reconcilers.
[[nodiscard]] std::vector<ReconcilerEntry> replica_reconcilers();
[[nodiscard]] std::vector<ReconcilerEntry> cleanup_reconcilers();
[[nodiscard]] std::vector<ReconcilerEntry> operator_reconcilers();

}  // namespace watchlab::sim
