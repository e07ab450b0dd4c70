#pragma once

#include <array>
#include <boost/json.hpp>
#include <boost/test/unit_test.hpp>
#include <future>
#include <memory>
#include <string>
#include <thread>
#include <utility>

#include "core/watch/json_frame_decoder.hpp"
#include "sim/http/http_client.hpp"
#include "sim/http/http_server.hpp"
#include "sim/network/http_names.hpp"

namespace watchlab::sim {

/// A server on a thread of its own, on a free port of this machine.
struct ServedServer {
  explicit ServedServer(HttpFrontOptions options = {}, HttpServerOptions place = {})
      : front(std::move(options)), server(front, place), thread([this] { server.run(); }) {}
  ~ServedServer() {
    server.stop();
    thread.join();
  }

  /// Does something on the server's thread, to which the front belongs, and waits for it.
  template <typename Work>
  void there(const Work& work) {
    std::promise<void> done;
    server.post([&] {
      work();
      done.set_value();
    });
    done.get_future().wait();
  }
  FaultId add_fault(FaultRule rule) {
    FaultId fault = 0;
    there([&] { fault = front.host()->add_fault(std::move(rule)); });
    return fault;
  }

  [[nodiscard]] HttpEndpoint endpoint() const {
    HttpEndpoint made = *endpoint_from(server.url());
    made.authority = server.authority();
    return made;
  }

  HttpFront front;
  HttpServer server;
  std::thread thread;
};

/// What a test asks, in few words.
struct Asked {
  std::string type{};    ///< Content-Type; "" for JSON where there is a body
  std::string accept{};  ///< "" for none
  std::string body{};
};

inline HttpRequest http_request(const std::string& method, const std::string& target,
                                const Asked& asked = {}) {
  HttpRequest request{.method = method, .target = target, .body = asked.body};
  request.fields.push_back({"User-Agent", "tester/1.0 (linux)"});
  if (!asked.type.empty() || !asked.body.empty()) {
    request.fields.push_back(
        {"Content-Type", asked.type.empty() ? "application/json" : asked.type});
  }
  if (!asked.accept.empty()) {
    request.fields.push_back({"Accept", asked.accept});
  }
  return request;
}

/// A client with one connection, which it keeps.
struct Tester {
  explicit Tester(const ServedServer& served) : socket(*ClientSocket::connect(served.endpoint())) {}

  HttpAnswer ask(const std::string& method, const std::string& target, const Asked& asked = {}) {
    const api::Result<HttpAnswer> answer = sim::ask(socket, http_request(method, target, asked));
    BOOST_REQUIRE_MESSAGE(
        answer.ok(), method << " " << target << ": " << (answer ? "" : answer.error().message));
    return *answer;
  }
  std::int32_t code(const std::string& method, const std::string& target, const Asked& asked = {}) {
    return ask(method, target, asked).head.code;
  }
  HttpAnswer create(const std::string& name, const std::string& data = "{}") {
    return ask("POST", "/api/v1/namespaces/default/configmaps",
               {.body = R"({"kind":"ConfigMap","apiVersion":"v1","metadata":{"name":")" + name +
                        R"("},"data":)" + data + "}"});
  }

  std::shared_ptr<ClientSocket> socket;
};

/// An open watch: its head was read, its events follow.
struct OpenWatch {
  OpenWatch(const ServedServer& served, const std::string& target, const std::string& accept = {})
      : socket(*ClientSocket::connect(served.endpoint())), body(socket) {
    HttpRequest request = http_request("GET", target, {.accept = accept});
    request.fields.push_back({"Host", "watchlab"});
    BOOST_REQUIRE(socket->write(to_string(request)));
    const api::Result<HttpHead> head = body.read_head();
    BOOST_REQUIRE(head.ok());
    code = head->code;
  }

  /// The next event as JSON; null when the stream has ended, and `failure` says how.
  boost::json::value next() {
    while (true) {
      const api::Result<std::optional<std::string>> frame = framer.next();
      BOOST_REQUIRE(frame.ok());
      if (*frame) {
        return boost::json::parse(**frame);
      }
      std::array<char, 4096> chunk{};
      const api::Result<std::size_t> size = body.read(chunk);
      if (!size || *size == 0) {
        failure = size ? std::nullopt : std::optional(size.error().kind);
        return nullptr;
      }
      framer.feed({chunk.data(), *size});
    }
  }
  std::string next_type() {
    const boost::json::value event = next();
    return event.is_null() ? "end" : std::string(event.at("type").as_string());
  }

  std::shared_ptr<ClientSocket> socket;
  HttpBody body;
  watch::JsonFramer framer;
  std::int32_t code = 0;
  std::optional<api::ErrorKind> failure;
};

/// What a JSON pointer leads to, as text.
inline std::string text_at(const std::string& body, const std::string& pointer) {
  boost::system::error_code failure;
  const boost::json::value value = boost::json::parse(body, failure);
  const boost::json::value* const found = failure ? nullptr : value.find_pointer(pointer, failure);
  if (found == nullptr) {
    return "";
  }
  return found->is_string() ? std::string(found->as_string()) : boost::json::serialize(*found);
}

/// What the server sends until it closes the connection.
inline std::string all_of(const std::shared_ptr<ClientSocket>& socket) {
  std::string text;
  std::array<char, 4096> chunk{};
  while (true) {
    const api::Result<std::size_t> size = socket->read(chunk);
    if (!size || *size == 0) {
      return text;
    }
    text.append(chunk.data(), *size);
  }
}

}  // namespace watchlab::sim
