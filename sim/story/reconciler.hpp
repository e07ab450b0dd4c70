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

/// What a reconciler works with: what its controller knows, which may be old, and how it writes.
struct ReconcileContext {
  std::shared_ptr<cache::Indexer> store;  ///< with the index of `index_by_labels`
  Connection& connection;
  const runtime::StopToken& stop;
  runtime::Runtime& runtime;
};

/// What a controller does with a key. Workers call it at the same time, never for one key.
class Reconciler {
 public:
  Reconciler() = default;
  Reconciler(const Reconciler&) = delete;
  Reconciler& operator=(const Reconciler&) = delete;
  virtual ~Reconciler() = default;

  /// Brings the server closer to what the object of that key asks for. A failure puts the key back.
  virtual api::Result<void> reconcile(const std::string& key, ReconcileContext& context) = 0;
  /// The key that is to be reconciled when an object changes: its own unless it belongs to another.
  [[nodiscard]] virtual std::string key_for(const api::Object& object) const;
  /// The controller was notified of an object for the first time.
  virtual void notified_of(const api::Object& /*object*/) {}
};

/// What the object's data says under that key; "" when it says nothing.
[[nodiscard]] std::string value_in(const api::Object& object, const std::string& key);
/// The same as a number; 0 when it is none.
[[nodiscard]] int number_in(const api::Object& object, const std::string& key);

/// A reconciler that can be asked for by name.
struct ReconcilerEntry {
  std::string_view name;
  std::string_view doc;  ///< what it does, in a sentence
  std::unique_ptr<Reconciler> (*make)(runtime::Runtime& runtime);
  std::vector<Verb> verbs = {};  ///< which requests it sends
};

/// All of them, in the order in which help lists them.
[[nodiscard]] std::vector<ReconcilerEntry> reconciler_catalogue();
/// The one of that name; null when there is none.
[[nodiscard]] std::unique_ptr<Reconciler> make_reconciler(runtime::Runtime& runtime,
                                                          std::string_view name);

/// For `ReconcilerEntry::make`: a reconciler that is nothing but this function.
template <api::Result<void> (*function)(const std::string& key, ReconcileContext& context)>
[[nodiscard]] std::unique_ptr<Reconciler> make_from(runtime::Runtime& /*runtime*/) {
  struct Stateless final : Reconciler {
    api::Result<void> reconcile(const std::string& key, ReconcileContext& context) override {
      return function(key, context);
    }
  };
  return std::make_unique<Stateless>();
}

/// Neighbouring ones.
[[nodiscard]] std::vector<ReconcilerEntry> replica_reconcilers();
[[nodiscard]] std::vector<ReconcilerEntry> cleanup_reconcilers();
[[nodiscard]] std::vector<ReconcilerEntry> operator_reconcilers();

}  // namespace watchlab::sim
