#pragma once

#include <chrono>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "core/runtime/runtime.hpp"
#include "core/runtime/time.hpp"

namespace watchlab::metrics {

/// A duration as Prometheus wants it.
[[nodiscard]] inline double in_seconds(runtime::Duration duration) {
  return std::chrono::duration<double>(duration).count();
}

/// Label names and their values: what distinguishes the series of a family.
using Labels = std::map<std::string, std::string>;

/// What all series of a family have in common.
struct Family {
  std::string name;  ///< as Prometheus allows it: letters, digits, "_" and ":", no digit first
  std::string help;  ///< one line for readers
};

class Registry;
struct RegistryState;
struct Buckets;

/// Where a series stands. Keeps the registry's state alive, whose maps never move a value.
template <typename Value>
struct SeriesHandle {
  std::shared_ptr<RegistryState> state;
  Value* value;
};

/// A number that only grows. A cheap handle: copies are the same series. Any task may call it, also
/// after the registry is gone.
class Counter {
 public:
  void add(double amount = 1);

 private:
  friend class Registry;
  explicit Counter(SeriesHandle<double> place) : place_(std::move(place)) {}
  SeriesHandle<double> place_;
};

/// A number that goes up and down. A handle, as `Counter` is.
class Gauge {
 public:
  void set(double value);

 private:
  friend class Registry;
  explicit Gauge(SeriesHandle<double> place) : place_(std::move(place)) {}
  SeriesHandle<double> place_;
};

/// How many observations there were up to each of some bounds, and their sum. A handle, as
/// `Counter` is.
class Histogram {
 public:
  void observe(double value);

 private:
  friend class Registry;
  explicit Histogram(SeriesHandle<Buckets> place) : place_(std::move(place)) {}
  SeriesHandle<Buckets> place_;
};

/// Series of numbers, and their text in the format that Prometheus reads (version 0.0.4). The same
/// family and labels asked for twice are the same series. Any task may call any function; each
/// change of a series is one short lock.
///
/// It is a bug to ask for a name that Prometheus would refuse, for the label "le" on a
/// histogram, or for a family again as something else.
class Registry {
 public:
  explicit Registry(runtime::Runtime& runtime);
  ~Registry();
  Registry(const Registry&) = delete;
  Registry& operator=(const Registry&) = delete;

  [[nodiscard]] Counter counter(const Family& family, const Labels& labels);
  [[nodiscard]] Gauge gauge(const Family& family, const Labels& labels);
  /// `bounds` ascend; one more bucket for everything above is always there. Those of the family's
  /// first series count for all.
  [[nodiscard]] Histogram histogram(const Family& family, const Labels& labels,
                                    const std::vector<double>& bounds);

  /// All families by name, their series by labels: a moment of each series, the same text for the
  /// same history.
  [[nodiscard]] std::string text() const;

 private:
  [[nodiscard]] SeriesHandle<double> number(const Family& family, std::string_view type,
                                            const Labels& labels);

  std::shared_ptr<RegistryState> state_;
};

/// `count` bounds that begin with `first` and grow by `factor`.
[[nodiscard]] std::vector<double> exponential_bounds(double first, double factor,
                                                     std::size_t count);

}  // namespace watchlab::metrics
