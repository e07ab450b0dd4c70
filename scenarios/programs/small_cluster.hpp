#pragma once

#include <initializer_list>
#include <memory>
#include <string>
#include <vector>

#include "core/cache/list_watch.hpp"
#include "core/cache/resource_event_handler.hpp"
#include "core/cache/shared_index_informer.hpp"
#include "core/runtime/task.hpp"
#include "core/watch/fake_watcher.hpp"

/// What the programs about shared informers are made of.
namespace watchlab::scenarios {

/// An object of that name, in the namespace "default", at that revision.
[[nodiscard]] api::ObjectPtr object_at(const std::string& name, const std::string& revision);

/// A server as small as can be: a list that is answered at once, and a watch that is fed by hand.
/// Its maker changes it; only an informer's reflector asks it.
class SmallCluster : public cache::ListerWatcher {
 public:
  SmallCluster(runtime::Runtime& runtime, std::initializer_list<std::string> names);

  api::Result<api::ObjectList> list(const runtime::StopToken& stop,
                                    const api::ListOptions& options) override;
  api::Result<std::shared_ptr<watch::Watcher>> watch(const runtime::StopToken& stop,
                                                     const api::ListOptions& options) override;

  /// The object is at a new revision from now on; the open watch does not deliver it.
  void change(const std::string& name);
  /// The open watch delivers the last change.
  void deliver_change();
  /// Watches are refused from now on, as if no server listened.
  void refuse_watches() { refuses_watches_ = true; }
  /// The open watch ends with a 410, so that the informer has to list again.
  void forget_history();

 private:
  runtime::Runtime& runtime_;
  std::vector<api::ObjectPtr> objects_;
  api::ObjectPtr changed_;
  int revision_ = 1;
  bool refuses_watches_ = false;
  std::shared_ptr<watch::FakeWatcher> watcher_;
};

/// One with objects of these names, to be handed to an informer.
[[nodiscard]] std::shared_ptr<SmallCluster> small_cluster(runtime::Runtime& runtime,
                                                          std::initializer_list<std::string> names);

/// A handler that counts its calls.
struct Calls {
  int adds = 0;
  int updates = 0;

  /// Its other half, which an informer calls. The counts must outlive it.
  [[nodiscard]] std::shared_ptr<cache::ResourceEventHandler> listener();
};

/// An informer that runs in a task of its own, until `end`.
class RunningInformer {
 public:
  RunningInformer(runtime::Runtime& runtime, cache::SharedIndexInformerOptions options);

  /// Starts it; returns at once.
  void start();
  /// Stops it and waits for its end.
  void end();
  [[nodiscard]] cache::SharedIndexInformer& operator*() { return *informer_; }
  [[nodiscard]] cache::SharedIndexInformer* operator->() { return informer_.get(); }

 private:
  runtime::Runtime& runtime_;
  std::shared_ptr<cache::SharedIndexInformer> informer_;
  runtime::StopSource stop_;
  runtime::Task task_;
};

/// Throws a `sim::Violation` with that message unless it holds.
void expect_that(bool holds, const std::string& otherwise);

}  // namespace watchlab::scenarios
