// Asio code on virtual time: coroutines, a strand and a channel run unchanged.
#include <boost/asio/awaitable.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/experimental/awaitable_operators.hpp>
#include <boost/asio/experimental/channel.hpp>
#include <boost/asio/strand.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/test/unit_test.hpp>
#include <chrono>
#include <set>
#include <string>
#include <vector>

#include "core/runtime/ensure.hpp"
#include "sim/explore/explore.hpp"
#include "sim/explore/portfolio_strategy.hpp"
#include "sim/kernel/asio_context.hpp"

namespace watchlab::sim {

BOOST_AUTO_TEST_SUITE(asio_test)

namespace {

using namespace std::chrono_literals;
namespace asio = boost::asio;
using runtime::Runtime;

asio::awaitable<void> tick(WorldContext& context, std::string name, int times,
                           std::vector<std::string>& log) {
  for (int i = 0; i < times; ++i) {
    WorldTimer timer(context, 20min);
    co_await timer.async_wait(asio::use_awaitable);
    log.push_back(name + std::to_string(i));
  }
}

template <typename Body>
ExploreResult explore_asio(const Body& body) {
  return explore({.schedules_max = 200}, [&](Runtime& runtime) {
    WorldContext context(dynamic_cast<World&>(runtime));
    body(context);
  });
}

}  // namespace

BOOST_AUTO_TEST_CASE(coroutines_sleep_for_an_hour_of_virtual_time) {
  World world;
  FifoStrategy fifo;
  std::vector<std::string> log;
  const RunResult result = world.run(fifo, [&](Runtime&) {
    WorldContext context(world);
    asio::co_spawn(context, tick(context, "a", 3, log), asio::detached);
    asio::co_spawn(context, tick(context, "b", 3, log), asio::detached);
    context.drain();
  });
  BOOST_TEST(!result.failure.has_value());
  BOOST_TEST((result.ended - result.started == 1h));
  const std::vector<std::string> expected{"a0", "b0", "a1", "b1", "a2", "b2"};
  BOOST_TEST(log == expected, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(the_order_of_posted_handlers_is_a_choice) {
  std::set<std::string> orders;
  const ExploreResult result = explore_asio([&](WorldContext& context) {
    std::string order;
    for (const char letter : {'a', 'b', 'c'}) {
      asio::post(context, [&order, letter] { order += letter; });
    }
    context.drain();
    orders.insert(order);
  });
  BOOST_TEST(!result.failure.has_value());
  BOOST_TEST(orders.size() == 6U);
}

BOOST_AUTO_TEST_CASE(a_strand_keeps_its_handlers_apart_and_in_order) {
  const ExploreResult result = explore_asio([](WorldContext& context) {
    auto strand = asio::make_strand(context);
    std::string order;
    for (const char letter : {'a', 'b', 'c'}) {
      asio::post(strand, [&order, letter] { order += letter; });
    }
    context.drain();
    runtime::ensure(order == "abc", "the strand changed the order to " + order);
  });
  BOOST_TEST(!result.failure.has_value(), result.failure.value_or(Failure{}).sentence);
}

BOOST_AUTO_TEST_CASE(an_asio_channel_carries_values_between_coroutines) {
  const ExploreResult result = explore_asio([](WorldContext& context) {
    asio::experimental::channel<void(boost::system::error_code, int)> channel(context, 1);
    int sum = 0;
    const auto produce = [&]() -> asio::awaitable<void> {
      for (int i = 1; i <= 3; ++i) {
        co_await channel.async_send({}, i, asio::use_awaitable);
      }
    };
    const auto consume = [&]() -> asio::awaitable<void> {
      for (int i = 1; i <= 3; ++i) {
        sum += co_await channel.async_receive(asio::use_awaitable);
      }
    };
    asio::co_spawn(context, produce(), asio::detached);
    asio::co_spawn(context, consume(), asio::detached);
    context.drain();
    runtime::ensure(sum == 6, "a value was lost");
  });
  BOOST_TEST(!result.failure.has_value(), result.failure.value_or(Failure{}).sentence);
}

BOOST_AUTO_TEST_CASE(the_slower_of_two_awaited_timers_is_cancelled) {
  World world;
  FifoStrategy fifo;
  std::size_t winner = 99;
  const RunResult result = world.run(fifo, [&](Runtime&) {
    WorldContext context(world);
    const auto race = [&]() -> asio::awaitable<void> {
      using namespace asio::experimental::awaitable_operators;
      WorldTimer slow(context, 10s);
      WorldTimer quick(context, 1s);
      const auto first =
          co_await (slow.async_wait(asio::use_awaitable) || quick.async_wait(asio::use_awaitable));
      winner = first.index();
    };
    asio::co_spawn(context, race(), asio::detached);
    context.drain();
  });
  BOOST_TEST(!result.failure.has_value());
  BOOST_TEST(winner == 1U);
  BOOST_TEST((result.ended - result.started == 1s));
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace watchlab::sim
