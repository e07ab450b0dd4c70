#include "core/metrics/registry.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <boost/algorithm/string/replace.hpp>
#include <cmath>
#include <limits>

#include "core/runtime/ensure.hpp"
#include "core/runtime/mutex.hpp"

namespace watchlab::metrics {

struct Buckets {
  std::vector<double> bounds;
  std::vector<std::uint64_t> counts;  ///< one for each bound; not cumulated
  std::uint64_t observations = 0;
  double sum = 0;
};

namespace {

/// The values of a family's series, by the series' labels as they are written.
template <typename Value>
using SeriesOf = std::map<std::string, Value>;

struct FamilyState {
  std::string help;
  std::string_view type;
  SeriesOf<double> numbers;    ///< of a counter or a gauge
  std::vector<double> bounds;  ///< this and the next of a histogram
  SeriesOf<Buckets> histograms;
};

constexpr std::string_view kNameSigns =
    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789";

bool is_name(std::string_view name, std::string_view also) {
  return !name.empty() && (name.front() < '0' || name.front() > '9') &&
         name.find_first_not_of(std::string(kNameSigns).append(also)) == name.npos;
}

std::string escaped(std::string text) {
  boost::replace_all(text, "\\", "\\\\");
  boost::replace_all(text, "\n", "\\n");
  return text;
}

/// `a="b",c="d"`; "" without labels.
std::string labels_text(const Labels& labels) {
  std::string out;
  for (const auto& [name, value] : labels) {
    runtime::ensure(is_name(name, ""), "the name of a label is one that Prometheus takes");
    const std::string quoted = boost::replace_all_copy(escaped(value), "\"", "\\\"");
    out += fmt::format("{}{}=\"{}\"", out.empty() ? "" : ",", name, quoted);
  }
  return out;
}

/// The shortest text that reads back as this number; "+Inf", "-Inf" and "NaN" for what is none.
std::string number_text(double value) {
  if (std::isnan(value)) {
    return "NaN";
  }
  if (std::isinf(value)) {
    return value > 0 ? "+Inf" : "-Inf";
  }
  return fmt::format("{}", value);
}

void write_sample(std::string& out, std::string_view name, const std::string& labels,
                  double value) {
  const std::string in_braces = labels.empty() ? "" : "{" + labels + "}";
  out += fmt::format("{}{} {}\n", name, in_braces, number_text(value));
}

void write_buckets(std::string& out, const std::string& name, const SeriesOf<Buckets>& series) {
  for (const auto& [labels, buckets] : series) {
    const std::string before_bound = labels.empty() ? "" : labels + ",";
    const auto write_bucket = [&](double bound, std::uint64_t up_to_here) {
      write_sample(out, name + "_bucket",
                   fmt::format("{}le=\"{}\"", before_bound, number_text(bound)),
                   static_cast<double>(up_to_here));
    };
    std::uint64_t up_to_here = 0;
    for (std::size_t i = 0; i < buckets.bounds.size(); ++i) {
      up_to_here += buckets.counts[i];
      write_bucket(buckets.bounds[i], up_to_here);
    }
    write_bucket(std::numeric_limits<double>::infinity(), buckets.observations);
    write_sample(out, name + "_sum", labels, buckets.sum);
    write_sample(out, name + "_count", labels, static_cast<double>(buckets.observations));
  }
}

}  // namespace

struct RegistryState {
  explicit RegistryState(runtime::Runtime& runtime) : mutex(runtime, "metrics") {}

  /// Made when it is not there.
  FamilyState& family(const Family& wanted, std::string_view type) {
    runtime::ensure(is_name(wanted.name, ":"), "the name of a metric is one that Prometheus takes");
    FamilyState& family =
        families.try_emplace(wanted.name, FamilyState{.help = wanted.help, .type = type})
            .first->second;
    runtime::ensure(family.type == type, "a family of metrics is of one kind");
    return family;
  }

  runtime::Mutex mutex;
  std::map<std::string, FamilyState> families;  ///< guarded by mutex; nothing is ever taken out
};

void Counter::add(double amount) {
  const runtime::Lock lock(place_.state->mutex);
  *place_.value += amount;
}

void Gauge::set(double value) {
  const runtime::Lock lock(place_.state->mutex);
  *place_.value = value;
}

void Histogram::observe(double value) {
  const runtime::Lock lock(place_.state->mutex);
  Buckets& buckets = *place_.value;
  const auto bound = std::ranges::lower_bound(buckets.bounds, value);
  if (bound != buckets.bounds.end()) {
    ++buckets.counts[static_cast<std::size_t>(bound - buckets.bounds.begin())];
  }
  ++buckets.observations;
  buckets.sum += value;
}

Registry::Registry(runtime::Runtime& runtime) : state_(std::make_shared<RegistryState>(runtime)) {}

Registry::~Registry() = default;

SeriesHandle<double> Registry::number(const Family& family, std::string_view type,
                                      const Labels& labels) {
  const std::string text = labels_text(labels);
  const runtime::Lock lock(state_->mutex);
  return {state_, &state_->family(family, type).numbers[text]};
}

Counter Registry::counter(const Family& family, const Labels& labels) {
  return Counter(number(family, "counter", labels));
}

Gauge Registry::gauge(const Family& family, const Labels& labels) {
  return Gauge(number(family, "gauge", labels));
}

Histogram Registry::histogram(const Family& family, const Labels& labels,
                              const std::vector<double>& bounds) {
  runtime::ensure(!labels.contains("le"), "a histogram's own label is not for others");
  runtime::ensure(std::ranges::is_sorted(bounds), "the bounds of a histogram ascend");
  const std::string text = labels_text(labels);
  const runtime::Lock lock(state_->mutex);
  FamilyState& found = state_->family(family, "histogram");
  if (found.histograms.empty()) {
    found.bounds = bounds;
  }
  Buckets fresh{.bounds = found.bounds, .counts = {}};
  fresh.counts.resize(found.bounds.size());
  Buckets& buckets = found.histograms.try_emplace(text, std::move(fresh)).first->second;
  return Histogram({state_, &buckets});
}

std::string Registry::text() const {
  const runtime::Lock lock(state_->mutex);
  std::string out;
  for (const auto& [name, family] : state_->families) {
    out += fmt::format("# HELP {0} {1}\n# TYPE {0} {2}\n", name, escaped(family.help), family.type);
    for (const auto& [labels, value] : family.numbers) {
      write_sample(out, name, labels, value);
    }
    write_buckets(out, name, family.histograms);
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

}  // namespace watchlab::metrics
