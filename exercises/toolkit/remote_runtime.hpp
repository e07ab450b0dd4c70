#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <unordered_map>

#include "core/runtime/runtime.hpp"
#include "exercises/toolkit/remote_code.hpp"
#include "exercises/toolkit/remote_host.hpp"

namespace watchlab::course {

/// The runtime that a library in a host gets: each operation is done by the judge, in its world.
/// Values in channels stay here; only their numbers travel.
class RemoteRuntime final : public runtime::Runtime {
 public:
  explicit RemoteRuntime(Host& host) : host_(host) {}

  std::shared_ptr<runtime::TaskBackend> spawn(std::string_view name, std::function<void()> body,
                                              runtime::Location here) override;
  void yield(runtime::Location here) override;
  [[nodiscard]] runtime::TimePoint now() override;
  void sleep_until(runtime::TimePoint deadline, runtime::Location here) override;

  [[nodiscard]] runtime::Owned<runtime::MutexBackend> make_mutex(std::string_view name,
                                                                 runtime::Location here) override;
  [[nodiscard]] runtime::Owned<runtime::SharedMutexBackend> make_shared_mutex(
      std::string_view name, runtime::Location here) override;
  [[nodiscard]] runtime::Owned<runtime::CondVarBackend> make_cond_var(
      std::string_view name, runtime::Location here) override;
  [[nodiscard]] runtime::Owned<runtime::WaitGroupBackend> make_wait_group(
      std::string_view name, runtime::Location here) override;
  [[nodiscard]] runtime::Owned<runtime::CellBackend> make_cell(std::string_view name,
                                                               runtime::Location here) override;
  [[nodiscard]] std::shared_ptr<runtime::ChannelBackend> make_channel(
      std::size_t capacity, std::string_view name, runtime::Location here) override;
  [[nodiscard]] runtime::Owned<runtime::TimerBackend> make_timer(
      std::shared_ptr<runtime::ChannelBackend> channel, std::optional<runtime::Duration> delay,
      std::optional<runtime::Duration> period, runtime::Location here) override;

  std::optional<std::size_t> select(std::span<runtime::SelectCase> cases, bool blocking,
                                    runtime::Location here) override;
  [[nodiscard]] std::uint64_t seed_for(std::string_view purpose) override;
  [[nodiscard]] std::size_t choose(std::size_t options, std::string_view what) override;
  [[nodiscard]] runtime::Order order(std::size_t size, std::string_view what) override;
  void label(std::string_view text) override;
  void note(const runtime::Note& note) override;
  void log(runtime::LogLevel level, std::string_view text) override;
  [[nodiscard]] bool checks() const override;

  /// The names of the tasks that were spawned here, that have not ended yet.
  [[nodiscard]] const std::map<std::uint64_t, std::string>& unfinished() const {
    return *unfinished_;
  }
  /// To be called when a world begins: what was left of the last one is gone.
  void forget_unfinished() { unfinished_->clear(); }

 private:
  template <typename Remote, auto make_primitive>
  [[nodiscard]] auto made(std::string_view name, runtime::Location here);
  [[nodiscard]] RemoteArm remote_arm(runtime::SelectCase& arm);
  [[nodiscard]] runtime::AnyValue received(const runtime::SelectCase& arm, std::uint64_t value);

  Host& host_;
  /// Tasks that were spawned here. What is kept of a task may outlive this.
  std::shared_ptr<std::map<std::uint64_t, std::string>> unfinished_ =
      std::make_shared<std::map<std::uint64_t, std::string>>();
  std::unordered_map<std::uint64_t, runtime::AnyValue> values_;  ///< that are in channels
  std::uint64_t next_value_ = 0;
  std::uint64_t next_object_ = kFirstPrimitive;  ///< of the judge's world
};

}  // namespace watchlab::course
