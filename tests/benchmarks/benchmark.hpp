#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace watchlab::benchmarks {

/// One number, measured several times.
struct Row {
  std::string name;   ///< "bounded_buffer.random"
  std::string unit;   ///< "schedules/s", "ns"
  double median = 0;  ///< of the repetitions
  double lowest = 0;
  double highest = 0;
  int repetitions = 0;
  std::string aim;   ///< what we want to reach, "" when nothing is said
  std::string peer;  ///< the row that it is to be compared with, in the same run; "" if none
};

/// When a benchmark runs that was not named.
enum class When : std::uint8_t {
  Always,
  Long,   ///< it takes minutes or gigabytes: with --long
  Named,  ///< never
};

/// A group of rows that are measured together.
struct Benchmark {
  std::string_view name;
  std::string_view about;  ///< one sentence
  std::vector<Row> (*measure)();
  When when = When::Always;
};

/// All of them, in the order in which they run. A new one is one file and one line here.
[[nodiscard]] const std::vector<Benchmark>& catalogue();

/// Calls `once` seven times; it returns the number to report. The first call warms up and does not
/// count.
[[nodiscard]] Row repeat(std::string name, std::string unit, const std::function<double()>& once);

/// Nanoseconds that `work` takes.
[[nodiscard]] double nanoseconds(const std::function<void()>& work);

[[nodiscard]] std::vector<Row> measure_points();
[[nodiscard]] std::vector<Row> measure_bounded_buffer();
[[nodiscard]] std::vector<Row> measure_exploration();
[[nodiscard]] std::vector<Row> measure_peers();
[[nodiscard]] std::vector<Row> measure_timers();
[[nodiscard]] std::vector<Row> measure_posts();
[[nodiscard]] std::vector<Row> measure_stores();
[[nodiscard]] std::vector<Row> measure_queues();
[[nodiscard]] std::vector<Row> measure_lists();
[[nodiscard]] std::vector<Row> measure_informers();
[[nodiscard]] std::vector<Row> measure_modern();
/// What of `measure_modern` is about informers.
[[nodiscard]] std::vector<Row> measure_modern_informers();
[[nodiscard]] std::vector<Row> measure_fibers();
[[nodiscard]] std::vector<Row> measure_stories();
[[nodiscard]] std::vector<Row> measure_serve();
[[nodiscard]] std::vector<Row> measure_hostile();
[[nodiscard]] std::vector<Row> measure_month();
[[nodiscard]] std::vector<Row> measure_worlds();
[[nodiscard]] std::vector<Row> measure_objects();

}  // namespace watchlab::benchmarks
