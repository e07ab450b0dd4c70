#pragma once

#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/api/result.hpp"
#include "core/runtime/cond_var.hpp"
#include "core/runtime/mutex.hpp"
#include "core/runtime/task.hpp"

namespace watchlab::sim {

/// A body as JSON, with what a strict parser complains about.
struct ReadBody {
  std::string json;
  /// `line 5: key "a" already set in map` for each key that a mapping has twice.
  std::vector<std::string> repeated_keys{};
};

/// Converts a body to JSON; fails with the Status to answer with.
using ReadsBody = std::function<api::Result<ReadBody>(std::string_view)>;

/// Parses long bodies, one at a time, in a task of its own, so that the task that serves all
/// connections is not blocked. Any task may use it.
class BodyReader {
 public:
  /// A body that is queued, being read, or read. After let_go there is no callback anymore.
  class Reading {
   public:
    Reading(runtime::Runtime& runtime, std::string body, std::function<void()> on_read)
        : body_(std::move(body)), mutex_(runtime, "reading"), on_read_(std::move(on_read)) {}
    Reading(const Reading&) = delete;
    Reading& operator=(const Reading&) = delete;

    /// Nothing until it is read.
    [[nodiscard]] std::optional<api::Result<ReadBody>> take();
    /// Cancels it: it is not read unless that has begun, and `on_read` is not called.
    void let_go();

   private:
    friend class BodyReader;
    void read(const ReadsBody& how);

    std::string body_;
    runtime::Mutex mutex_;  // guards the next two
    std::function<void()> on_read_;
    std::optional<api::Result<ReadBody>> outcome_;
  };

  BodyReader(runtime::Runtime& runtime, ReadsBody how);
  BodyReader(const BodyReader&) = delete;
  BodyReader& operator=(const BodyReader&) = delete;
  /// Bodies that are still queued are not read.
  ~BodyReader();

  /// Calls `on_read` in its task once the body is read.
  [[nodiscard]] std::shared_ptr<Reading> begin(std::string body, std::function<void()> on_read);

 private:
  void run();
  [[nodiscard]] std::shared_ptr<Reading> next();

  runtime::Runtime& runtime_;
  ReadsBody how_;
  runtime::Mutex mutex_;  // guards the next three
  runtime::CondVar changed_;
  std::deque<std::shared_ptr<Reading>> waiting_;
  bool ends_ = false;
  runtime::Task task_;  // started by the first body
};

}  // namespace watchlab::sim
