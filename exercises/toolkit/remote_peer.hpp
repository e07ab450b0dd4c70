#pragma once

#include <bit>
#include <boost/pfr.hpp>
#include <cstdint>
#include <exception>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include "exercises/toolkit/peer.hpp"

/// Calls from one process into another. The judge must not share memory with what is judged:
/// code that can write there can write the verdict, and tests that can look at the library under
/// test need not test it. So what a student wrote runs in a process of its own, and both sides call
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

/// What the values of a call are written with.
struct Outgoing {
  Peer& peer;
  ByteWriter& bytes;
  Published& published;  ///< gets what lives as long as the result can use it
};

/// What they are read with.
struct Incoming {
  Peer& peer;
  ByteReader& bytes;
  Published& published;
};

/// How an argument or a result of type `T` travels: `write(outgoing, value)` and `read(incoming)`.
/// To be specialised for what is no record, text or number.
template <typename T>
struct Coded;

/// Interfaces and the runtime travel as references, everything else as a copy.
template <typename T>
using Carried =
    std::conditional_t<CalledAcross<T> || std::is_same_v<std::remove_cvref_t<T>, runtime::Runtime>,
                       std::remove_reference_t<T>&, std::remove_cvref_t<T>>;

/// How many values an enumeration has, where another one must not get in.
template <typename T>
inline constexpr std::uint64_t kValuesOf = UINT64_MAX;
template <>
inline constexpr std::uint64_t kValuesOf<runtime::AccessKind> = 3;
template <>
inline constexpr std::uint64_t kValuesOf<runtime::LogLevel> = 4;

template <typename T>
  requires(std::is_integral_v<T> || std::is_enum_v<T>)
struct Coded<T> {
  static void write(const Outgoing& out, T value) {
    out.bytes.number(static_cast<std::uint64_t>(value));
  }
  static T read(const Incoming& in) {
    return static_cast<T>(std::is_enum_v<T> ? in.bytes.number_below(kValuesOf<T>)
                                            : in.bytes.number());
  }
};

template <typename T>
  requires(std::is_same_v<T, runtime::TimePoint> || std::is_same_v<T, runtime::Duration>)
struct Coded<T> {
  static void write(const Outgoing& out, T time) {
    out.bytes.number(std::bit_cast<std::uint64_t>(time));
  }
  static T read(const Incoming& in) { return std::bit_cast<T>(in.bytes.number()); }
};

/// A view is valid as long as the message is.
template <typename T>
  requires(std::is_same_v<T, std::string> || std::is_same_v<T, std::string_view>)
struct Coded<T> {
  static void write(const Outgoing& out, std::string_view text) { out.bytes.text(text); }
  static T read(const Incoming& in) { return T(in.bytes.text()); }
};

template <>
struct Coded<runtime::Location> {
  static void write(const Outgoing& out, runtime::Location here) {
    write_location(out.bytes, here);
  }
  static runtime::Location read(const Incoming& in) { return read_location(in.bytes); }
};

template <>
struct Coded<api::ObjectPtr> {
  static void write(const Outgoing& out, const api::ObjectPtr& object) {
    out.peer.write(out.bytes, object);
  }
  static api::ObjectPtr read(const Incoming& in) { return in.peer.read(in.bytes); }
};

template <typename T>
struct Coded<std::optional<T>> {
  static void write(const Outgoing& out, const std::optional<T>& value) {
    out.bytes.number(value ? 1 : 0);
    if (value) {
      Coded<T>::write(out, *value);
    }
  }
  static std::optional<T> read(const Incoming& in) {
    return in.bytes.number() != 0 ? std::optional<T>(Coded<T>::read(in)) : std::nullopt;
  }
};

template <typename T>
struct Coded<std::vector<T>> {
  static void write(const Outgoing& out, const std::vector<T>& values) {
    out.bytes.number(values.size());
    for (const T& value : values) {
      Coded<T>::write(out, value);
    }
  }
  static std::vector<T> read(const Incoming& in) {
    std::vector<T> values;
    for (std::uint64_t left = in.bytes.number(); left > 0; --left) {
      values.push_back(Coded<T>::read(in));
    }
    return values;
  }
};

/// A record travels member by member.
template <typename T>
  requires std::is_aggregate_v<T>
struct Coded<T> {
  static void write(const Outgoing& out, const T& record) {
    boost::pfr::for_each_field(record, [&out]<typename Member>(const Member& member) {
      Coded<Member>::write(out, member);
    });
  }
  static T read(const Incoming& in) {
    T record;
    boost::pfr::for_each_field(
        record, [&in]<typename Member>(Member& member) { member = Coded<Member>::read(in); });
    return record;
  }
};

template <>
struct Coded<runtime::Runtime&> {
  static void write(const Outgoing& out, runtime::Runtime& runtime) {
    out.peer.set_runtime(runtime);
  }
  static runtime::Runtime& read(const Incoming& in) { return in.peer.runtime(); }
};

/// A function with this result and these arguments, across processes.
template <typename Result, typename... Arguments>
struct Signature {
  /// Calls `function` with arguments that are read, and gives the result as bytes.
  template <typename Function>
  static std::string call_here(Peer& peer, ByteReader& reader, const Function& function) {
    Published published(peer);
    [[maybe_unused]] const Incoming in{peer, reader, published};
    // Braces, because they are read in this order.
    std::tuple<Carried<Arguments>...> arguments{Coded<Carried<Arguments>>::read(in)...};
    ByteWriter writer;
    if constexpr (std::is_void_v<Result>) {
      std::apply(function, std::move(arguments));
    } else {
      Coded<std::remove_cvref_t<Result>>::write({peer, writer, published},
                                                std::apply(function, std::move(arguments)));
    }
    return writer.take();
  }

