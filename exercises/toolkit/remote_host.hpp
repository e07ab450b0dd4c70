#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "exercises/toolkit/remote_peer.hpp"
#include "exercises/toolkit/remote_protocol.hpp"

namespace watchlab::course {

/// The process that runs a student's library: it carries out calls of the judge, each on a fiber of
/// its own, and every operation of the library on its runtime is done by the judge. Nothing that
/// happens in here decides a verdict; the judge compares what comes back.
class Host final : public Peer {
 public:
  /// `functions` are those of the library.
  Host(int connection, Dispatch functions);
  ~Host() override;

  /// Serves calls until the judge closes the connection, and ends the process.
  [[noreturn]] void serve();

  [[nodiscard]] std::string request(std::uint64_t object, std::uint32_t method,
                                    std::string_view arguments) override;
  [[nodiscard]] runtime::Runtime& runtime() override { return *runtime_; }
  void set_runtime(runtime::Runtime& /*runtime*/) override {}

  /// Has the judge do an operation for the running call; gives its result. Throws `Panic` when it
  /// panicked there, `TaskKilled` when the task is ended.
  std::string operate(Operation operation, std::string_view arguments);
  /// An operation without a result; it is sent with the next message.
  void operate_later(Operation operation, std::string_view arguments);

 private:
  struct Call;

  void carry_out(Call& call);
  void enter(Call& call);
  void send(ToJudge kind, const Call& call, const ByteWriter& rest);
  [[nodiscard]] bool receive();

  int connection_;
  std::unique_ptr<runtime::Runtime> runtime_;
  std::unordered_map<std::uint64_t, std::unique_ptr<Call>> calls_;
  Call* running_ = nullptr;
  std::string later_;
};

/// The main function of a host: serves the functions of the library `Functions` lists.
template <typename Functions>
int serve_library() {
  Host* self = nullptr;
  int nothing = 0;
  Host host(library_descriptor, [&](std::uint32_t method, ByteReader& reader) {
    return Functions::run(nothing, method, *self, reader);
  });
  self = &host;
  host.serve();
}

}  // namespace watchlab::course
