#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <functional>

#include "core/runtime/task.hpp"
#include "sim/explore/explore.hpp"
#include "sim/explore/portfolio_strategy.hpp"
#include "sim/http/lockstep/lockstep_partner.hpp"
#include "sim/kernel/run_result.hpp"
#include "tests/support/campaign.hpp"

using namespace watchlab;
using namespace watchlab::sim;
using namespace watchlab::tests;
using namespace std::chrono_literals;

BOOST_AUTO_TEST_SUITE(lockstep_test)

namespace {

using Kind = PartnerEvent::Kind;

/// A program of which each answer is said by a function.
class ScriptedLink final : public PartnerLink {
 public:
  using Script = std::function<api::Result<FrameFromPartner>(const FrameToPartner&)>;

  explicit ScriptedLink(Script script) : script_(std::move(script)) {}

  api::Result<void> greet(const PartnerHello& hello) override {
    now_ = hello.epoch;
    return {};
  }
  api::Result<FrameFromPartner> exchange(const FrameToPartner& frame) override {
    api::Result<FrameFromPartner> said = script_(frame);
    if (!said || said->now != runtime::TimePoint()) {
      return said;
    }
    FrameFromPartner answer = *std::move(said);
    answer.now = frame.until;
    return answer;
  }
  api::Result<void> finish() override { return {}; }
  void kill() override {}

 private:
  Script script_;
  runtime::TimePoint now_;
};

/// A world with a server and one ConfigMap.
struct Place {
  explicit Place(runtime::Runtime& runtime)
      : world(dynamic_cast<World&>(runtime)),
        host(ServerHost::make(runtime)),
        front({.host = host, .client_names = [](HttpRequest&, std::uint16_t) { return "go"; }}) {
    create("demo");
  }

  void create(const std::string& name, const std::string& text = "") {
    api::Object object;
    object.api_version = "v1";
    object.kind = "ConfigMap";
    object.metadata.name = name;
    object.metadata.namespace_ = "default";
    object.body = R"({"data":{"text":")" + text + R"("}})";
    (void)host->write({.verb = Verb::Create,
                       .resource = {"", "v1", "configmaps"},
                       .namespace_ = "default",
                       .object = std::make_shared<const api::Object>(std::move(object))});
  }

  void play(ScriptedLink::Script script, bool chosen = false) {
    LockstepPartner partner(
        world, front,
        {.hello = {.client = "go", .seed = world.seed_for("go"), .chosen = chosen},
         .noted =
             [this](const std::string& note) {
               notes.push_back(note);
               times.push_back(world.now());
             },
         .swapped = [this](const PartnerSwap& swap) { swaps.push_back(swap.place); }});
    began = world.now();
    end = partner.run(std::make_unique<ScriptedLink>(std::move(script)));
  }

  World& world;
  std::shared_ptr<ServerHost> host;
  HttpFront front;
  std::vector<std::string> notes;
  std::vector<std::string> swaps;
  std::vector<runtime::TimePoint> times;
  runtime::TimePoint began;
  std::optional<LockstepPartner::End> end;
};

FrameFromPartner note(const std::string& text) {
  return {.events = {{.kind = Kind::Note, .text = text}}};
}

RunResult outcome_of(const std::function<void(runtime::Runtime&)>& body) {
  World world;
  FifoStrategy fifo;
  return world.run(fifo, body);
}

}  // namespace

BOOST_AUTO_TEST_CASE(the_world_stops_where_the_partner_has_something_to_say) {
  holds_in_every_world([](runtime::Runtime& runtime) {
    Place place(runtime);
    const runtime::Task sleeper =
        runtime::spawn(runtime, "sleeper", [&] { runtime::sleep_for(runtime, 10s); });
    int asked = 0;
    place.play([&](const FrameToPartner& frame) {
      FrameFromPartner answer;
      if (++asked == 2) {
        expect(frame.until == place.began + 10s, "the partner may go to the next deadline");
        answer = note("early");
        answer.now = place.began + 3s;
      }
      answer.done = asked == 3;
      return answer;
    });
    expect_equal(place.notes.at(0), "early");
    expect(place.times.at(0) == place.began + 3s, "the note came at its moment");
    expect(runtime.now() == place.began + 10s, "then time went on");
    expect(place.end == LockstepPartner::End::ByItself, "it ended by itself");
    sleeper.join();
  });
}

