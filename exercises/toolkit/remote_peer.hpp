#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <unordered_map>
#include <utility>
#include <vector>

#include "core/runtime/runtime.hpp"
#include "exercises/toolkit/remote_codec.hpp"

/// Calls from one process into another. A test program that judges a library must not share memory
/// with it: whoever can write there can write the verdict. So the library runs in a process of its
/// own, and both sides call functions of an interface as if it were at home.
namespace watchlab::course {

/// To be specialised for each interface that is called across: `Proxy` is a class that stands for
/// an object of the other process (see `Remote`).
template <typename Interface>
struct RemoteTraits;

/// Method number for the end of an object that the other side owns.
inline constexpr std::uint32_t kDestroy = UINT32_MAX;

/// One end of the connection. It knows what this side has published, under numbers that are never
/// used twice, and how to call what the other side has. For the tasks of one OS thread.
class Peer {
 public:
  /// Runs method number `method` with the arguments, and gives its result.
  using Dispatch = std::function<std::string(std::uint32_t method, ByteReader& arguments)>;

  Peer() = default;
  Peer(const Peer&) = delete;
  Peer& operator=(const Peer&) = delete;
  virtual ~Peer() = default;

  /// Calls an object of the other side and waits for the result. Throws what the call has thrown.
  [[nodiscard]] virtual std::string request(std::uint64_t object, std::uint32_t method,
                                            std::string_view arguments) = 0;
  /// Here: where the library's operations go. There: what the library is given.
  [[nodiscard]] virtual runtime::Runtime& runtime() = 0;
  virtual void set_runtime(runtime::Runtime& runtime) = 0;

  std::uint64_t publish(Dispatch dispatch);
  void withdraw(std::uint64_t object) { published_.erase(object); }
  /// Throws `BrokenProtocol` when there is no such object.
  [[nodiscard]] std::string dispatch(std::uint64_t object, std::uint32_t method,
                                     std::string_view arguments);

  /// An object that both sides know stays one object: where it comes back, it is the same pointer.
  void write(ByteWriter& writer, const api::ObjectPtr& object);
  [[nodiscard]] api::ObjectPtr read(ByteReader& reader);

 protected:
  /// Forgets all objects and all that is published but the number 0.
  void forget_all();

  bool defines_ = false;  ///< whether this side gives objects their numbers

