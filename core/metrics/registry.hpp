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
  std::string help;  ///< one sentence for readers
};

class Registry;

/// A number that only grows. A cheap handle: copies are the same series. Any task may call it, also
/// after the registry is gone.
class Counter {
 public:
  void add(double amount = 1);

 private:
  friend class Registry;
  struct Place;
  explicit Counter(std::shared_ptr<Place> place) : place_(std::move(place)) {}
  std::shared_ptr<Place> place_;
};

/// A number that goes up and down. A handle, as `Counter` is.
class Gauge {
 public:
  void set(double value);

 private:
  friend class Registry;
  struct Place;
  explicit Gauge(std::shared_ptr<Place> place) : place_(std::move(place)) {}
  std::shared_ptr<Place> place_;
};

/// How many observations there were up to each of some bounds, and their sum. A handle, as
/// `Counter` is.
class Histogram {
 public:
  void observe(double value);

 private:
  friend class Registry;
  struct Place;
  explicit Histogram(std::shared_ptr<Place> place) : place_(std::move(place)) {}
  std::shared_ptr<Place> place_;
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
  friend class Counter;
  friend class Gauge;
  friend class Histogram;
  struct State;
  std::shared_ptr<State> state_;
};

/// `count` bounds that begin with `first` and grow by `factor`.
[[nodiscard]] std::vector<double> exponential_bounds(double first, double factor,
                                                     std::size_t count);

// Pieces of the text format that Prometheus reads, version 0.0.4. Pure functions.

/// One line of numbers.
struct Sample {
  std::string name;
  std::string labels;  ///< as `labels_text` writes them
  double value = 0;
};

/// It is a bug if Prometheus would not take the name for a metric.
void check_metric_name(std::string_view name);
/// `{a="b",c="d"}`, with values escaped; "" without labels. A name that Prometheus would
/// refuse for a label is a bug.
[[nodiscard]] std::string labels_text(const Labels& labels);
/// The same labels and one more, which says up to where a bucket counts.
[[nodiscard]] std::string with_bound(const std::string& labels, std::string_view bound);
/// The shortest text that reads back as this number; "+Inf", "-Inf" and "NaN" for what is none.
[[nodiscard]] std::string number_text(double value);
/// The two comment lines before a family's samples.
void write_header(std::string& out, const Family& family, std::string_view type);
void write_sample(std::string& out, const Sample& sample);

}  // namespace watchlab::metrics
