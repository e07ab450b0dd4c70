// A header of sim/std brings the names of all others with it, undefined: what is forgotten does not
// compile, where the class of the standard would block the whole world.
#include <barrier>
#include <boost/test/unit_test.hpp>
#include <condition_variable>
#include <future>
#include <latch>
#include <semaphore>
#include <thread>

#include "sim/std/world_parts.hpp"

namespace watchlab::sim {
BOOST_AUTO_TEST_SUITE(forgotten_headers_test)

namespace {

template <typename T>
concept Defined = requires { sizeof(T); };

template <typename... Types>
constexpr int count_defined() {
  return (0 + ... + (Defined<Types> ? 1 : 0));
}

}  // namespace

namespace code {
namespace std = ::watchlab::stdx;

constexpr int kDefined = count_defined<
    std::mutex, std::recursive_mutex, std::timed_mutex, std::recursive_timed_mutex,
    std::shared_mutex, std::shared_timed_mutex, std::once_flag, std::condition_variable,
    std::condition_variable_any, std::thread, std::jthread, std::stop_token, std::stop_source,
    std::stop_callback<void (*)()>, std::chrono::steady_clock, std::chrono::system_clock,
    std::chrono::high_resolution_clock, std::atomic<int>, std::atomic_size_t, std::atomic_ref<int>,
    std::atomic_flag, std::counting_semaphore<>, std::binary_semaphore, std::latch, std::barrier<>,
    std::promise<int>, std::future<int>, std::shared_future<int>, std::packaged_task<int()>>();
constexpr int kOfTheStandard = count_defined<std::mutex*, std::lock_guard<::std::mutex>>();

}  // namespace code

BOOST_AUTO_TEST_CASE(what_is_forgotten_does_not_compile) {
  BOOST_TEST(code::kDefined == 0);
  BOOST_TEST(code::kOfTheStandard == 2);  // so that the count can be another one
}

BOOST_AUTO_TEST_SUITE_END()
}  // namespace watchlab::sim