BOOST_AUTO_TEST_CASE(bytes_take_the_latency_each_way) {
  holds_in_every_world([](runtime::Runtime& runtime) {
    Place place(runtime);
    std::string received;
    std::vector<runtime::Duration> opened;
    place.play([&](const FrameToPartner& frame) {
      FrameFromPartner answer;
      if (!frame.events.empty() && frame.events[0].kind == Kind::Open) {
        opened.push_back(frame.until - place.began);
        answer.events = {{.kind = Kind::Data,
                          .connection = 7,
                          .text = "GET /api/v1/configmaps HTTP/1.1\r\nHost: x\r\n\r\n"}};
      } else if (!frame.events.empty()) {
        received += frame.events[0].text;
        opened.push_back(frame.until - place.began);
        answer.done = true;
      } else if (frame.until == place.began) {
        answer.events = {{.kind = Kind::Dial, .connection = 7}};
      }
      return answer;
    });
    expect(opened.at(0) == 2ms, "a connection needs a way there and one back");
    expect(opened.at(1) == 4ms, "so does an answer");
    expect(received.starts_with("HTTP/1.1 200 OK"), received);
    expect(received.find("\"demo\"") != std::string::npos, "the server's object is in it");
    expect_equal(place.host->exchanges().at(0).request.client, "go");
  });
}

