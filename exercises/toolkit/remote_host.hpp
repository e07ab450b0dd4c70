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

/// The process that runs what a student wrote: it carries out calls of the judge, each on a fiber
/// of its own, and every operation on the runtime is done by the judge. A student's library waits
/// for calls (`serve`); nothing that happens in here decides a verdict then, the judge compares
/// what comes back. A student's tests ask the judge to play worlds (`request` outside of every
/// call), and serve it meanwhile.
class Host final : public Peer {
 public:
  /// That of a program that runs a student's tests.
  static Host& of_suite();

  explicit Host(int connection);
  ~Host() override;

  /// Serves calls of these functions until the judge closes the connection, and ends the process.
  [[noreturn]] void serve(Dispatch functions);

  /// Has the judge do an operation for the running call; gives its result. Throws `Panic` when it
  /// panicked there, `TaskKilled` when the task is ended.
  [[nodiscard]] std::string request(std::uint64_t object, std::uint32_t method,
                                    std::string_view arguments) override;
  /// It is not waited for: it happens before whatever is asked next.
  void end(std::uint64_t object) override;
  [[nodiscard]] runtime::Runtime& runtime() override { return *runtime_; }
  void set_runtime(runtime::Runtime& /*runtime*/) override {}

  /// Calls one of the methods, which gives no result. It is sent with the next message.
  template <typename Methods, auto method, typename... Arguments>
  void call_later(std::uint64_t object, const Arguments&... arguments) {
    Published published(*this);
    ByteWriter writer;
    Member<method>::write({*this, writer, published}, arguments...);
    write_operation(later_, object, Methods::template number_of<method>(), writer.bytes());
  }

 private:
  struct Call;

  static void write_operation(ByteWriter& writer, std::uint64_t object, std::uint32_t method,
                              std::string_view arguments);
  void carry_out(Call& call);
  void enter(Call& call);
  void begin(std::uint64_t number, ByteReader& reader);
  void send(ToJudge kind, std::uint64_t call, const ByteWriter& rest);
  [[nodiscard]] bool receive();
  [[nodiscard]] std::string ask_outside(const ByteWriter& operation);

  MessageStream connection_;
  std::unique_ptr<runtime::Runtime> runtime_;
  std::unordered_map<std::uint64_t, std::unique_ptr<Call>> calls_;
  Call* running_ = nullptr;
  ByteWriter later_;
  /// What came of what was asked outside of every call.
  std::optional<std::string> outside_result_;
  std::string outside_failure_;
};

/// The main function of a host: serves the functions of the library that `Functions` lists.
template <typename Functions>
void serve_library() {
  Host host(kLibraryDescriptor);
  host.serve(dispatch_of<Functions>(host));
}

}  // namespace watchlab::course
