#include <atomic>
#include <boost/test/unit_test.hpp>
#include <csignal>
#include <functional>
#include <semaphore>
#include <vector>

#include "sim/faults/fault_catalogue.hpp"
#include "sim/http/http_session.hpp"
#include "sim/http/socket_wire.hpp"
#include "tests/sim/http/served_server.hpp"

using namespace watchlab;
using namespace watchlab::sim;

// Answers are built one after the other, and what comes to the server meanwhile is seen in between.

BOOST_AUTO_TEST_SUITE(http_turns_test)

namespace {

const std::string kMaps = "/api/v1/namespaces/default/configmaps";

std::string get(const std::string& target) {
  return "GET " + target + " HTTP/1.1\r\nHost: a\r\n\r\n";
}

/// How many answers a server builds after it was stopped in that way, with twenty requests that it
/// has received and not begun.
int built_after(const std::function<void(ServedServer&)>& stop) {
  std::atomic<int> built = 0;
  std::counting_semaphore<> begun(0);
  std::counting_semaphore<> released(0);
  {
    ServedServer served;
    served.there([&] {
      served.server.on_signals({SIGUSR1}, [&](int /*signal*/) { served.server.stop(); });
      served.front.add_pages(
          [&](const HttpRequest& http, const Target& /*target*/) -> std::optional<HttpPage> {
            if (http.target == "/block") {
              begun.release();
              released.acquire();
            } else if (http.target == "/count") {
              ++built;
            }
            return HttpPage{.body = "{}"};
          });
    });
    std::vector<Tester> clients;
    constexpr int kClients = 22;
    for (int i = 0; i < kClients; ++i) {
      BOOST_TEST(clients.emplace_back(served).code("GET", "/accepted") == 200);
    }
    // While the first is served the others come, and while the second is they have been read.
    (void)clients[0].socket->write(get("/block"));
    begun.acquire();
    (void)clients[1].socket->write(get("/block"));
    for (std::size_t i = 2; i < clients.size(); ++i) {
      (void)clients[i].socket->write(get("/count"));
    }
    released.release();
    begun.acquire();
    built = 0;  // on a busy machine some may have come before that block
    stop(served);
    released.release();
  }
  return built;
}

}  // namespace

BOOST_AUTO_TEST_CASE(what_was_not_begun_is_not_built_after_a_stop) {
  BOOST_TEST(built_after([](ServedServer& served) { served.server.stop(); }) == 0);
}

BOOST_AUTO_TEST_CASE(a_signal_is_seen_before_all_answers_are_built) {
  // The loop sees the signal in one of its rounds and the stop in the next, and builds an answer in
  // each; what arrives late adds rounds. Without turns all twenty are built.
  BOOST_TEST(built_after([](ServedServer& /*served*/) { (void)::raise(SIGUSR1); }) < 10);
}

BOOST_AUTO_TEST_CASE(a_server_ends_with_connections_that_it_has_not_taken_yet) {
  std::binary_semaphore begun(0);
  std::binary_semaphore released(0);
  HttpFront front{{}};
  front.add_pages([&](const HttpRequest& /*http*/, const Target& /*target*/) {
    begun.release();
    released.acquire();
    return std::optional(HttpPage{.body = "{}"});
  });
  HttpServer server(front, {});
  server.on_signals({SIGUSR1}, [&](int /*signal*/) { server.stop(); });
  std::future<void> running = std::async(std::launch::async, [&] { server.run(); });
  const std::shared_ptr<ClientSocket> first = *ClientSocket::connect(*endpoint_from(server.url()));
  (void)first->write(get("/block"));
  begun.acquire();
  std::vector<std::shared_ptr<ClientSocket>> late;
  constexpr int kLate = 10;  // one is taken with each turn of the loop
  for (int i = 0; i < kLate; ++i) {
    late.push_back(*ClientSocket::connect(*endpoint_from(server.url())));
  }
  (void)::raise(SIGUSR1);
  released.release();
  BOOST_TEST((running.wait_for(std::chrono::minutes(1)) == std::future_status::ready));
  server.stop();  // of one that has not ended
}

