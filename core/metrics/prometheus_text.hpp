#pragma once

#include <string>
#include <string_view>

#include "core/metrics/registry.hpp"

/// Pieces of the text format that Prometheus reads, version 0.0.4. Pure functions.
namespace watchlab::metrics {

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
