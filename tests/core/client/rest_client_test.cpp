#include "core/client/rest_client.hpp"

#include <unistd.h>

#include <atomic>
#include <boost/test/unit_test.hpp>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <functional>
#include <future>
#include <string>

#include "core/client/resource_client.hpp"
#include "core/runtime/fibers/fiber_runtime.hpp"
#include "core/runtime/task.hpp"
#include "sim/faults/fault_catalogue.hpp"
#include "tests/core/client/own_server.hpp"
#include "tests/sim/http/served_server.hpp"

using namespace watchlab;
using namespace watchlab::client;
using namespace std::chrono_literals;

BOOST_AUTO_TEST_SUITE(rest_client_test)

namespace {

const std::string kEmptyList = R"({"kind":"ConfigMapList","apiVersion":"v1","items":[]})";

std::string answer_with(const std::string& body) {
  return "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: " +
         std::to_string(body.size()) + "\r\n\r\n" + body;
}

/// Does it in a task of a fiber runtime.
void on_fibers(
    const std::function<void(const IoLoop& loop, const runtime::StopToken& stop)>& body) {
  runtime::FiberRuntime fibers;
  const IoLoop loop(fibers);
  fibers.run([&](runtime::Runtime& runtime) {
    const runtime::StopSource stop(runtime);
    body(loop, stop.token());
  });
}

api::Result<api::ObjectList> list(const std::shared_ptr<RestClient>& rest,
                                  const runtime::StopToken& stop) {
  return HttpListerWatcher(rest, {"", "v1", "configmaps"}).list(stop, {});
}

std::string refusal(const ClientConfig& config) {
  std::string message;
  on_fibers([&](const IoLoop& loop, const runtime::StopToken&) {
    const auto made = RestClient::make(loop, config);
    message = made ? "" : made.error().message;
  });
  return message;
}

}  // namespace

BOOST_AUTO_TEST_CASE(a_connection_is_kept_for_the_next_request) {
  const tests::OwnServer server([](tests::Peer& peer) {
    while (!peer.receive().empty()) {
      (void)peer.send(answer_with(kEmptyList));
    }
  });
  on_fibers([&](const IoLoop& loop, const runtime::StopToken& stop) {
    const auto rest = *RestClient::make(loop, {.server = server.url(false)});
    for (int i = 0; i < 3; ++i) {
      BOOST_TEST(list(rest, stop).ok());
    }
  });
  BOOST_TEST(server.clients() == 1U);
}

BOOST_AUTO_TEST_CASE(a_connection_that_the_server_has_closed_is_replaced) {
  const tests::OwnServer server([](tests::Peer& peer) {
    (void)peer.receive();
    (void)peer.send(answer_with(kEmptyList));
  });
  on_fibers([&](const IoLoop& loop, const runtime::StopToken& stop) {
    const auto rest = *RestClient::make(loop, {.server = server.url(false)});
    for (int i = 0; i < 3; ++i) {
      BOOST_TEST(list(rest, stop).ok());
    }
  });
  BOOST_TEST(server.clients() == 3U);
}

// The server closes after each answer without a word of it, and the next request is on its way.
BOOST_AUTO_TEST_CASE(a_connection_that_is_closed_under_a_request_costs_no_retry) {
  const tests::OwnServer server([](tests::Peer& peer) {
    (void)peer.receive();
    (void)peer.send(answer_with(kEmptyList));
    (void)peer.receive();
  });
  on_fibers([&](const IoLoop& loop, const runtime::StopToken& stop) {
    const auto rest = *RestClient::make(loop, {.server = server.url(false)}, {.retries_max = 0});
    for (int i = 0; i < 3; ++i) {
      BOOST_TEST(list(rest, stop).ok());
    }
  });
  BOOST_TEST(server.clients() == 3U);
}

