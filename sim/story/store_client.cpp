#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "core/cache/cache.hpp"
#include "core/cache/informer.hpp"
#include "core/cache/reflector.hpp"
#include "core/runtime/task.hpp"
#include "sim/story/client.hpp"

namespace watchlab::sim {
namespace {

/// How often the reader reads, so that it does not continue for all of a long story.
constexpr int kReadsMax = 30;
constexpr runtime::Duration kDefaultPause = std::chrono::milliseconds(700);

/// A store that refuses one of the lists that it is given, as one does in which an object has no
/// key.
class RefusingStore : public cache::ReflectorStore {
 public:
  RefusingStore(std::shared_ptr<cache::ReflectorStore> store, std::int64_t refuses)
      : store_(std::move(store)), refuses_(refuses) {}

  api::Result<void> add(const cache::Item& item) override { return store_->add(item); }
  api::Result<void> update(const cache::Item& item) override { return store_->update(item); }
  api::Result<void> remove(const cache::Item& item) override { return store_->remove(item); }
  api::Result<void> replace(std::span<const api::ObjectPtr> items,
                            const std::string& resource_version) override {
    if (++lists_ == refuses_) {
      return api::Error{.kind = api::ErrorKind::Key, .message = "the store refuses this list"};
    }
    return store_->replace(items, resource_version);
  }
  api::Result<void> resync() override { return store_->resync(); }

 private:
  std::shared_ptr<cache::ReflectorStore> store_;
  std::int64_t refuses_;
  std::int64_t lists_ = 0;
};

class StoreClient : public ClientOfTasks, public std::enable_shared_from_this<StoreClient> {
 public:
  StoreClient(std::shared_ptr<StoryStage> stage, StoryClientOptions options)
      : ClientOfTasks(std::move(stage), std::move(options)),
        store_(std::make_shared<cache::Cache>(
            stage_->runtime, cache::deletion_handling_meta_namespace_key, index_by_labels(),
            cache::CacheOptions{.keeps_version = machine_of(options_).atomic,
                                .metrics = reached_})),
        reflector_(stage_->runtime, connect(stage_, options_), written_store(),
                   cache::reflector_of(machine_of(options_),
                                       {.name = options_.name, .resync_period = options_.resync})) {
  }

  void start() override {
    const auto reflecting =
        runtime::spawn(stage_->runtime, options_.name,
                       [self = shared_from_this()] { self->reflector_.run(self->stop_.token()); });
    const auto reading = runtime::spawn(stage_->runtime, options_.name + "-reader",
                                        [self = shared_from_this()] { self->read_repeatedly(); });
    tasks_ = {reading, reflecting};
  }
  bool has_synced() override { return !reflector_.last_sync_resource_version().empty(); }
  std::vector<api::ObjectPtr> stored() override { return in_key_order(store_->list()); }
  std::string store_version() override { return store_->last_store_sync_resource_version(); }
  std::optional<IndexRecord> indexed() override { return labels_indexed_by(*store_); }
  std::optional<IndexRecord> indexed_late() override {
    cache::Indexers late;
    late["late"] = index_by_labels().at("labels");
    if (!store_->add_indexers(late)) {
      return std::nullopt;
    }
    return labels_indexed_by(*store_, "late");
  }

 private:
  /// What the reflector writes into.
  [[nodiscard]] std::shared_ptr<cache::ReflectorStore> written_store() const {
    if (options_.refuses == 0) {
      return store_;
    }
    return std::make_shared<RefusingStore>(store_, options_.refuses);
  }

  void read_repeatedly() {
    const runtime::StopToken stop = stop_.token();
    const runtime::Duration pause =
        options_.pause > runtime::Duration::zero() ? options_.pause : kDefaultPause;
    for (int i = 0; i < kReadsMax && !stop.stopped(); ++i) {
      runtime::sleep_for(stage_->runtime, pause);
      read();
    }
  }

  void read() {
    for (const std::string& value : store_->list_index_function_values("labels")) {
      if (auto objects = store_->by_index("labels", value)) {
        stage_->recorder->read(
            {.client = options_.name, .value = value, .objects = *std::move(objects)});
      }
    }
    const std::vector<api::ObjectPtr> all = in_key_order(store_->list());
    if (all.empty()) {
      return;
    }
    if (auto objects = store_->index("labels", all.front())) {
      stage_->recorder->read(
          {.client = options_.name, .like = all.front(), .objects = *std::move(objects)});
    }
  }

  std::shared_ptr<cache::Cache> store_;
  cache::Reflector reflector_;
};

}  // namespace

std::shared_ptr<Client> make_store_client(std::shared_ptr<StoryStage> stage,
                                          StoryClientOptions options) {
  return std::make_shared<StoreClient>(std::move(stage), std::move(options));
}

}  // namespace watchlab::sim
