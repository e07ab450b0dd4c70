#include "sim/story/recording_handler.hpp"

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "core/runtime/task.hpp"
#include "sim/story/pattern.hpp"

namespace watchlab::sim {

RecordingHandler::RecordingHandler(std::shared_ptr<StoryStage> stage, std::string client,
                                   StoryHandlerOptions options, View view)
    : stage_(std::move(stage)),
      client_(std::move(client)),
      options_(std::move(options)),
      view_(std::move(view)) {}

void RecordingHandler::on_add(const api::ObjectPtr& object, bool is_in_initial_list) {
  CallRecord call = call_of(CallType::Add, object);
  call.initial = is_in_initial_list;
  handle(std::move(call));
}

void RecordingHandler::on_update(const api::ObjectPtr& old_object,
                                 const api::ObjectPtr& new_object) {
  CallRecord call = call_of(CallType::Update, new_object);
  call.before = old_object;
  handle(std::move(call));
}

void RecordingHandler::on_delete(const cache::Item& item) {
  CallRecord call = call_of(CallType::Delete, cache::object_of(item));
  call.tombstone = cache::is_tombstone(item);
  if (call.tombstone) {
    call.key = std::get<cache::TombstonePtr>(item)->key;
  }
  handle(std::move(call));
}

CallRecord RecordingHandler::call_of(CallType type, const api::ObjectPtr& object) const {
  CallRecord call;
  call.client = client_;
  call.handler = options_.name;
  call.type = type;
  call.object = object;
  call.key = object ? api::key_of(object->metadata) : "";
  return call;
}

void RecordingHandler::handle(CallRecord call) {
  call.reached = view_.reached ? view_.reached->get() : "";
  call.cached = view_.held(call.key);
  // Asked only where it says something: each question is an operation that schedules know.
  call.synced = call.initial && view_.synced && view_.synced();
  call.overlaps = in_call_;
  const bool panics = ++calls_ == options_.panics;
  call.panics = panics;
  in_call_ = true;
  stage_->runtime.note({"handler", client_, note_of(call), given_name(options_.name)});
  stage_->recorder->called(std::move(call));
  if (options_.takes > runtime::Duration::zero()) {
    runtime::sleep_for(stage_->runtime, options_.takes);
  }
  stage_->recorder->rested();
  if (view_.then) {
    view_.then();
  }
  in_call_ = false;
  if (panics) {
    throw std::runtime_error("a handler that panics");
  }
}

namespace {

std::string key_of(const cache::Item& item) {
  if (cache::is_tombstone(item)) {
    return std::get<cache::TombstonePtr>(item)->key;
  }
  return api::key_of(cache::object_of(item)->metadata);
}

}  // namespace

void ObservedStore::hold(const cache::Item& item) {
  held_[key_of(item)] = cache::object_of(item)->metadata.resource_version;
}

api::Result<void> ObservedStore::add(const cache::Item& item) {
  api::Result<void> done = store_->add(item);
  if (done) {
    hold(item);
  }
  return done;
}

api::Result<void> ObservedStore::update(const cache::Item& item) {
  api::Result<void> done = store_->update(item);
  if (done) {
    hold(item);
  }
  return done;
}

api::Result<void> ObservedStore::remove(const cache::Item& item) {
  api::Result<void> done = store_->remove(item);
  if (done) {
    held_.erase(key_of(item));
  }
  return done;
}

api::Result<void> ObservedStore::replace(std::span<const api::ObjectPtr> items,
                                         const std::string& resource_version) {
  api::Result<void> done = store_->replace(items, resource_version);
  if (done) {
    held_.clear();
    for (const api::ObjectPtr& object : items) {
      hold(object);
    }
  }
  return done;
}

std::optional<cache::TransactionError> ObservedStore::transaction(
    std::span<const cache::Transaction> changes) {
  std::optional<cache::TransactionError> failed = store_->transaction(changes);
  for (std::size_t i = 0; i < changes.size(); ++i) {
    const bool is_done =
        !failed || std::ranges::find(failed->successful, i) != failed->successful.end();
    if (is_done && changes[i].type == cache::Transaction::Type::Delete) {
      held_.erase(key_of(changes[i].item));
    } else if (is_done) {
      hold(changes[i].item);
    }
  }
  return failed;
}

std::string ObservedStore::held(const std::string& key) const {
  const auto found = held_.find(key);
  return found == held_.end() ? "" : found->second;
}

}  // namespace watchlab::sim