/// Between two checks for new connections, the server's thread makes at most one answer, and a
/// probe does not wait for a turn.
BOOST_AUTO_TEST_CASE(of_many_newcomers_a_probe_is_answered_before_the_answers_to_the_others) {
  std::string order;
  std::counting_semaphore<> begun(0);
  std::counting_semaphore<> released(0);
  ServedServer served;
  served.there([&] {
    served.front.add_pages(
        [&](const HttpRequest& http, const Target& /*target*/) -> std::optional<HttpPage> {
          if (http.target == "/block") {
            begun.release();
            released.acquire();
          }
          order += http.target == "/livez" ? 'p' : 'n';
          return HttpPage{.body = "{}"};
        });
  });
  const auto ask = [&](const std::string& target) {
    const std::shared_ptr<ClientSocket> socket = *ClientSocket::connect(served.endpoint());
    (void)socket->write(get(target));
    return socket;
  };
  const auto blocking = ask("/block");
  begun.acquire();
  std::vector<std::shared_ptr<ClientSocket>> newcomers;
  constexpr int kNewcomers = 60;
  for (int i = 0; i < kNewcomers; ++i) {
    newcomers.push_back(ask("/page"));
  }
  const auto probe = ask("/livez");
  released.release();
  std::array<char, 100> answer{};
  for (const auto& each : newcomers) {
    BOOST_TEST((each->read(answer).ok()));
  }
  BOOST_TEST((probe->read(answer).ok()));
  served.there([] {});
  BOOST_TEST(order.find('p') < 5U, order);
}

namespace {

/// A connection that gives its session a turn when the test says so.
struct WireWithTurns final : SessionWire {
  void send(std::string bytes) override { sent += bytes; }
  void finish() override {}
  void cut() override { is_cut = true; }
  void wake_at(runtime::TimePoint time) override { wakes_at = time; }
  void ring() override { rung = true; }
  bool take_turn() override { return std::exchange(has_turn, false); }
  [[nodiscard]] std::size_t unsent() const override { return kept; }

  [[nodiscard]] std::size_t count(const std::string& text) const {
    std::size_t found = 0;
    for (std::size_t at = sent.find(text); at != std::string::npos; at = sent.find(text, at + 1)) {
      ++found;
    }
    return found;
  }

  std::string sent;
  runtime::TimePoint wakes_at;
  bool rung = false;
  bool has_turn = false;
  bool is_cut = false;
  std::size_t kept = 0;
};

struct SessionWithTurns {
  explicit SessionWithTurns(const SessionLimits& limits = {}) : session(front, wire, limits) {}

  void turn() {
    wire.has_turn = true;
    session.on_turn();
  }

  HttpFront front{{}};
  WireWithTurns wire;
  HttpSession session;
};

void create(SessionWithTurns& here, const std::string& name, std::size_t size) {
  const std::string body =
      R"({"metadata":{"name":")" + name + R"("},"data":{"k":")" + std::string(size, 'x') + "\"}}";
  here.session.on_bytes("POST " + kMaps + " HTTP/1.1\r\nHost: a\r\nContent-Length: " +
                        std::to_string(body.size()) + "\r\n\r\n" + body);
  here.turn();
}

}  // namespace

BOOST_AUTO_TEST_CASE(each_answer_takes_a_turn) {
  SessionWithTurns here;
  here.session.on_bytes(get("/version") + get(kMaps) + get("/nowhere"));
  BOOST_TEST(here.wire.sent == "");
  for (const std::size_t turns : {1U, 2U, 3U}) {
    here.turn();
    BOOST_TEST(here.wire.count("HTTP/1.1 ") == turns);
    here.session.on_sent();
    here.session.on_time();
    BOOST_TEST(here.wire.count("HTTP/1.1 ") == turns);
  }
}

BOOST_AUTO_TEST_CASE(a_probe_takes_no_turn_but_one_of_many_at_once_does) {
  SessionWithTurns here;
  here.session.on_bytes(get("/healthz"));
  BOOST_TEST(here.wire.count("HTTP/1.1 200") == 1U);
  here.session.on_bytes(get("/readyz?verbose") + get("/livez"));
  BOOST_TEST(here.wire.count("HTTP/1.1 200") == 2U);
  here.turn();
  BOOST_TEST(here.wire.count("HTTP/1.1 200") == 3U);
}

/// All that a fault holds back may be due at one time.
BOOST_AUTO_TEST_CASE(an_answer_that_was_late_takes_a_turn_when_it_is_due) {
  SessionWithTurns here;
  (void)here.front.host()->add_fault(
      make_fault("delay", {}, {{"by", runtime::Duration(std::chrono::milliseconds(1))}}));
  here.session.on_bytes(get(kMaps));
  here.turn();
  while (here.wire.sent.empty()) {
    while (here.front.now() < here.wire.wakes_at) {
    }
    here.session.on_time();
    BOOST_TEST(here.wire.sent == "");
    here.turn();
  }
  BOOST_TEST(here.wire.count("HTTP/1.1 200") == 1U);
}

