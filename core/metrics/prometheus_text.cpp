#include "core/metrics/prometheus_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/runtime/ensure.hpp"

namespace watchlab::metrics {
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