  static void write(const Outgoing& out, const Carried<Arguments>&... arguments) {
    (Coded<Carried<Arguments>>::write(out, arguments), ...);
  }

  /// Calls a method of an object of the other side.
  static Result call(Peer& peer, std::uint64_t object, std::uint32_t method,
                     const Carried<Arguments>&... arguments) {
    Published published(peer);
    ByteWriter writer;
    write({peer, writer, published}, arguments...);
    const std::string bytes = peer.request(object, method, writer.bytes());
    if constexpr (!std::is_void_v<Result>) {
      using Value = std::remove_cvref_t<Result>;
      if constexpr (std::is_scalar_v<Value> || std::is_same_v<Value, runtime::TimePoint>) {
        if (bytes.empty() && std::uncaught_exceptions() > 0) {
          return Value();  // the task is being ended, and a destructor asks
        }
      }
      ByteReader reader(bytes);
      return Coded<Value>::read({peer, reader, published});
    }
  }
};

/// A function is called where it was made, by its number there.
template <typename Result, typename... Arguments>
struct CodedFunction {
  using Function = std::function<Result(Arguments...)>;

  static Peer::Dispatch dispatch_of(Peer& peer, const Function& function) {
    return [&peer, function](std::uint32_t /*method*/, ByteReader& reader) {
      return Signature<Result, Arguments...>::call_here(peer, reader, function);
    };
  }
  static Function read(const Incoming& in) {
    return [&peer = in.peer, number = in.bytes.number()](Arguments... arguments) -> Result {
      return Signature<Result, Arguments...>::call(peer, number, 0, arguments...);
    };
  }
};

/// It can be called until the call that it was an argument of has ended.
template <typename Result, typename... Arguments>
struct Coded<std::function<Result(Arguments...)>> : CodedFunction<Result, Arguments...> {
  static void write(const Outgoing& out, const std::function<Result(Arguments...)>& function) {
    out.bytes.number(
        out.published.add(CodedFunction<Result, Arguments...>::dispatch_of(out.peer, function)));
  }
};

/// One that is kept over there can be called until the run is over.
template <typename Result, typename... Arguments>
struct FunctionForARun : CodedFunction<Result, Arguments...> {
  static void write(const Outgoing& out, const std::function<Result(Arguments...)>& function) {
    out.bytes.number(
        out.peer.publish(CodedFunction<Result, Arguments...>::dispatch_of(out.peer, function)));
  }
};

/// A method of an owner, or a function, that one side calls and the other runs.
template <auto member, typename Owner, typename Result, typename... Arguments>
struct Method : Signature<Result, Arguments...> {
  static std::string run(Owner& owner, Peer& peer, ByteReader& reader) {
    return Method::call_here(
        peer, reader, [&owner](auto&&... each) -> Result { return (owner.*member)(each...); });
  }
};
template <auto member>
struct Member;
template <typename Result, typename Owner, typename... Arguments,
          Result (Owner::*member)(Arguments...)>
struct Member<member> : Method<member, Owner, Result, Arguments...> {};
template <typename Result, typename Owner, typename... Arguments,
          Result (Owner::*member)(Arguments...) const>
struct Member<member> : Method<member, const Owner, Result, Arguments...> {};
template <typename Result, typename... Arguments, Result (*function)(Arguments...)>
struct Member<function> : Signature<Result, Arguments...> {
  template <typename Nothing>
  static std::string run(Nothing& /*nothing*/, Peer& peer, ByteReader& reader) {
    return Member::call_here(peer, reader, function);
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
  /// Calls one of them, of an object of the other side.
  template <auto wanted, typename... Arguments>
  static auto call(Peer& peer, std::uint64_t object, Arguments&&... arguments) {
    return Member<wanted>::call(peer, object, number_of<wanted>(),
                                std::forward<Arguments>(arguments)...);
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
        // The world is being taken down, or the library has ended: nothing is left to be notified.
      }
    }
  }

 protected:
  template <auto member, typename... Arguments>
  auto call(Arguments&&... arguments) const {
    return Methods::template call<member>(peer_, object_, std::forward<Arguments>(arguments)...);
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
  static void write(const Outgoing& out, std::unique_ptr<Interface> object) {
    const auto kept = std::make_shared<std::shared_ptr<Interface>>(std::move(object));
    out.bytes.number(
        out.peer.publish([&peer = out.peer, kept](std::uint32_t method, ByteReader& reader) {
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
  static std::unique_ptr<Interface> read(const Incoming& in) {
    return std::make_unique<ProxyOf<Interface>>(in.peer, in.bytes.number(), true,
                                                std::move(in.published));
  }
};

/// An interface that is lent: to a function for the call, to a made object for its life.
template <CalledAcross Interface>
struct Coded<Interface&> {
  static void write(const Outgoing& out, Interface& object) {
    out.bytes.number(
        out.published.add([&peer = out.peer, &object](std::uint32_t method, ByteReader& reader) {
          return ProxyOf<Interface>::Methods::run(object, method, peer, reader);
        }));
  }
  /// The proxy stays for good: nothing here knows how long it is used.
  static Interface& read(const Incoming& in) {
    return *new ProxyOf<Interface>(in.peer, in.bytes.number(), false, Published(in.peer));
  }
};

/// Calls a function of the library under test; `Functions` lists them.
template <auto function, typename Functions, typename... Arguments>
auto call_library(Arguments&&... arguments) {
  return Functions::template call<function>(Peer::of_library(), 0,
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