 private:
  std::unordered_map<std::uint64_t, Dispatch> published_;
  std::uint64_t next_ = 0;
  std::unordered_map<const api::Object*, std::uint64_t> numbers_;
  std::vector<api::ObjectPtr> objects_;
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

template <typename T>
concept CalledAcross = requires { typename RemoteTraits<std::remove_cvref_t<T>>::Proxy; };

template <typename Interface>
using ProxyOf = typename RemoteTraits<std::remove_cvref_t<Interface>>::Proxy;

/// How an argument or a result of type `T` travels: `write(peer, writer, value, published)` and
/// `read(peer, reader, published)`. To be specialised for an exercise's own types.
template <typename T>
struct Coded;

/// Interfaces and the runtime travel as references, everything else as a copy.
template <typename T>
using Carried =
    std::conditional_t<CalledAcross<T> || std::is_same_v<std::remove_cvref_t<T>, runtime::Runtime>,
                       std::remove_reference_t<T>&, std::remove_cvref_t<T>>;

template <typename T>
  requires(std::is_integral_v<T> || std::is_enum_v<T>)
struct Coded<T> {
  static void write(Peer& /*peer*/, ByteWriter& writer, T value, Published& /*published*/) {
    writer.number(static_cast<std::uint64_t>(value));
  }
  static T read(Peer& /*peer*/, ByteReader& reader, Published& /*published*/) {
    return static_cast<T>(reader.number());
  }
};

template <>
struct Coded<std::string> {
  static void write(Peer& /*peer*/, ByteWriter& writer, const std::string& text,
                    Published& /*published*/) {
    writer.text(text);
  }
  static std::string read(Peer& /*peer*/, ByteReader& reader, Published& /*published*/) {
    return std::string(reader.text());
  }
};

template <>
struct Coded<api::ObjectPtr> {
  static void write(Peer& peer, ByteWriter& writer, const api::ObjectPtr& object,
                    Published& /*published*/) {
    peer.write(writer, object);
  }
  static api::ObjectPtr read(Peer& peer, ByteReader& reader, Published& /*published*/) {
    return peer.read(reader);
  }
};

template <typename T>
struct Coded<std::vector<T>> {
  static void write(Peer& peer, ByteWriter& writer, const std::vector<T>& values,
                    Published& published) {
    writer.number(values.size());
    for (const T& value : values) {
      Coded<T>::write(peer, writer, value, published);
    }
  }
  static std::vector<T> read(Peer& peer, ByteReader& reader, Published& published) {
    std::vector<T> values;
    for (std::uint64_t left = reader.number(); left > 0; --left) {
      values.push_back(Coded<T>::read(peer, reader, published));
    }
    return values;
  }
};

template <>
struct Coded<runtime::Runtime&> {
  static void write(Peer& peer, ByteWriter& /*writer*/, runtime::Runtime& runtime,
                    Published& /*published*/) {
    peer.set_runtime(runtime);
  }
  static runtime::Runtime& read(Peer& peer, ByteReader& /*reader*/, Published& /*published*/) {
    return peer.runtime();
  }
};

/// Calls `function` with arguments that are read, and gives the result as bytes.
template <typename Result, typename... Arguments, typename Function>
std::string call_here(Peer& peer, ByteReader& reader, const Function& function) {
  Published published(peer);
  ByteWriter writer;
  // Braces, because they are read in this order.
  std::tuple<Carried<Arguments>...> arguments{
      Coded<Carried<Arguments>>::read(peer, reader, published)...};
  if constexpr (std::is_void_v<Result>) {
    std::apply(function, std::move(arguments));
  } else {
    Coded<std::remove_cvref_t<Result>>::write(
        peer, writer, std::apply(function, std::move(arguments)), published);
  }
  return writer.take();
}

/// Calls a method of an object of the other side.
template <typename Result, typename... Arguments>
Result call_there(Peer& peer, std::uint64_t object, std::uint32_t method,
                  const Carried<Arguments>&... arguments) {
  Published published(peer);
  ByteWriter writer;
  (Coded<Carried<Arguments>>::write(peer, writer, arguments, published), ...);
  const std::string bytes = peer.request(object, method, writer.bytes());
  ByteReader reader(bytes);
  if constexpr (!std::is_void_v<Result>) {
    return Coded<std::remove_cvref_t<Result>>::read(peer, reader, published);
  }
}

/// A function is called where it was made, until the call that it was an argument of has ended.
template <typename Result, typename... Arguments>
struct Coded<std::function<Result(Arguments...)>> {
  using Function = std::function<Result(Arguments...)>;

