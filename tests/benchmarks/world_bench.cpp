// Whole worlds: small stories, a month of virtual time, many informers, many objects.
#include <fmt/format.h>
#include <sys/resource.h>
#include <unistd.h>

#include <chrono>
#include <fstream>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "core/cache/informer.hpp"
#include "core/cache/shared_index_informer.hpp"
#include "core/runtime/stop_token.hpp"
#include "core/runtime/task.hpp"
#include "sim/explore/portfolio_strategy.hpp"
#include "sim/kernel/world.hpp"
#include "sim/network/connection.hpp"
#include "sim/story/options.hpp"
#include "tests/benchmarks/benchmark.hpp"

namespace watchlab::benchmarks {
namespace {

using namespace std::chrono_literals;
using runtime::Runtime;

constexpr double kMegabyte = 1e6;

sim::Request write_of(sim::Verb verb, std::string name, int turn) {
  sim::ObjectSketch sketch{.name = name};
  sketch.data["turn"] = std::to_string(turn);
  return {.verb = verb,
          .resource = {"", "v1", "configmaps"},
          .namespace_ = "default",
          .name = std::move(name),
          .object = std::make_shared<const api::Object>(sim::config_map_from(sketch))};
}

/// Counts its calls, and wakes nobody.
class CountingHandler : public cache::ResourceEventHandler {
 public:
  void on_add(const api::ObjectPtr& /*object*/, bool /*initial*/) override { ++calls; }
  void on_update(const api::ObjectPtr& /*old*/, const api::ObjectPtr& /*now*/) override { ++calls; }
  void on_delete(const cache::Item& /*item*/) override { ++calls; }

  std::size_t calls = 0;
};

/// A shared informer with handlers that count, at a server.
class Listener {
 public:
  Listener(Runtime& runtime, const std::shared_ptr<sim::ServerHost>& host, int handlers,
           runtime::Duration resync = {})
      : stop_(runtime),
        informer_(std::make_shared<cache::SharedIndexInformer>(
            runtime, cache::SharedIndexInformerOptions{
                         .lister_watcher = std::make_shared<sim::Connection>(
                             host, sim::ConnectionOptions{.client = "informer"}),
                         .resync_period = resync,
                         .reflector = {.name = "informer"}})) {
    for (int i = 0; i < handlers; ++i) {
      handlers_.push_back(std::make_shared<CountingHandler>());
      (void)informer_->add_event_handler(handlers_.back());
    }
    task_ = runtime::spawn(runtime, "informer",
                           [informer = informer_, stop = stop_.token()] { informer->run(stop); });
  }
  void stop() { stop_.stop(); }
  void join() { task_.join(); }
  [[nodiscard]] std::size_t calls() const {
    std::size_t calls = 0;
    for (const auto& handler : handlers_) {
      calls += handler->calls;
    }
    return calls;
  }