// More than a connection holds: the stream waits for its client, again and again.
BOOST_AUTO_TEST_CASE(a_long_stream_comes_whole) {
  const RunResult result = outcome_of([](runtime::Runtime& runtime) {
    Place place(runtime);
    constexpr std::size_t kObjects = 300;
    for (std::size_t i = 1; i < kObjects; ++i) {  // beside the one that is there
      place.create("many-" + std::to_string(i), std::string(4'000, 'x'));
    }
    std::string received;
    const auto count = [&](const std::string& part) {
      std::size_t found = 0;
      for (std::size_t at = received.find(part); at != std::string::npos;
           at = received.find(part, at + 1)) {
        ++found;
      }
      return found;
    };
    place.play([&](const FrameToPartner& frame) {
      FrameFromPartner answer;
      for (const PartnerEvent& event : frame.events) {
        received += event.kind == Kind::Data ? event.text : "";
        if (event.kind == Kind::Open) {
          answer.events.push_back(
              {.kind = Kind::Data,
               .connection = 7,
               .text = "GET /api/v1/configmaps?watch=1&resourceVersion=0 HTTP/1.1\r\n"
                       "Host: x\r\n\r\n"});
        }
      }
      if (frame.events.empty() && frame.until == place.began) {
        answer.events = {{.kind = Kind::Dial, .connection = 7}};
      }
      answer.done = count("\"ADDED\"") == kObjects || frame.until > place.began + 10s;
      return answer;
    });
    expect_equal(static_cast<std::int64_t>(count("\"ADDED\"")), kObjects);
  });
  BOOST_TEST((result.failure ? result.failure->sentence : "") == "");
}

BOOST_AUTO_TEST_CASE(what_is_said_at_one_instant_is_taken_by_content) {
  holds_in_every_world([](runtime::Runtime& runtime) {
    Place place(runtime);
    place.play([&](const FrameToPartner&) {
      FrameFromPartner answer = note("b");
      answer.events.push_back({.kind = Kind::Note, .text = "a"});
      answer.done = true;
      return answer;
    });
    expect_equal(place.notes.at(0), "a");
    expect_equal(place.notes.at(1), "b");
  });
  std::vector<PartnerEvent> one{{Kind::Data, 1, "z"}, {Kind::Close, 1}, {Kind::Data, 2, "a"}};
  std::vector<PartnerEvent> other{{Kind::Data, 2, "a"}, {Kind::Data, 1, "z"}, {Kind::Close, 1}};
  put_in_canonical_order(one);
  put_in_canonical_order(other);
  BOOST_TEST((one == other));
  BOOST_TEST(one.front().connection == 2);
}

BOOST_AUTO_TEST_CASE(turns_of_goroutines_are_drawn_ahead_and_only_where_they_are_chosen) {
  holds_in_every_world([](runtime::Runtime& runtime) {
    Place place(runtime);
    const runtime::Task sleeper =
        runtime::spawn(runtime, "sleeper", [&] { runtime::sleep_for(runtime, 10s); });
    std::vector<std::size_t> drawn;
    place.play(
        [&](const FrameToPartner& frame) {
          drawn.push_back(frame.turns.size());
          FrameFromPartner answer{.taken = drawn.size() == 1 ? 40U : 250U};
          answer.swaps.push_back({.place = "1.1@3:1.2", .text = ""});
          if (drawn.size() == 1) {  // as it was said: the order of goroutines is the world's
            answer.events = {{.kind = Kind::Note, .text = "b"}, {.kind = Kind::Note, .text = "a"}};
          }
          answer.done = drawn.size() == 3;
          return answer;
        },
        true);
    expect(drawn.at(0) == 256, "drawn ahead");
    expect(drawn.at(1) >= 40 && drawn.at(1) < 40 + 64, "what was taken is drawn again");
    expect(drawn.at(2) >= 250 && drawn.at(2) < 250 + 64, "also where time went on without a word");
    expect_equal(place.notes.at(0), "b");
    expect_equal(static_cast<std::int64_t>(place.swaps.size()), 3);
    place.play([&](const FrameToPartner& frame) {
      expect(frame.turns.empty(), "nothing is drawn");
      return FrameFromPartner{.done = true};
    });
    sleeper.join();
  });
}

// A program that fails when its third choice is not the default.
BOOST_AUTO_TEST_CASE(an_order_of_goroutines_is_found_and_made_small) {
  std::string last;
  const auto body = [&last](runtime::Runtime& runtime) {
    Place place(runtime);
    place.play(
        [&](const FrameToPartner& frame) {
          last = frame.turns;
          return FrameFromPartner{.done = true, .failed = last[2] % 2 != 0 ? "fails" : ""};
        },
        true);
  };
  for (const std::string strategy : {"random", "pct", "pos", "portfolio"}) {
    const ExploreResult found = explore({.strategy = strategy}, body);
    BOOST_TEST_REQUIRE(found.failure.has_value(), strategy);
    const Failure small = shrink(*found.failure, body);
    const std::optional<Failure> again = replay(small.schedule, body);
    BOOST_TEST_REQUIRE(again.has_value(), strategy);
    BOOST_TEST(std::ranges::count_if(last, [](char turn) { return turn != 0; }) == 1);
  }
}

BOOST_AUTO_TEST_CASE(a_partner_that_is_asked_to_stop_has_a_grace_period) {
  holds_in_every_world([](runtime::Runtime& runtime) {
    Place place(runtime);
    LockstepPartner partner(place.world, place.front, {.hello = {.client = "go"}});
    const runtime::TimePoint began = runtime.now();
    const runtime::Task stopper = runtime::spawn(runtime, "stopper", [&] {
      runtime::sleep_for(runtime, 5s);
      partner.stop();
    });
    bool stopped = false;
    const auto end = partner.run(std::make_unique<ScriptedLink>([&](const FrameToPartner& frame) {
      stopped = stopped || frame.stop;
      return FrameFromPartner{.done = frame.alone};
    }));
    expect(stopped, "it was asked");
    expect(runtime.now() == began + 35s, "and left alone 30 s later");
    expect(end == LockstepPartner::End::Stopped, "it counts as stopped");
    stopper.join();
  });
}

BOOST_AUTO_TEST_CASE(a_crash_ends_it_at_once_and_its_watch_with_it) {
  holds_in_every_world([](runtime::Runtime& runtime) {
    Place place(runtime);
    LockstepPartner partner(place.world, place.front, {.hello = {.client = "go"}});
    const runtime::Task killer = runtime::spawn(runtime, "killer", [&] {
      runtime::sleep_for(runtime, 1s);
      partner.crash();
    });
    int asked = 0;
    const auto end = partner.run(std::make_unique<ScriptedLink>([&](const FrameToPartner&) {
      FrameFromPartner answer;
      if (++asked == 1) {
        answer.events = {{.kind = Kind::Dial, .connection = 1}};
        answer.events.push_back(
            {.kind = Kind::Data,
             .connection = 1,
             .text = "GET /api/v1/configmaps?watch=1 HTTP/1.1\r\nHost: x\r\n\r\n"});
      }
      return answer;
    }));
    killer.join();
    expect(end == LockstepPartner::End::Crashed, "it crashed");
    const Exchange watch = place.host->exchanges().at(0);
    expect(watch.end == StreamEnd::Stopped, "its watch is over");
  });
}

BOOST_AUTO_TEST_CASE(what_a_partner_must_not_do_ends_the_run_with_a_message) {
  const auto message_for = [](const ScriptedLink::Script& script) {
    const RunResult result = outcome_of([&](runtime::Runtime& runtime) {
      Place place(runtime);
      const runtime::Task sleeper =
          runtime::spawn(runtime, "sleeper", [&] { runtime::sleep_for(runtime, 10s); });
      place.play(script);
    });
    BOOST_TEST_REQUIRE(result.failure.has_value());
    return result.failure->kind + ": " + result.failure->sentence;
  };
  int asked = 0;
  BOOST_TEST(message_for([](const FrameToPartner& frame) {
               return FrameFromPartner{.now = frame.until + 1s};
             }) == "violation: the program of 'go' let its clock go on when it must not");
  BOOST_TEST(message_for([&](const FrameToPartner& frame) {
               return FrameFromPartner{.now = frame.until + (++asked > 1 ? 1s : 0s)};
             }) ==
             "violation: the program of 'go' set its clock to a moment that it must not go to");
  asked = 0;
  BOOST_TEST(message_for([&](const FrameToPartner& frame) {
               return FrameFromPartner{.now = frame.until - (++asked > 1 ? 1s : 0s)};
             }) ==
             "violation: the program of 'go' came back before its time and had nothing to say");
  BOOST_TEST(message_for([](const FrameToPartner&) {
               return FrameFromPartner{.failed = "stands still: here"};
             }) == "violation: the program of 'go' stands still: here");
}

BOOST_AUTO_TEST_CASE(a_failure_is_slow_when_it_took_real_time_to_be_found) {
  const auto is_slow = [](api::ErrorKind kind, int exchanges) {
    const RunResult result = outcome_of([&](runtime::Runtime& runtime) {
      Place place(runtime);
      const runtime::Task sleeper =
          runtime::spawn(runtime, "sleeper", [&] { runtime::sleep_for(runtime, 10s); });
      int asked = 0;
      place.play([&](const FrameToPartner&) -> api::Result<FrameFromPartner> {
        if (++asked == exchanges) {
          return api::Error{.kind = kind, .message = "does not answer", .status = {}};
        }
        return FrameFromPartner{};
      });
    });
    BOOST_TEST_REQUIRE(result.failure.has_value());
    BOOST_TEST(result.failure->sentence == "the program of 'go' does not answer");
    return result.failure->slow;
  };
  BOOST_TEST(is_slow(api::ErrorKind::Timeout, 1));
  BOOST_TEST(is_slow(api::ErrorKind::Timeout, 2));  // it was to let time go on
  BOOST_TEST(!is_slow(api::ErrorKind::Other, 1));
}

BOOST_AUTO_TEST_CASE(a_world_shares_its_clock_with_one_partner) {
  const RunResult result = outcome_of([](runtime::Runtime& runtime) {
    Place place(runtime);
    place.play([&](const FrameToPartner&) {
      LockstepPartner other(place.world, place.front, {.hello = {.client = "other"}});
      (void)other.run(std::make_unique<ScriptedLink>(nullptr));
      return FrameFromPartner{};
    });
  });
  BOOST_TEST_REQUIRE(result.failure.has_value());
  BOOST_TEST(result.failure->sentence.find("one partner") != std::string::npos);
}

BOOST_AUTO_TEST_SUITE_END()
