#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include "exercises/toolkit/peer.hpp"

/// Calls from one process into another. Who judges must not share memory with what is judged:
/// whoever can write there can write the verdict, and tests that can look at the library under test
/// need not test it. So what a student wrote runs in a process of its own, and both sides call
/// functions of an interface as if it were at home.
namespace watchlab::course {

/// To be specialised for each interface that is called across: `Proxy` is a class that stands for
/// an object of the other process (see `Remote`).
template <typename Interface>
struct RemoteTraits;

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

/// A function is called where it was made, by its number there.
template <typename Result, typename... Arguments>
struct CodedFunction {
  using Function = std::function<Result(Arguments...)>;

  static Peer::Dispatch dispatch_of(Peer& peer, const Function& function) {
    return [&peer, function](std::uint32_t /*method*/, ByteReader& reader) {
      return call_here<Result, Arguments...>(peer, reader, function);
    };
  }
  static Function read(Peer& peer, ByteReader& reader, Published& /*published*/) {
    const std::uint64_t number = reader.number();
    return [&peer, number](Arguments... arguments) -> Result {
      return call_there<Result, Arguments...>(peer, number, 0, arguments...);
    };
  }
};

/// It can be called until the call that it was an argument of has ended.
template <typename Result, typename... Arguments>
struct Coded<std::function<Result(Arguments...)>> : CodedFunction<Result, Arguments...> {
  static void write(Peer& peer, ByteWriter& writer,
                    const std::function<Result(Arguments...)>& function, Published& published) {
    writer.number(published.add(CodedFunction<Result, Arguments...>::dispatch_of(peer, function)));
  }
};

/// One that is kept over there can be called until the run is over.
template <typename Result, typename... Arguments>
struct FunctionForARun : CodedFunction<Result, Arguments...> {
  static void write(Peer& peer, ByteWriter& writer,
                    const std::function<Result(Arguments...)>& function, Published& /*published*/) {
    writer.number(peer.publish(CodedFunction<Result, Arguments...>::dispatch_of(peer, function)));
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
        peer_.end(object_);
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
    const auto kept = std::make_shared<std::shared_ptr<Interface>>(std::move(object));
    writer.number(peer.publish([&peer, kept](std::uint32_t method, ByteReader& reader) {
      if (method == kDestroy) {
        kept->reset();
        return std::string();
      }
      const std::shared_ptr<Interface> used = *kept;  // it may be ended while it is used
      if (used == nullptr) {
        throw BrokenProtocol("an object is used after its end");
      }
      return ProxyOf<Interface>::Methods::run(*used, method, peer, reader);
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

/// Calls a function of the library under test; `Functions` lists them.
template <auto function, typename Functions, typename... Arguments>
auto call_library(Arguments&&... arguments) {
  return Member<function>::call(Peer::of_library(), 0, Functions::template number_of<function>(),
                                std::forward<Arguments>(arguments)...);
}

template <typename Functions>
[[nodiscard]] Peer::Dispatch dispatch_of(Peer& peer) {
  return [&peer](std::uint32_t method, ByteReader& reader) {
    int nothing = 0;
    return Functions::run(nothing, method, peer, reader);
  };
}

}  // namespace watchlab::course