BOOST_AUTO_TEST_CASE(long_events_take_a_turn_each) {
  SessionWithTurns here;
  for (const std::string name : {"a", "b", "c"}) {
    create(here, name, 100'000);
  }
  here.wire.sent.clear();
  here.session.on_bytes(get(kMaps + "?watch=true"));
  for (const std::size_t events : {1U, 2U, 3U}) {
    here.turn();
    here.session.on_sent();
    BOOST_TEST(here.wire.count("\"ADDED\"") == events);
  }
}

BOOST_AUTO_TEST_CASE(a_long_list_takes_a_turn_for_each_piece) {
  SessionWithTurns here;
  for (const std::string name : {"a", "b", "c"}) {
    create(here, name, 500'000);
  }
  here.wire.sent.clear();
  here.session.on_bytes(get(kMaps) + get("/version"));
  for (const std::size_t items : {0U, 1U, 2U, 3U}) {
    here.turn();
    here.session.on_sent();
    BOOST_TEST(here.wire.count("\"creationTimestamp\"") == items);
    BOOST_TEST(here.wire.count("HTTP/1.1 200") == 1U);
  }
  here.turn();
  BOOST_TEST(here.wire.count("HTTP/1.1 200") == 2U);
  BOOST_TEST(here.wire.sent.find("]}\r\n0\r\n\r\nHTTP/1.1 200") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(a_long_list_of_which_nothing_is_taken_is_given_up) {
  const SessionLimits limits{.unread_max = std::chrono::milliseconds(1)};
  SessionWithTurns here(limits);
  for (const std::string name : {"a", "b", "c"}) {
    create(here, name, 500'000);
  }
  here.session.on_bytes(get(kMaps));
  here.turn();
  here.turn();
  here.wire.kept = limits.unsent_max + 1;
  here.session.on_sent();
  while (here.front.now() < here.wire.wakes_at) {
  }
  here.session.on_time();
  BOOST_TEST(here.wire.is_cut);
  BOOST_TEST(here.wire.count("\"creationTimestamp\"") == 1U + 3U);  // the answers to the writes
}

namespace {

/// A turn that waits together with others: its kind, a letter as its name, and how long it takes.
struct Waiting {
  explicit Waiting(Turns::Kind kind, char name, std::chrono::milliseconds takes = {})
      : kind(kind), name(name), takes(takes) {}
  Turns::Kind kind;
  char name;
  std::chrono::milliseconds takes;
};

std::string order_of(const std::vector<Waiting>& all) {
  boost::asio::io_context io;
  runtime::TimePoint now;
  Turns turns(io, [&now] { return now; });
  std::string order;
  for (const Waiting& each : all) {
    turns.wait(
        [&, each] {
          order += each.name;
          now += each.takes;
        },
        each.kind);
  }
  io.run();
  return order;
}

}  // namespace

BOOST_AUTO_TEST_CASE(new_connections_take_turns_with_slow_ones_and_quick_ones_come_first) {
  using enum Turns::Kind;
  BOOST_TEST(order_of({Waiting(Slow, 'a'), Waiting(Slow, 'b'), Waiting(Slow, 'c'),
                       Waiting(New, 'd'), Waiting(New, 'e'), Waiting(Quick, 'f')}) == "fdaebc");
}

BOOST_AUTO_TEST_CASE(of_new_connections_those_that_ask_for_little_go_first_for_a_while) {
  using enum Turns::Kind;
  std::vector<Waiting> all{Waiting(New, 'n'), Waiting(New, 'n'), Waiting(Slow, 's')};
  all.insert(all.end(), 9, Waiting(Light, 'l'));
  BOOST_TEST(order_of(all) == "lslllllllnln");
}

BOOST_AUTO_TEST_CASE(one_object_is_little_and_a_collection_is_not) {
  SessionWithTurns here;
  const std::vector<std::pair<std::string, bool>> rows{
      {"/version", true},
      {"/apis/apps/v1", true},
      {"/api/v1/namespaces/a", true},
      {kMaps + "/one", true},
      {"/apis/apps/v1/namespaces/a/deployments/one?pretty=true", true},
      {"/openapi/v2", false},
      {"/api/v1/pods", false},
      {kMaps, false},
      {kMaps + "?watch=true", false},
      {"/apis/apps/v1/deployments", false},
      {"/apis/apps/v1/namespaces/a/deployments", false}};
  for (const auto& [target, is_little] : rows) {
    here.session.on_bytes(get(target));
    BOOST_TEST(here.session.asks_little() == is_little, target);
    for (int i = 0; i < 3; ++i) {
      here.turn();
      here.session.on_sent();
    }
  }
}

BOOST_AUTO_TEST_CASE(new_connections_have_as_much_time_as_slow_ones_and_not_as_many_turns) {
  using enum Turns::Kind;
  using std::chrono::milliseconds;
  std::vector<Waiting> all{Waiting(Slow, 'S', milliseconds(10)),
                           Waiting(Slow, 'S', milliseconds(10)),
                           Waiting(Slow, 'S', milliseconds(10))};
  for (int i = 0; i < 12; ++i) {
    all.emplace_back(New, 'n', milliseconds(2));
  }
  BOOST_TEST(order_of(all) == "nSnnnnnSnnnnnSn");
}

BOOST_AUTO_TEST_SUITE_END()
