#include "sim/story/client.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "core/cache/key.hpp"
#include "sim/network/connection.hpp"
#include "sim/story/story.hpp"

namespace watchlab::sim {
namespace {

api::GroupVersionResource resource_of(const StoryStage& stage, const std::string& kind) {
  const ResourceType* type = stage.types.find_kind(kind);
  if (type == nullptr) {
    throw StoryError(fmt::format("the server serves no objects of the kind {}", kind));
  }
  return type->resource;
}

/// Adds a client's selectors to whatever its reflector asks for, as
/// `NewFilteredListWatchFromClient` does with its options modifier.
class FilteredConnection : public cache::ListerWatcher {
 public:
  FilteredConnection(std::shared_ptr<StoryStage> stage, const StoryClientOptions& options)
      : stage_(std::move(stage)),
        connection_(stage_->host, {.client = options.name,
                                   .resource = resource_of(*stage_, options.watches),
                                   .namespace_ = options.namespace_,
                                   .server = static_cast<std::size_t>(options.replica),
                                   .transport = stage_->transport}),
        label_selector_(options.label_selector),
        field_selector_(options.field_selector) {}

  api::Result<api::ObjectList> list(const runtime::StopToken& stop,
                                    const api::ListOptions& options) override {
    follow();
    return connection_.list(stop, filtered(options));
  }
  api::Result<std::shared_ptr<watch::Watcher>> watch(const runtime::StopToken& stop,
                                                     const api::ListOptions& options) override {
    follow();
    return connection_.watch(stop, filtered(options));
  }

 private:
  [[nodiscard]] api::ListOptions filtered(api::ListOptions options) const {
    options.label_selector = label_selector_;
    options.field_selector = field_selector_;
    return options;
  }

  /// Goes where the story has moved the client.
  void follow() {
    if (const auto found = stage_->moved.find(connection_.options().client);
        found != stage_->moved.end()) {
      connection_.move_to(found->second);
    }
  }

  std::shared_ptr<StoryStage> stage_;
  Connection connection_;
  std::string label_selector_;
  std::string field_selector_;
};

}  // namespace

std::shared_ptr<cache::ListerWatcher> connect(const std::shared_ptr<StoryStage>& stage,
                                              const StoryClientOptions& options) {
  return std::make_shared<FilteredConnection>(stage, options);
}

const features::ReleaseProfile& machine_of(const StoryClientOptions& options) {
  const features::ReleaseProfile* machine = features::find_machine(options.machine);
  runtime::ensure(machine != nullptr, "there is no machine " + options.machine);
  return *machine;
}

void be_busy(StoryStage& stage, runtime::Duration time) {
  if (time > runtime::Duration::zero()) {
    stage.recorder->paused();
    runtime::sleep_for(stage.runtime, time);
    stage.recorder->rested();
  }
}

void record_deltas(StoryStage& stage, const cache::PopItem& item, const DeltaRecord& like) {
  for (const cache::Delta& delta : std::get<cache::Deltas>(item)) {
    if (delta.info != nullptr) {
      continue;  // of no single object: what it brings is seen in the calls
    }
    DeltaRecord record = like;
    record.type = delta.type;
    record.object = cache::object_of(delta.object);
    record.tombstone = cache::is_tombstone(delta.object);
    record.key = record.tombstone ? std::get<cache::TombstonePtr>(delta.object)->key
                                  : api::key_of(record.object->metadata);
    stage.recorder->popped(std::move(record));
  }
}

cache::Indexers index_by_labels() {
  return {{"labels", [](const api::ObjectPtr& object) -> api::Result<std::vector<std::string>> {
             std::vector<std::string> values;
             for (const auto& [label, value] : object->metadata.labels) {
               values.push_back(label + "=" + value);
             }
             return values;
           }}};
}

IndexRecord labels_indexed_by(const cache::Indexer& store, const std::string& index) {
  IndexRecord found;
  for (const std::string& value : store.list_index_function_values(index)) {
    if (api::Result<std::vector<std::string>> keys = store.index_keys(index, value)) {
      found[value] = *std::move(keys);
    }
  }
  return found;
}

std::vector<api::ObjectPtr> in_key_order(std::vector<api::ObjectPtr> objects) {
  std::ranges::sort(objects, {},
                    [](const api::ObjectPtr& object) { return api::key_of(object->metadata); });
  return objects;
}

namespace {

/// After this long everything that was due at the same instant is over.
constexpr runtime::Duration kTick = std::chrono::nanoseconds(1);

}  // namespace

SyncMoments::SyncMoments(std::shared_ptr<StoryStage> stage, Clients clients)
    : stage_(std::move(stage)), clients_(std::move(clients)) {}

void SyncMoments::start() {
  stage_->recorder->note_marks();
  for (const Named& named : clients_) {
    tasks_.push_back(runtime::spawn(stage_->runtime, "sync-moments " + named.first,
                                    [self = shared_from_this(), &named] { self->look(named); }));
  }
}

void SyncMoments::look(const Named& named) {
  std::uint64_t known = 0;
  while (const auto more = stage_->recorder->wait_for_more(known)) {
    known = *more;
    const runtime::TimePoint instant = stage_->runtime.now();
    runtime::sleep_for(stage_->runtime, kTick);
    ask(named, instant);
  }
}

void SyncMoments::ask(const Named& named, runtime::TimePoint instant) {
  const auto& [name, client] = named;
  if (!synced_.contains(name) && client->has_synced()) {
    synced_[name] = instant;
  }
  for (const std::string& handler : client->synced_handlers()) {
    handlers_.try_emplace({name, handler}, instant);
  }
}

void SyncMoments::finish(Record& record) {
  for (const runtime::Task& task : tasks_) {
    task.join();
  }
  for (const auto& [client, moment] : synced_) {
    if (moment < record.closed) {
      record.synced_at[client] = moment;
    }
  }
  for (HandlerRecord& handler : record.handlers) {
    const auto found = handlers_.find({handler.client, handler.name});
    if (found != handlers_.end() && found->second < record.closed) {
      handler.synced = found->second;
    }
  }
}

}  // namespace watchlab::sim