namespace {

std::string answer_of(int code) {
  const std::string status = R"({"kind":"Status","apiVersion":"v1","status":"Failure","code":)" +
                             std::to_string(code) + "}";
  return "HTTP/1.1 " + std::to_string(code) +
         " Failed\r\nContent-Type: application/json\r\nContent-Length: " +
         std::to_string(status.size()) + "\r\n\r\n" + status;
}

/// How often a server that does this under a write gets it, over a connection that was kept.
std::size_t times_sent(const std::string& method, const std::string& answer) {
  std::atomic<std::size_t> writes = 0;
  const tests::OwnServer server([&](tests::Peer& peer) {
    for (std::string got = peer.receive(); !got.empty(); got = peer.receive()) {
      if (got.starts_with(method + " ")) {
        ++writes;
        (void)peer.send(answer);
        return;
      }
      (void)peer.send(answer_with(kEmptyList));
    }
  });
  on_fibers([&](const IoLoop& loop, const runtime::StopToken& stop) {
    const auto rest = *RestClient::make(loop, {.server = server.url(false)}, {.retries_max = 1});
    BOOST_TEST(list(rest, stop).ok());
    BOOST_TEST(!rest->request(stop, {.method = method, .path = "/api/v1/pods/a", .body = "{}"}));
  });
  return writes;
}

}  // namespace

BOOST_AUTO_TEST_CASE(a_write_is_sent_once_whatever_happens_under_it) {
  for (const std::string method : {"POST", "PUT", "PATCH", "DELETE"}) {
    BOOST_TEST(times_sent(method, "") == 1U, method << " without an answer");
    BOOST_TEST(times_sent(method, "HTTP/1.1 201 Cre") == 1U, method << " with half a head");
    BOOST_TEST(times_sent(method, answer_of(500)) == 1U, method << " with a failure");
  }
}

// What the server has closed is seen before the request leaves: for a write there is no second try.
BOOST_AUTO_TEST_CASE(a_write_takes_no_connection_that_is_closed) {
  std::promise<void> closed;
  std::atomic<std::size_t> writes = 0;
  const tests::OwnServer server([&](tests::Peer& peer) {
    writes += peer.receive().starts_with("POST ") ? 1 : 0;
    (void)peer.send(answer_with(kEmptyList));
    peer.finish();
    if (writes == 0) {
      closed.set_value();
    }
    peer.wait_until_gone();
  });
  on_fibers([&](const IoLoop& loop, const runtime::StopToken& stop) {
    const auto rest = *RestClient::make(loop, {.server = server.url(false)}, {.retries_max = 0});
    BOOST_TEST(list(rest, stop).ok());
    closed.get_future().wait();
    BOOST_TEST(rest->request(stop, {.method = "POST", .path = "/api/v1/pods", .body = "{}"}).ok());
  });
  BOOST_TEST(writes == 1U);
}

BOOST_AUTO_TEST_CASE(a_request_is_sent_again_when_the_server_said) {
  sim::ServedServer served;
  (void)served.add_fault(
      sim::make_fault("fail_requests", {.times = 1},
                      {{"answer", std::string("too_many")}, {"retry_after", std::int64_t{1}}}));
  on_fibers([&](const IoLoop& loop, const runtime::StopToken& stop) {
    const auto rest = *RestClient::make(loop, {.server = served.server.url()});
    BOOST_TEST(list(rest, stop).ok());
  });
  BOOST_TEST(served.front.host()->exchanges().size() == 2U);
}

BOOST_AUTO_TEST_CASE(a_stop_ends_a_request_that_waits) {
  const tests::OwnServer server([](tests::Peer& peer) { peer.wait_until_gone(); });
  on_fibers([&](const IoLoop& loop, const runtime::StopToken&) {
    const auto rest = *RestClient::make(loop, {.server = server.url(false)});
    runtime::StopSource stop(loop.runtime());
    const runtime::Task stopper = runtime::spawn(loop.runtime(), "stopper", [&] {
      runtime::sleep_for(loop.runtime(), 5ms);
      stop.stop();
    });
    BOOST_TEST((list(rest, stop.token()).error().kind == api::ErrorKind::Cancelled));
    stopper.join();
  });
}

