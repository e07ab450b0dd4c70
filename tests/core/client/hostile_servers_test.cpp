#include <boost/test/unit_test.hpp>
#include <chrono>
#include <functional>
#include <string>

#include "core/client/resource_client.hpp"
#include "core/client/tls_channel.hpp"
#include "core/runtime/fibers/fiber_runtime.hpp"
#include "tests/core/client/own_server.hpp"

// Servers that mean no good: each costs an error and bounded memory.

using namespace watchlab;
using namespace watchlab::client;
using namespace std::chrono_literals;

BOOST_AUTO_TEST_SUITE(hostile_servers_test)

namespace {

const std::string kStream =
    "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n";

/// Of what shall not depend on how busy the machine is, and of what ends by a timeout.
constexpr runtime::Duration kPatient = 60s;
constexpr runtime::Duration kImpatient = 300ms;

RestClientOptions waiting(runtime::Duration longest) {
  return {.retries_max = 0,
          .connect_max = longest,
          .answer_max = longest,
          .idle_max = longest,
          .body_time_max = longest,
          .watch_grace = 0ms,
          .limits = {.body_max = std::size_t{1} << 20},
          .frame_limits = {.bytes_max = std::size_t{1} << 20}};
}

struct Outcomes {
  api::ErrorKind list = api::ErrorKind::Other;
  std::string words;
  std::string watch;  ///< how a watch ends: "empty", its ERROR, or the kind of the failure
  std::size_t sent_most = 0;
};

std::string ending_of(const api::Result<std::shared_ptr<watch::Watcher>>& opened) {
  if (!opened) {
    return opened.error().message;
  }
  std::string ending = "empty";
  while (const std::optional<watch::Event> event = (*opened)->result_channel().receive()) {
    ending = event->status ? event->status->message : "event";
  }
  (*opened)->stop();
  return ending;
}

/// What a client gets out of a server that does that.
Outcomes outcomes(const std::function<void(tests::Peer&)>& behaviour, bool tls = false,
                  const std::string& authority = "", runtime::Duration longest = kPatient) {
  tests::OwnServer server(behaviour);
  Outcomes outcomes;
  runtime::FiberRuntime fibers;
  const IoLoop loop(fibers);
  fibers.run([&](runtime::Runtime& runtime) {
    const auto rest = *RestClient::make(loop, {.server = server.url(tls), .authority = authority},
                                        waiting(longest));
    HttpListerWatcher maps(rest, {"", "v1", "configmaps"});
    const runtime::StopSource stop(runtime);
    const api::Result<api::ObjectList> list = maps.list(stop.token(), {});
    BOOST_REQUIRE(!list.ok());
    outcomes.list = list.error().kind;
    outcomes.words = list.error().message;
    outcomes.watch = ending_of(maps.watch(stop.token(), {.timeout_seconds = 1}));
  });
  outcomes.sent_most = server.sent_most();
  return outcomes;
}

/// What may be on the way in the buffers of the system, beside what the client has taken.
constexpr std::size_t kSlack = std::size_t{24} << 20;

}  // namespace

BOOST_AUTO_TEST_CASE(garbage_is_an_error_of_decoding) {
  const Outcomes seen = outcomes([](tests::Peer& peer) {
    (void)peer.receive();
    (void)peer.send(std::string("\x01\x02\xff garbage\r\n\r\n\0", 16));
  });
  BOOST_TEST((seen.list == api::ErrorKind::Decode));
  BOOST_TEST(seen.words.starts_with("malformed HTTP response"));
  BOOST_TEST(seen.watch.starts_with("malformed HTTP response"));
}

BOOST_AUTO_TEST_CASE(headers_without_end_are_cut_off) {
  const Outcomes seen = outcomes([](tests::Peer& peer) {
    (void)peer.receive();
    bool is_there = peer.send("HTTP/1.1 200 OK\r\n");
    while (is_there) {
      is_there = peer.send("X-More: " + std::string(1000, 'y') + "\r\n");
    }
  });
  BOOST_TEST((seen.list == api::ErrorKind::Decode));
  BOOST_TEST(seen.watch.starts_with("malformed HTTP response"));
  BOOST_TEST(seen.sent_most < kSlack);
}

