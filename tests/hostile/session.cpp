// A client that sends whatever it likes over one connection, in pieces of any size, to the server
// that `watchlab serve` runs; only the sockets are left out.
#include <boost/json.hpp>
#include <memory>
#include <stdexcept>
#include <string>

#include "core/api/json.hpp"
#include "sim/http/http_session.hpp"
#include "sim/network/http_names.hpp"
#include "tests/hostile/readers.hpp"

namespace watchlab::hostile {

namespace {

/// Takes what the session says, and says it back when it is asked to.
class Wire : public sim::SessionWire {
 public:
  void send(std::string bytes) override { sent += bytes; }
  void finish() override { over = true; }
  void cut() override { over = true; }
  void wake_at(runtime::TimePoint /*time*/) override {}
  void ring() override { rung = true; }
  [[nodiscard]] std::size_t unsent() const override { return 0; }

  std::string sent;
  bool over = false;
  bool rung = false;
};

/// What the server keeps must be JSON to any reader: clients see it, and records hold it.
class StrictReader : public sim::ExchangeObserver {
 public:
  void changed(const sim::Exchange& /*exchange*/) override {}
  void wrote(const sim::Change& change) override {
    constexpr std::size_t kDepthMax = 128;
    (void)boost::json::parse(api::to_json(*change.object), {}, {.max_depth = kDepthMax});
  }
};

/// Answers the session's bells, at most so often: a watch may ring for each of its events.
void settle(sim::HttpSession& session, Wire& wire) {
  constexpr int kRings = 1000;
  for (int i = 0; i < kRings && std::exchange(wire.rung, false); ++i) {
    session.on_ring();
  }
}

/// What the server said must be HTTP, response by response, whatever it was sent. The last one may
/// be a watch that is open.
std::size_t count_responses(std::string bytes) {
  std::size_t count = 0;
  while (!bytes.empty()) {
    sim::HttpResponseReader reader;
    std::size_t taken = 0;
    while (taken < bytes.size() && !reader.done()) {
      if (!reader.feed(std::string_view(bytes).substr(taken++, 1)).ok()) {
        throw std::logic_error("the server's answer is no HTTP");
      }
    }
    if (!reader.head()) {
      throw std::logic_error("the server's answer has no head");
    }
    bytes.erase(0, taken);
    ++count;
  }
  return count;
}

std::string post(const std::string& target, const std::string& fields, const std::string& body) {
  return "POST " + target + " HTTP/1.1\r\nHost: a\r\n" + fields +
         "Content-Length: " + std::to_string(body.size()) + "\r\n\r\n" + body;
}

std::string get(const std::string& target, const std::string& fields = "") {
  return "GET " + target + " HTTP/1.1\r\nHost: a\r\n" + fields + "\r\n";
}

}  // namespace

std::string play_session(std::string_view bytes) {
  if (bytes.empty()) {
    return "nothing";
  }
  const std::size_t piece = static_cast<unsigned char>(bytes.front()) + std::size_t{1};
  bytes.remove_prefix(1);
  sim::HttpFront front({.observer = std::make_shared<StrictReader>()});
  Wire wire;
  sim::HttpSession session(front, wire, {.body_max = std::size_t{1} << 20});
  session.on_start();
  while (!bytes.empty() && !wire.over && session.wants_input()) {
    session.on_bytes(bytes.substr(0, piece));
    bytes.remove_prefix(std::min(piece, bytes.size()));
    settle(session, wire);
  }
  session.on_end_of_input();
  settle(session, wire);
  if (wire.sent.find("this is a bug of watchlab") != std::string::npos) {
    throw std::logic_error("the server caught a mistake of its own: " + wire.sent);
  }
  return "responses: " + std::to_string(count_responses(wire.sent));
}

std::vector<std::string> session_seeds() {
  const std::string maps = "/api/v1/namespaces/default/configmaps";
  const std::string object = R"({"kind":"ConfigMap","metadata":{"name":"a"},"data":{"k":"1"}})";
  const std::string create = post(maps, "", object);
  const std::string protobuf(
      "k8s\0\x0a\x0f\x0a\x02v1\x12\x09"
      "ConfigMap\x12\x05\x0a\x03\x0a\x01p",
      28);
  // The first byte is the size of the pieces, less one.
  return {
      "\x0f" + create + get(maps + "?watch=true&allowWatchBookmarks=true"),
      "\x06" + create + create + get(maps + "?limit=1", "Accept-Encoding: gzip\r\n"),
      "\xff" +
          get("/api",
              "Accept: application/json;g=apidiscovery.k8s.io;v=v2;"
              "as=APIGroupDiscoveryList,application/json\r\n") +
          get("/openapi/v3/api/v1") + get("/version") + get("/readyz"),
      "\x20" + create +
          get(maps, "Accept: application/json;as=Table;v=v1;g=meta.k8s.io,application/json\r\n"),
      "\x1f" + post(maps, "Content-Type: application/vnd.kubernetes.protobuf\r\n", protobuf) +
          get(maps + "/p"),
      "\x09POST " + maps + " HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n3d\r\n" + object +
          "\r\n0\r\n\r\n" + get(maps),
      "\x40" + create + "PATCH " + maps +
          "/a HTTP/1.1\r\nContent-Type: application/apply-patch+yaml\r\nContent-Length: 34\r\n\r\n"
          R"({"apiVersion":"v1","data":{"k":2}})" +
          "DELETE " + maps + "/a HTTP/1.1\r\n\r\n",
      "\x30" +
          post("/apis/apps/v1/namespaces/default/deployments", "",
               R"({"metadata":{"name":"w"},"spec":{"replicas":1}})") +
          get("/apis/apps/v1/namespaces/default/deployments/w/scale"),
      "\x7f" +
          post("/api/v1/namespaces/default/pods", "",
               R"({"metadata":{"name":"h"},"spec":{"v":"\ud83d","n":1e999}})") +
          post("/api/v1/namespaces/default/pods", "",
               R"({"metadata":{"name":"i"},"spec":{"v":"\udc00\\ud800"}})") +
          get("/api/v1/pods"),
      "\x02PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
      "\x08" + get("/api/v1/namespaces/%2e%2e/configmaps") + get("//api//v1//pods?&limit=%zz"),
      "\x11" + get("/api/v1/pods?watch=true&timeoutSeconds=1&sendInitialEvents=true&"
                   "resourceVersionMatch=NotOlderThan",
                   "Connection: close\r\n")};
}

}  // namespace watchlab::hostile
