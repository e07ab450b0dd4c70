#include "core/metrics/registry.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <variant>

#include "core/runtime/ensure.hpp"
#include "core/runtime/mutex.hpp"

namespace watchlab::metrics {
namespace {

struct Buckets {
  std::vector<double> bounds;
  std::vector<std::uint64_t> counts;  ///< one for each bound; not cumulated
  std::uint64_t observations = 0;
  double sum = 0;
};

/// The values of a family's series, by the series' labels as they are written.
template <typename Value>
using SeriesOf = std::map<std::string, Value>;

struct CounterFamily {
  SeriesOf<double> series;
};
struct GaugeFamily {
  SeriesOf<double> series;
};
struct HistogramFamily {
  std::vector<double> bounds;
  SeriesOf<Buckets> series;
};

struct FamilyState {
  std::string help;
  std::variant<CounterFamily, GaugeFamily, HistogramFamily> kind;
};

void write_numbers(std::string& out, const std::string& name, const SeriesOf<double>& series) {
  for (const auto& [labels, value] : series) {
    write_sample(out, {.name = name, .labels = labels, .value = value});
  }
}

void write_buckets(std::string& out, const std::string& name, const SeriesOf<Buckets>& series) {
  for (const auto& [labels, buckets] : series) {
    std::uint64_t up_to_here = 0;
    for (std::size_t i = 0; i < buckets.bounds.size(); ++i) {
      up_to_here += buckets.counts[i];
      write_sample(out, {.name = name + "_bucket",
                         .labels = with_bound(labels, number_text(buckets.bounds[i])),
                         .value = static_cast<double>(up_to_here)});
    }
    const auto all = static_cast<double>(buckets.observations);
    write_sample(out,
                 {.name = name + "_bucket", .labels = with_bound(labels, "+Inf"), .value = all});
    write_sample(out, {.name = name + "_sum", .labels = labels, .value = buckets.sum});
    write_sample(out, {.name = name + "_count", .labels = labels, .value = all});
  }
}

}  // namespace

struct Registry::State {
  explicit State(runtime::Runtime& runtime) : mutex(runtime, "metrics") {}

  /// The family as one of kind `Kind`; made when it is not there.
  template <typename Kind>
  Kind& family(const Family& wanted) {
    check_metric_name(wanted.name);
    const auto found =
        families.try_emplace(wanted.name, FamilyState{.help = wanted.help, .kind = Kind{}}).first;
    Kind* kind = std::get_if<Kind>(&found->second.kind);
    runtime::ensure(kind != nullptr, "a family of metrics is of one kind");
    return *kind;
  }

