#include "sim/story/sync_moments.hpp"

namespace watchlab::sim {
namespace {

/// After this long everything that was due at the same instant is over.
constexpr runtime::Duration tick = std::chrono::nanoseconds(1);

}  // namespace

SyncMoments::SyncMoments(std::shared_ptr<StoryStage> stage, Clients clients)
    : stage_(std::move(stage)), clients_(std::move(clients)) {}

void SyncMoments::start() {
  for (const Named& named : clients_) {
    tasks_.push_back(runtime::spawn(stage_->runtime, "sync-moments " + named.first,
                                    [self = shared_from_this(), &named] { self->look(named); }));
  }
}

void SyncMoments::look(const Named& named) {
  std::uint64_t heard = 0;
  while (const auto more = stage_->recorder->wait_for_more(heard)) {
    heard = *more;
    const runtime::TimePoint instant = stage_->runtime.now();
    runtime::sleep_for(stage_->runtime, tick);
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
