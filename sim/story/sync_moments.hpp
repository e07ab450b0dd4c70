#pragma once

#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "core/runtime/task.hpp"
#include "sim/story/client.hpp"

namespace watchlab::sim {

/// Finds out when clients and their handlers have synced, for a transcript: after each thing that
/// is recorded, once everything that was due at that instant is over, it asks those who have not.
/// Each client is asked by a task of its own, as an answer may have to wait for the client's lock.
class SyncMoments : public std::enable_shared_from_this<SyncMoments> {
 public:
  using Clients = std::vector<std::pair<std::string, std::shared_ptr<Client>>>;

  SyncMoments(std::shared_ptr<StoryStage> stage, Clients clients);

  /// To be called once; it looks until the record is closed.
  void start();
  /// Waits until it has ended, and writes what it found into the record.
  void finish(Record& record);

 private:
  using Named = Clients::value_type;

  void look(const Named& named);
  void ask(const Named& named, runtime::TimePoint instant);

  std::shared_ptr<StoryStage> stage_;
  Clients clients_;
  std::map<std::string, runtime::TimePoint> synced_;  // by client
  std::map<std::pair<std::string, std::string>, runtime::TimePoint> handlers_;
  std::vector<runtime::Task> tasks_;
};

}  // namespace watchlab::sim