  runtime::Mutex mutex;
  std::map<std::string, FamilyState> families;  ///< guarded by mutex; nothing is ever taken out
};

/// Where a series stands. It keeps the registry's state alive, whose maps never move a value.
struct Counter::Place {
  std::shared_ptr<Registry::State> state;
  double* value;
};
struct Gauge::Place {
  std::shared_ptr<Registry::State> state;
  double* value;
};
struct Histogram::Place {
  std::shared_ptr<Registry::State> state;
  Buckets* buckets;
};

void Counter::add(double amount) {
  const runtime::Lock lock(place_->state->mutex);
  *place_->value += amount;
}

void Gauge::set(double value) {
  const runtime::Lock lock(place_->state->mutex);
  *place_->value = value;
}

void Histogram::observe(double value) {
  const runtime::Lock lock(place_->state->mutex);
  Buckets& buckets = *place_->buckets;
  const auto bound = std::ranges::lower_bound(buckets.bounds, value);
  if (bound != buckets.bounds.end()) {
    ++buckets.counts[static_cast<std::size_t>(bound - buckets.bounds.begin())];
  }
  ++buckets.observations;
  buckets.sum += value;
}

Registry::Registry(runtime::Runtime& runtime) : state_(std::make_shared<State>(runtime)) {}

Registry::~Registry() = default;

Counter Registry::counter(const Family& family, const Labels& labels) {
  const std::string text = labels_text(labels);
  const runtime::Lock lock(state_->mutex);
  double& value = state_->family<CounterFamily>(family).series[text];
  return Counter(std::make_shared<Counter::Place>(state_, &value));
}

Gauge Registry::gauge(const Family& family, const Labels& labels) {
  const std::string text = labels_text(labels);
  const runtime::Lock lock(state_->mutex);
  double& value = state_->family<GaugeFamily>(family).series[text];
  return Gauge(std::make_shared<Gauge::Place>(state_, &value));
}

Histogram Registry::histogram(const Family& family, const Labels& labels,
                              const std::vector<double>& bounds) {
  runtime::ensure(!labels.contains("le"), "a histogram's own label is not for others");
  runtime::ensure(std::ranges::is_sorted(bounds), "the bounds of a histogram ascend");
  const std::string text = labels_text(labels);
  const runtime::Lock lock(state_->mutex);
  auto& found = state_->family<HistogramFamily>(family);
  if (found.series.empty()) {
    found.bounds = bounds;
  }
  Buckets fresh{.bounds = found.bounds, .counts = {}};
  fresh.counts.resize(found.bounds.size());
  Buckets& buckets = found.series.try_emplace(text, std::move(fresh)).first->second;
  return Histogram(std::make_shared<Histogram::Place>(state_, &buckets));
}

std::string Registry::text() const {
  const runtime::Lock lock(state_->mutex);
  std::string out;
  for (const auto& [name, family] : state_->families) {
    const Family header{.name = name, .help = family.help};
    if (const auto* counters = std::get_if<CounterFamily>(&family.kind)) {
      write_header(out, header, "counter");
      write_numbers(out, name, counters->series);
    } else if (const auto* gauges = std::get_if<GaugeFamily>(&family.kind)) {
      write_header(out, header, "gauge");
      write_numbers(out, name, gauges->series);
    } else {
      write_header(out, header, "histogram");
      write_buckets(out, name, std::get<HistogramFamily>(family.kind).series);
    }
  }
  return out;
}

std::vector<double> exponential_bounds(double first, double factor, std::size_t count) {
  std::vector<double> bounds;
  bounds.reserve(count);
  for (double bound = first; bounds.size() < count; bound *= factor) {
    bounds.push_back(bound);
  }
  return bounds;
}

namespace {

bool is_letter(char character) {
  return (character >= 'a' && character <= 'z') || (character >= 'A' && character <= 'Z') ||
         character == '_';
}

bool is_digit(char character) { return character >= '0' && character <= '9'; }

bool is_name(std::string_view name, std::string_view also) {
  const auto fits = [also](char character) {
    return is_letter(character) || is_digit(character) || also.find(character) != also.npos;
  };
  return !name.empty() && !is_digit(name.front()) && std::ranges::all_of(name, fits);
}

/// Escapes backslashes, line ends, and what else is named.
std::string escaped(std::string_view text, std::string_view others) {
  std::string out;
  for (const char character : text) {
    if (character == '\n') {
      out += "\\n";
      continue;
    }
    if (character == '\\' || others.find(character) != others.npos) {
      out += '\\';
    }
    out += character;
  }
  return out;
}

}  // namespace

void check_metric_name(std::string_view name) {
  runtime::ensure(is_name(name, ":"), "the name of a metric is one that Prometheus takes");
}

std::string labels_text(const Labels& labels) {
  std::string out;
  for (const auto& [name, value] : labels) {
    runtime::ensure(is_name(name, ""), "the name of a label is one that Prometheus takes");
    out += fmt::format("{}{}=\"{}\"", out.empty() ? "{" : ",", name, escaped(value, "\""));
  }
  return out.empty() ? out : out + "}";
}

std::string with_bound(const std::string& labels, std::string_view bound) {
  if (labels.empty()) {
    return fmt::format("{{le=\"{}\"}}", bound);
  }
  return fmt::format("{},le=\"{}\"}}", std::string_view(labels).substr(0, labels.size() - 1),
                     bound);
}

std::string number_text(double value) {
  if (std::isnan(value)) {
    return "NaN";
  }
  if (std::isinf(value)) {
    return value > 0 ? "+Inf" : "-Inf";
  }
  return fmt::format("{}", value);
}

void write_header(std::string& out, const Family& family, std::string_view type) {
  out +=
      fmt::format("# HELP {0} {1}\n# TYPE {0} {2}\n", family.name, escaped(family.help, ""), type);
}

void write_sample(std::string& out, const Sample& sample) {
  out += fmt::format("{}{} {}\n", sample.name, sample.labels, number_text(sample.value));
}

}  // namespace watchlab::metrics
