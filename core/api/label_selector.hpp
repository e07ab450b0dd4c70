#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/api/object.hpp"
#include "core/api/result.hpp"

namespace watchlab::api {

/// How a label's value has to stand to the values of a requirement.
enum class LabelOperator : std::uint8_t {
  In,            ///< "key=value", "key==value", "key in (a, b)": there, and one of them
  NotIn,         ///< "key!=value", "key notin (a, b)": none of them, or not there at all
  Exists,        ///< "key"
  DoesNotExist,  ///< "!key"
};

/// One condition on labels. Mirrors apimachinery pkg/labels, Requirement.
struct LabelRequirement {
  std::string key;
  LabelOperator relation = LabelOperator::Exists;
  std::vector<std::string> values;  ///< sorted; for In and NotIn only

  [[nodiscard]] bool matches(const Labels& labels) const;
  bool operator==(const LabelRequirement&) const = default;
};

/// Chooses objects by their labels: all requirements must hold. Mirrors apimachinery pkg/labels,
/// Selector.
///
/// Differs from apimachinery: no comparison of numbers ("key > 5"), which no API server offers for
/// lists and watches of what we serve.
class LabelSelector {
 public:
  /// Matches everything.
  LabelSelector() = default;
  /// Matches nothing at all. Mirrors labels.Nothing.
  [[nodiscard]] static LabelSelector nothing();
  /// The exact match of all these labels. Mirrors labels.SelectorFromSet.
  [[nodiscard]] static LabelSelector from(const Labels& labels);
  /// Reads the query parameter's form, "app=web,tier notin (db,cache),!legacy"; "" matches
  /// everything. The failure is of `ErrorKind::Other` and quotes what it did not understand.
  [[nodiscard]] static Result<LabelSelector> parse(std::string_view text);

  [[nodiscard]] bool matches(const Labels& labels) const;
  /// Whether it has no requirements and so matches everything.
  [[nodiscard]] bool is_everything() const { return !nothing_ && requirements_.empty(); }
  [[nodiscard]] bool is_nothing() const { return nothing_; }
  [[nodiscard]] const std::vector<LabelRequirement>& requirements() const { return requirements_; }

 private:
  std::vector<LabelRequirement> requirements_;
  bool nothing_ = false;
};

}  // namespace watchlab::api