  static void write(Peer& peer, ByteWriter& writer, const Function& function,
                    Published& published) {
    writer.number(published.add([&peer, function](std::uint32_t /*method*/, ByteReader& reader) {
      return call_here<Result, Arguments...>(peer, reader, function);
    }));
  }
  static Function read(Peer& peer, ByteReader& reader, Published& /*published*/) {
    const std::uint64_t number = reader.number();
    return [&peer, number](Arguments... arguments) -> Result {
      return call_there<Result, Arguments...>(peer, number, 0, arguments...);
    };
  }
};

template <auto member>
struct Member;
template <typename Result, typename Owner, typename... Arguments,
          Result (Owner::*member)(Arguments...)>
struct Member<member> {
  static std::string run(Owner& owner, Peer& peer, ByteReader& reader) {
    return call_here<Result, Arguments...>(
        peer, reader, [&owner](auto&&... each) -> Result { return (owner.*member)(each...); });
  }
  static Result call(Peer& peer, std::uint64_t object, std::uint32_t method,
                     const Carried<Arguments>&... each) {
    return call_there<Result, Arguments...>(peer, object, method, each...);
  }
};
template <typename Result, typename Owner, typename... Arguments,
          Result (Owner::*member)(Arguments...) const>
struct Member<member> {
  static std::string run(const Owner& owner, Peer& peer, ByteReader& reader) {
    return call_here<Result, Arguments...>(
        peer, reader, [&owner](auto&&... each) -> Result { return (owner.*member)(each...); });
  }
  static Result call(Peer& peer, std::uint64_t object, std::uint32_t method,
                     const Carried<Arguments>&... each) {
    return call_there<Result, Arguments...>(peer, object, method, each...);
  }
};
template <typename Result, typename... Arguments, Result (*function)(Arguments...)>
struct Member<function> {
  template <typename Nothing>
  static std::string run(Nothing& /*nothing*/, Peer& peer, ByteReader& reader) {
    return call_here<Result, Arguments...>(peer, reader, function);
  }
  static Result call(Peer& peer, std::uint64_t object, std::uint32_t method,
                     Carried<Arguments>... each) {
    return call_there<Result, Arguments...>(peer, object, method, each...);
  }
};

/// The methods of an interface, or the functions of a library, in an order that both sides know.
template <auto... members>
struct Methods {
  template <auto wanted>
  [[nodiscard]] static constexpr std::uint32_t number_of() {
    std::uint32_t number = 0;
    const bool found =
        ((std::is_same_v<Member<members>, Member<wanted>> || (++number, false)) || ...);
    static_assert((std::is_same_v<Member<members>, Member<wanted>> || ...), "not a listed method");
    return found ? number : 0;
  }
  template <typename Owner>
  [[nodiscard]] static std::string run(Owner& owner, std::uint32_t method, Peer& peer,
                                       ByteReader& reader) {
    std::string result;
    std::uint32_t number = 0;
    const bool found =
        ((number++ == method && (result = Member<members>::run(owner, peer, reader), true)) || ...);
    if (!found) {
      throw BrokenProtocol("there is no such method");
    }
    return result;
  }
};

/// Base of proxies: an object of the other process, which ends there when this ends, if this is how
/// it was handed over. `members` are the methods that can be called.
template <typename Interface, auto... members>
class Remote : public Interface {
 public:
  using Methods = course::Methods<members...>;

  Remote(Peer& peer, std::uint64_t object, bool is_owned, Published used)
      : peer_(peer), object_(object), is_owned_(is_owned), used_(std::move(used)) {}
  Remote(const Remote&) = delete;
  Remote& operator=(const Remote&) = delete;
  ~Remote() override {
    if (is_owned_) {
      try {
        static_cast<void>(peer_.request(object_, kDestroy, ""));
      } catch (...) {
        // The world is being taken down, or the library has ended: nobody can be told any more.
      }
    }
  }

 protected:
  template <auto member, typename... Arguments>
  auto call(Arguments&&... arguments) const {
    return Member<member>::call(peer_, object_, Methods::template number_of<member>(),
                                std::forward<Arguments>(arguments)...);
  }

 private:
  Peer& peer_;
  std::uint64_t object_;
  bool is_owned_;
  Published used_;
};

/// An interface that is handed over with its life.
template <CalledAcross Interface>
struct Coded<std::unique_ptr<Interface>> {
  static void write(Peer& peer, ByteWriter& writer, std::unique_ptr<Interface> object,
                    Published& /*published*/) {
    const auto kept = std::make_shared<std::unique_ptr<Interface>>(std::move(object));
    writer.number(peer.publish([&peer, kept](std::uint32_t method, ByteReader& reader) {
      if (method == kDestroy) {
        kept->reset();
        return std::string();
      }
      if (*kept == nullptr) {
        throw BrokenProtocol("an object is used after its end");
      }
      return ProxyOf<Interface>::Methods::run(**kept, method, peer, reader);
    }));
  }
  static std::unique_ptr<Interface> read(Peer& peer, ByteReader& reader, Published& published) {
    return std::make_unique<ProxyOf<Interface>>(peer, reader.number(), true, std::move(published));
  }
};

/// An interface that is lent: to a function for the call, to a made object for its life.
template <CalledAcross Interface>
struct Coded<Interface&> {
  static void write(Peer& peer, ByteWriter& writer, Interface& object, Published& published) {
    writer.number(published.add([&peer, &object](std::uint32_t method, ByteReader& reader) {
      return ProxyOf<Interface>::Methods::run(object, method, peer, reader);
    }));
  }
  /// The proxy stays for good: nobody here knows how long it is used.
  static Interface& read(Peer& peer, ByteReader& reader, Published& /*published*/) {
    return *new ProxyOf<Interface>(peer, reader.number(), false, Published(peer));
  }
};

}  // namespace watchlab::course
