#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>
#include <functional>

#include "sim/explore/portfolio_strategy.hpp"
#include "sim/kernel/asio_context.hpp"
#include "tests/benchmarks/benchmark.hpp"

namespace watchlab::benchmarks {
namespace {

constexpr int kPosts = 500'000;

/// Each handler posts the next one.
template <typename Context>
struct Chain {
  Context& context;
  int& left;

  void operator()() const {
    if (--left > 0) {
      boost::asio::post(context, *this);
    }
  }
};

double posts_on_io_context() {
  boost::asio::io_context context;
  int left = kPosts;
  boost::asio::post(context, Chain<boost::asio::io_context>{context, left});
  return kPosts / nanoseconds([&] { context.run(); }) * 1e9;
}

double posts_on_world() {
  sim::World world({.steps_max = 100'000'000});
  sim::FifoStrategy fifo;
  double taken = 1;
  (void)world.run(fifo, [&](runtime::Runtime&) {
    sim::WorldContext context(world);
    int left = kPosts;
    taken = nanoseconds([&] {
      boost::asio::post(context, Chain<sim::WorldContext>{context, left});
      context.drain();
    });
  });
  return kPosts / taken * 1e9;
}

}  // namespace

std::vector<Row> measure_posts() {
  std::vector<Row> rows;
  rows.push_back(repeat("posts.io_context", "posts/s", posts_on_io_context));
  rows.push_back(repeat("posts.world", "posts/s", posts_on_world));
  rows.back().peer = "posts.io_context";
  return rows;
}

}  // namespace watchlab::benchmarks