 private:
  runtime::StopSource stop_;
  std::shared_ptr<cache::SharedIndexInformer> informer_;
  std::vector<std::shared_ptr<CountingHandler>> handlers_;
  runtime::Task task_;
};

void expect_calls(std::size_t found, std::size_t expected) {
  if (found < expected) {
    throw std::runtime_error(fmt::format("{} handler calls instead of {}", found, expected));
  }
}

void play(const std::function<void(Runtime&)>& body) {
  sim::World world({.steps_max = 4'000'000'000, .checks = false});
  sim::FifoStrategy fifo;
  const sim::RunResult result = world.run(fifo, body);
  if (result.failure) {
    throw std::runtime_error(result.failure->sentence);
  }
}

/// List, watch, 20 events, two handlers.
void small_story(Runtime& runtime) {
  const auto host = sim::ServerHost::make(runtime, {.notes = false});
  Listener listener(runtime, host, 2);
  runtime::sleep_for(runtime, 10ms);
  for (int i = 0; i < 20; ++i) {
    const sim::Verb verb = i < 10 ? sim::Verb::Create : sim::Verb::Update;
    (void)host->write(write_of(verb, "object" + std::to_string(i % 10), i));
  }
  runtime::sleep_for(runtime, 10ms);
  expect_calls(listener.calls(), 40);
  listener.stop();
  listener.join();
}

/// A month with ten objects, a resync each half minute and a write each minute.
void month(Runtime& runtime) {
  const auto host = sim::ServerHost::make(runtime, {.notes = false});
  for (int i = 0; i < 10; ++i) {
    (void)host->write(write_of(sim::Verb::Create, fmt::format("object{}", i), 0));
  }
  Listener listener(runtime, host, 1, 30s);
  constexpr int kMinutes = 30 * 24 * 60;
  for (int i = 1; i <= kMinutes; ++i) {
    runtime::sleep_for(runtime, 1min);
    (void)host->write(write_of(sim::Verb::Update, fmt::format("object{}", i % 10), i));
  }
  runtime::sleep_for(runtime, 1s);
  expect_calls(listener.calls(), kMinutes + 10 * 2 * kMinutes * 9 / 10);
  listener.stop();
  listener.join();
}

/// That many informers hear of ten objects and of ten changes.
void many_informers(Runtime& runtime, std::size_t count) {
  const auto host = sim::ServerHost::make(runtime, {.notes = false});
  for (int i = 0; i < 10; ++i) {
    (void)host->write(write_of(sim::Verb::Create, fmt::format("object{}", i), 0));
  }
  std::vector<std::unique_ptr<Listener>> listeners;
  for (std::size_t i = 0; i < count; ++i) {
    listeners.push_back(std::make_unique<Listener>(runtime, host, 1));
  }
  runtime::sleep_for(runtime, 1s);
  for (int i = 0; i < 10; ++i) {
    (void)host->write(write_of(sim::Verb::Update, fmt::format("object{}", i), 1));
  }
  runtime::sleep_for(runtime, 1s);
  std::size_t calls = 0;
  for (const auto& listener : listeners) {
    calls += listener->calls();
    listener->stop();
  }
  for (const auto& listener : listeners) {
    listener->join();
  }
  expect_calls(calls, count * 20);
}

/// One informer lists that many objects.
void many_objects(Runtime& runtime, std::size_t count) {
  const auto host = sim::ServerHost::make(runtime, {.notes = false});
  host->transact([&](sim::ServerHost::Transaction& now) {
    for (std::size_t i = 0; i < count; ++i) {
      (void)now.write(write_of(sim::Verb::Create, fmt::format("object{:07}", i), 0));
    }
  });
  Listener listener(runtime, host, 1);
  runtime::sleep_for(runtime, 1s);
  expect_calls(listener.calls(), count);
  listener.stop();
  listener.join();
}

/// The most memory that this process ever had, in bytes.
double peak_memory() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<double>(usage.ru_maxrss) * 1024;
}

double resident_memory() {
  std::ifstream file("/proc/self/statm");
  double pages = 0;
  double resident = 0;
  file >> pages >> resident;
  return resident * static_cast<double>(sysconf(_SC_PAGESIZE));
}

/// Time and memory a unit of a world with `count` units. Memory is what the peak grew by, so sizes
/// must grow.
std::vector<Row> measure_size(const std::string& name, std::size_t count,
                              void (*world)(Runtime&, std::size_t)) {
  const double before = resident_memory();
  const double time = nanoseconds([&] { play([&](Runtime& runtime) { world(runtime, count); }); });
  const double memory = peak_memory() - before;
  const auto units = static_cast<double>(count);
  const auto row = [&](const char* what, const char* unit, double value) {
    return Row{.name = fmt::format("{}.{}.{}", name, count, what),
               .unit = unit,
               .median = value,
               .lowest = value,
               .highest = value,
               .repetitions = 1};
  };
  return {row("time", "us each", time / units / 1000),
          row("memory", "kB each", memory / units / 1000), row("total", "s", time / 1e9),
          row("peak", "MB", memory / kMegabyte)};
}

std::vector<Row> measure_sizes(const std::string& name, const std::vector<std::size_t>& counts,
                               void (*world)(Runtime&, std::size_t)) {
  std::vector<Row> rows;
  for (const std::size_t count : counts) {
    const std::vector<Row> some = measure_size(name, count, world);
    rows.insert(rows.end(), some.begin(), some.end());
  }
  return rows;
}

}  // namespace

std::vector<Row> measure_stories() {
  constexpr int kStories = 500;
  Row row = repeat("stories.small", "stories/s", [] {
    sim::World world({.checks = false});
    sim::FifoStrategy fifo;
    const double taken = nanoseconds([&] {
      for (int i = 0; i < kStories; ++i) {
        if (const auto failure = world.run(fifo, small_story).failure) {
          throw std::runtime_error(failure->sentence);
        }
      }
    });
    return kStories / taken * 1e9;
  });
  row.aim = ">= 10000";
  return {row};
}

std::vector<Row> measure_month() {
  Row row =
      repeat("month.one_informer", "s", [] { return nanoseconds([] { play(month); }) / 1e9; });
  row.aim = "< 5";
  return {row};
}

std::vector<Row> measure_worlds() {
  return measure_sizes("informers", {100, 1'000, 10'000}, many_informers);
}

std::vector<Row> measure_objects() {
  return measure_sizes("objects", {10'000, 100'000, 1'000'000}, many_objects);
}

}  // namespace watchlab::benchmarks
