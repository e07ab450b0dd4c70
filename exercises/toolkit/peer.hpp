#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "core/api/object.hpp"
#include "core/runtime/interface.hpp"
#include "core/runtime/runtime.hpp"
#include "exercises/toolkit/remote_codec.hpp"

namespace watchlab::course {

/// Method number for the end of an object that the other side owns.
inline constexpr std::uint32_t kDestroy = UINT32_MAX;

/// One end of the connection. It knows what this side has published, under numbers that are never
/// used twice, and how to call what the other side has. For the tasks of one OS thread.
class Peer : public runtime::Interface {
 public:
  /// Runs method number `method` with the arguments, and gives its result.
  using Dispatch = std::function<std::string(std::uint32_t method, ByteReader& arguments)>;

  /// The end of the connection through which this program calls the library under test.
  static Peer& of_library();

  /// Calls an object of the other side and waits for the result. Throws what the call has thrown.
  [[nodiscard]] virtual std::string request(std::uint64_t object, std::uint32_t method,
                                            std::string_view arguments) = 0;
  /// Ends an object of the other side that this side owns.
  virtual void end(std::uint64_t object) { static_cast<void>(request(object, kDestroy, "")); }
  /// Here: where the library's operations go. There: what the library is given.
  [[nodiscard]] virtual runtime::Runtime& runtime() = 0;
  virtual void set_runtime(runtime::Runtime& runtime) = 0;

  std::uint64_t publish(Dispatch dispatch);
  /// What has been published so far stays through all runs.
  void keep_published() { kept_below_ = next_; }
  void withdraw(std::uint64_t object) { published_.erase(object); }
  /// Throws `BrokenProtocol` when there is no such object; to end what has ended is allowed.
  [[nodiscard]] std::string dispatch(std::uint64_t object, std::uint32_t method,
                                     std::string_view arguments);

  /// An object that both sides know stays one object: where it comes back, it is the same pointer.
  void write(ByteWriter& writer, const api::ObjectPtr& object);
  [[nodiscard]] api::ObjectPtr read(ByteReader& reader);

 protected:
  /// Forgets all objects, and all that was published since `keep_published`. What is published in a
  /// world may end only there: what is left of a destroyed world must never be ended.
  enum class Left : std::uint8_t { Ends, Stays };
  void forget_all(Left left);
  /// Sends objects as new ones from now on, because the other side may have missed some.
  void send_all_anew() { sent_numbers_.clear(); }

 private:
  std::unordered_map<std::uint64_t, Dispatch> published_;
  std::uint64_t next_ = 0;
  std::uint64_t kept_below_ = 0;
  std::unordered_map<std::uint64_t, api::ObjectPtr> sent_, received_;  ///< by the sender's numbers
  std::unordered_map<const api::Object*, std::uint64_t> sent_numbers_, received_numbers_;
  std::uint64_t next_object_ = 0;
};

/// What a call publishes for as long as its result can use it.
class Published {
 public:
  explicit Published(Peer& peer) : peer_(&peer) {}
  Published(Published&& other) noexcept
      : peer_(other.peer_), numbers_(std::exchange(other.numbers_, {})) {}
  Published& operator=(Published&&) = delete;
  ~Published() {
    for (const std::uint64_t number : numbers_) {
      peer_->withdraw(number);
    }
  }

  std::uint64_t add(Peer::Dispatch dispatch) {
    return numbers_.emplace_back(peer_->publish(std::move(dispatch)));
  }

 private:
  Peer* peer_;
  std::vector<std::uint64_t> numbers_;
};

}  // namespace watchlab::course