BOOST_AUTO_TEST_CASE(no_server_is_a_refusal) {
  on_fibers([&](const IoLoop& loop, const runtime::StopToken& stop) {
    const auto rest = *RestClient::make(loop, {.server = "http://127.0.0.1:1"});
    const api::Error error = list(rest, stop).error();
    BOOST_TEST((error.kind == api::ErrorKind::ConnectionRefused));
    BOOST_TEST(error.message.starts_with("127.0.0.1:1: "));
  });
}

BOOST_AUTO_TEST_CASE(a_token_that_was_replaced_is_read_again) {
  const std::filesystem::path file =
      std::filesystem::temp_directory_path() / ("watchlab-token-" + std::to_string(::getpid()));
  std::ofstream(file) << "old\n";
  const sim::ServedServer served({.token = "new"});
  on_fibers([&](const IoLoop& loop, const runtime::StopToken& stop) {
    const auto rest =
        *RestClient::make(loop, {.server = served.server.url(), .token_file = file.string()});
    BOOST_TEST(list(rest, stop).error().status.code == 401);
    std::ofstream(file) << "new\n";
    BOOST_TEST(list(rest, stop).ok());
  });
  std::filesystem::remove(file);
}

BOOST_AUTO_TEST_CASE(a_token_that_is_missing_for_a_moment_is_the_one_before) {
  const std::filesystem::path file = std::filesystem::temp_directory_path() /
                                     ("watchlab-token-gone-" + std::to_string(::getpid()));
  const sim::ServedServer served({.token = "known"});
  std::ofstream(file) << "known\n";
  on_fibers([&](const IoLoop& loop, const runtime::StopToken& stop) {
    const auto rest = *RestClient::make(
        loop, {.server = served.server.url(), .token_file = file.string()}, {.token_age_max = 0ms});
    BOOST_TEST(list(rest, stop).ok());
    std::filesystem::remove(file);
    BOOST_TEST(list(rest, stop).ok());
    std::ofstream(file) << "other\n";
    BOOST_TEST(list(rest, stop).error().status.code == 401);
  });
  std::filesystem::remove(file);
}

BOOST_AUTO_TEST_CASE(tls_goes_through_a_proxy) {
  const TlsIdentity identity({"server.example"});
  std::string asked;
  const tests::OwnServer proxy([&](tests::Peer& peer) {
    asked = peer.receive();
    (void)peer.send("HTTP/1.1 200 Connection established\r\n\r\n");
    TlsChannel tls(identity);
    for (std::string sealed = peer.receive(); !sealed.empty(); sealed = peer.receive()) {
      if (!tls.open(sealed)->empty()) {
        (void)tls.seal(answer_with(kEmptyList));
      }
      (void)peer.send(tls.take_sealed());
    }
  });
  on_fibers([&](const IoLoop& loop, const runtime::StopToken& stop) {
    const auto rest = *RestClient::make(loop, {.server = "https://server.example:6443",
                                               .authority = identity.authority(),
                                               .proxy = proxy.url(false)});
    BOOST_TEST(list(rest, stop).ok());
  });
  BOOST_TEST(asked.starts_with("CONNECT server.example:6443 HTTP/1.1\r\n"));
}

BOOST_AUTO_TEST_CASE(what_cannot_be_used_is_refused_in_plain_words) {
  BOOST_TEST(refusal({.server = "10.0.0.1:6443"}).starts_with("'10.0.0.1:6443' is no URL"));
  BOOST_TEST(refusal({.server = "https://far", .proxy = "socks5://proxy:1080"})
                 .starts_with("the proxy 'socks5://proxy:1080' cannot be used"));
  BOOST_TEST(refusal({.server = "https://far", .proxy = "http://me:secret@proxy:3128"})
                 .starts_with("the proxy 'http://…@proxy:3128' cannot be used"));
  BOOST_TEST(refusal({.server = "https://far", .token_file = "/absent/token"})
                 .starts_with("/absent/token: cannot be read"));
  BOOST_TEST(refusal({.server = "https://far/prefix/"}) == "");
}

BOOST_AUTO_TEST_SUITE_END()
