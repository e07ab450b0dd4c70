#pragma once

#include <cstdint>
#include <exception>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <variant>

#include "exercises/toolkit/remote_peer.hpp"
#include "exercises/toolkit/remote_protocol.hpp"

namespace watchlab::course {

/// The library that a test program judges, in a process of its own (see `Host`). Its calls and the
/// operations that it asks for happen in the world of the calling task, so that every lock of the
/// library is a scheduling point here. What the library sends is checked: the worst that it can
/// achieve is that the case at hand fails.
class RemoteLibrary final : public Peer {
 public:
  /// The program's own, because tests call factories that get a runtime and nothing else.
  static RemoteLibrary& of_program();

  explicit RemoteLibrary(int connection);

  /// Another world begins: nothing of the one before is used any more.
  void begin_run();

  [[nodiscard]] std::string request(std::uint64_t object, std::uint32_t method,
                                    std::string_view arguments) override;
  [[nodiscard]] runtime::Runtime& runtime() override { return *runtime_; }
  void set_runtime(runtime::Runtime& runtime) override { runtime_ = &runtime; }

 private:
  struct Channel {
    std::shared_ptr<runtime::ChannelBackend> backend;
    bool has_moments = false;
  };
  using Handle = std::variant<
      runtime::Owned<runtime::MutexBackend>, runtime::Owned<runtime::SharedMutexBackend>,
      runtime::Owned<runtime::CondVarBackend>, runtime::Owned<runtime::WaitGroupBackend>,
      runtime::Owned<runtime::CellBackend>, Channel, runtime::Owned<runtime::TimerBackend>,
      std::shared_ptr<runtime::TaskBackend>>;
  using Handles = std::unordered_map<std::uint64_t, Handle>;

  void send(ToHost kind, std::uint64_t call, std::string_view text);
  [[nodiscard]] std::string follow(std::uint64_t call);
  void answer(std::uint64_t call, ByteReader& message, std::exception_ptr& killed_by);
  [[nodiscard]] std::string operate(Operation operation, ByteReader& arguments);
  void make(Operation operation, ByteReader& arguments);
  [[nodiscard]] std::string use_lock(Operation operation, ByteReader& arguments);
  [[nodiscard]] std::string use_other(Operation operation, ByteReader& arguments);
  [[nodiscard]] std::string spawn(ByteReader& arguments);
  [[nodiscard]] std::string select(ByteReader& arguments);
  [[nodiscard]] std::string order(ByteReader& arguments);
  [[nodiscard]] bool catch_up(std::string_view operations, std::exception_ptr& killed_by);
  void operate_without_result(std::string_view operations);

  void keep(std::uint64_t number, Handle handle);
  template <typename T>
  [[nodiscard]] T& at(std::uint64_t number);
  [[nodiscard]] std::shared_ptr<runtime::TaskBackend> task_at(std::uint64_t number);
  [[nodiscard]] std::shared_ptr<runtime::ChannelBackend> channel_at(std::uint64_t number);

  int connection_;
  runtime::Runtime* runtime_ = nullptr;
  std::uint64_t next_call_ = 0;
  Handles handles_;
};

/// Calls a function of the library; `Functions` lists them.
template <auto function, typename Functions, typename... Arguments>
auto call_library(Arguments&&... arguments) {
  return Member<function>::call(RemoteLibrary::of_program(), 0,
                                Functions::template number_of<function>(),
                                std::forward<Arguments>(arguments)...);
}

}  // namespace watchlab::course