BOOST_AUTO_TEST_CASE(a_line_without_end_is_cut_off) {
  const Outcomes seen = outcomes([](tests::Peer& peer) {
    (void)peer.receive();
    const std::string text(65'536, 'z');
    bool is_there = peer.send(kStream + "2\r\n{\"\r\n");
    while (is_there) {
      is_there = peer.send("10000\r\n" + text + "\r\n");
    }
  });
  BOOST_TEST((seen.list == api::ErrorKind::Decode));
  BOOST_TEST(seen.words == "the body of the response is too long");
  BOOST_TEST(seen.watch.find("longer than maximum allowed size") != std::string::npos);
  BOOST_TEST(seen.sent_most < kSlack);
}

BOOST_AUTO_TEST_CASE(a_promise_of_a_gigabyte_takes_no_memory) {
  const Outcomes seen = outcomes([](tests::Peer& peer) {
    (void)peer.receive();
    (void)peer.send("HTTP/1.1 200 OK\r\nContent-Length: 1000000000000\r\n\r\n{");
    peer.wait_until_gone();
  });
  BOOST_TEST((seen.list == api::ErrorKind::Decode));
}

BOOST_AUTO_TEST_CASE(a_slow_drip_is_a_timeout) {
  const Outcomes seen = outcomes(
      [](tests::Peer& peer) {
        (void)peer.receive();
        (void)peer.send(
            "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n"
            "Content-Length: 100000\r\n\r\n");
        while (!peer.stirs_within(5ms) && peer.send(" ")) {
        }
      },
      false, "", kImpatient);
  BOOST_TEST((seen.list == api::ErrorKind::Timeout));
}

BOOST_AUTO_TEST_CASE(a_server_that_says_nothing_is_a_timeout_and_for_a_watch_its_end) {
  for (const bool tls : {false, true}) {
    const Outcomes seen =
        outcomes([](tests::Peer& peer) { peer.wait_until_gone(); }, tls, "", kImpatient);
    BOOST_TEST((seen.list == api::ErrorKind::Timeout));
    BOOST_TEST(seen.watch == "empty");
  }
}

BOOST_AUTO_TEST_CASE(a_hang_up_in_the_handshake_of_tls_is_an_end) {
  const Outcomes seen = outcomes(
      [](tests::Peer& peer) {
        (void)peer.receive();
        (void)peer.send(std::string("\x16\x03\x03\x00\x7a\x02\x00\x00\x76", 9));
      },
      true);
  BOOST_TEST(
      (seen.list == api::ErrorKind::UnexpectedEof || seen.list == api::ErrorKind::ConnectionReset));
  BOOST_TEST(seen.watch == "empty");
}

BOOST_AUTO_TEST_CASE(garbage_in_the_handshake_of_tls_is_an_error_of_decoding) {
  const Outcomes seen = outcomes(
      [](tests::Peer& peer) {
        (void)peer.receive();
        (void)peer.send("HTTP/1.1 400 Bad Request\r\n\r\n");
        peer.wait_until_gone();
      },
      true);
  BOOST_TEST((seen.list == api::ErrorKind::Decode));
  BOOST_TEST(seen.words.starts_with("TLS: "));
}

BOOST_AUTO_TEST_CASE(a_hang_up_within_an_answer_over_tls_is_an_end) {
  const TlsIdentity identity({"127.0.0.1"});
  const Outcomes seen = outcomes(
      [&](tests::Peer& peer) {
        TlsChannel tls(identity);
        std::string request;
        for (std::string sealed = peer.receive(); !sealed.empty() && request.empty();
             sealed = request.empty() ? peer.receive() : "") {
          request += tls.open(sealed).ok() ? "" : "broken";
          (void)peer.send(tls.take_sealed());
          if (tls.ready() && tls.seal(kStream + "40\r\n{\"kind\":")) {
            request = "answered";
          }
        }
        const std::string sealed = tls.take_sealed();
        (void)peer.send(std::string_view(sealed).substr(0, sealed.size() - 5));
      },
      true, identity.authority());
  BOOST_TEST((seen.list == api::ErrorKind::UnexpectedEof || seen.list == api::ErrorKind::Eof ||
              seen.list == api::ErrorKind::ConnectionReset));
  BOOST_TEST(seen.watch == "empty");
}

BOOST_AUTO_TEST_CASE(a_certificate_of_a_stranger_is_refused_in_plain_words) {
  const TlsIdentity identity({"127.0.0.1"});
  const TlsIdentity other({"127.0.0.1"});
  const Outcomes seen = outcomes(
      [&](tests::Peer& peer) {
        TlsChannel tls(identity);
        for (std::string sealed = peer.receive(); !sealed.empty(); sealed = peer.receive()) {
          (void)tls.open(sealed);
          (void)peer.send(tls.take_sealed());
        }
      },
      true, other.authority());
  BOOST_TEST((seen.list == api::ErrorKind::Decode));
  BOOST_TEST(seen.words.find("signed by an authority that is not among those trusted") !=
             std::string::npos);
}

BOOST_AUTO_TEST_SUITE_END()
