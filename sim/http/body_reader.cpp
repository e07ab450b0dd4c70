#include "sim/http/body_reader.hpp"

#include <exception>
#include <system_error>
#include <utility>

#include "core/api/status.hpp"

namespace watchlab::sim {

std::optional<api::Result<ReadBody>> BodyReader::Reading::take() {
  const runtime::Lock lock(mutex_);
  return std::exchange(outcome_, std::nullopt);
}

void BodyReader::Reading::let_go() {
  const runtime::Lock lock(mutex_);
  on_read_ = nullptr;
}

void BodyReader::Reading::read(const ReadsBody& how) {
  {
    const runtime::Lock lock(mutex_);
    if (on_read_ == nullptr) {
      return;
    }
  }
  std::optional<api::Result<ReadBody>> outcome;
  try {
    outcome.emplace(how(body_));
  } catch (const std::exception& failure) {  // such as no memory
    outcome.emplace(api::error_from(
        api::failure(api::StatusReason::TooManyRequests,
                     std::string("the body cannot be read now: ") + failure.what())));
  }
  body_ = {};
  const runtime::Lock lock(mutex_);
  outcome_ = std::move(outcome);
  // With the lock held: the caller of let_go may be destroyed once it returns.
  on_read_ != nullptr ? on_read_() : void();
}

BodyReader::BodyReader(runtime::Runtime& runtime, ReadsBody how)
    : runtime_(runtime), how_(std::move(how)), mutex_(runtime, "bodies"), changed_(runtime) {}

BodyReader::~BodyReader() {
  {
    const runtime::Lock lock(mutex_);
    ends_ = true;
    changed_.notify_one();
  }
  if (task_.valid()) {
    task_.join();
  }
}

std::shared_ptr<BodyReader::Reading> BodyReader::begin(std::string body,
                                                       std::function<void()> on_read) {
  auto made = std::make_shared<Reading>(runtime_, std::move(body), std::move(on_read));
  try {
    if (!task_.valid()) {
      task_ = runtime::spawn(runtime_, "bodies", [this] { run(); });
    }
  } catch (const std::system_error&) {  // no thread available now
    made->read(how_);
    return made;
  }
  const runtime::Lock lock(mutex_);
  waiting_.push_back(made);
  changed_.notify_one();
  return made;
}

/// Null at the end.
std::shared_ptr<BodyReader::Reading> BodyReader::next() {
  runtime::Lock lock(mutex_);
  while (waiting_.empty() && !ends_) {
    changed_.wait(lock);
  }
  if (ends_) {
    return nullptr;
  }
  std::shared_ptr<Reading> first = std::move(waiting_.front());
  waiting_.pop_front();
  return first;
}

void BodyReader::run() {
  while (const std::shared_ptr<Reading> reading = next()) {
    reading->read(how_);
  }
}

}  // namespace watchlab::sim
