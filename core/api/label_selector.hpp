#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/api/object.hpp"
#include "core/api/result.hpp"

namespace watchlab::api {

/// How a label's value must relate to the values of a requirement.
enum class LabelOperator : std::uint8_t {
  In,            ///< "key=value", "key==value", "key in (a, b)": present, and one of them
  NotIn,         ///< "key!=value", "key notin (a, b)": absent, or none of them
  Exists,        ///< "key"
  DoesNotExist,  ///< "!key"
  GreaterThan,   ///< "key>5": present, and a greater integer
  LessThan,      ///< "key<5"
};

/// One condition on labels. Mirrors apimachinery pkg/labels, Requirement.
struct LabelRequirement {
  std::string key;
  LabelOperator relation = LabelOperator::Exists;
  std::vector<std::string> values;  ///< sorted and unique; empty for Exists and DoesNotExist

  [[nodiscard]] bool matches(const Labels& labels) const;
  bool operator==(const LabelRequirement&) const = default;
};

/// Selects objects by their labels: all requirements must hold. Mirrors apimachinery pkg/labels,
/// Selector.
class LabelSelector {
 public:
  /// Matches everything.
  LabelSelector() = default;
  /// Matches nothing at all. Mirrors labels.Nothing.
  [[nodiscard]] static LabelSelector nothing();
  /// The exact match of all these labels. Mirrors labels.SelectorFromSet.
  [[nodiscard]] static LabelSelector from(const Labels& labels);
  /// Parses the query parameter's form, "app=web,tier notin (db,cache),!legacy"; "" matches
  /// everything. Accepts what labels.Parse accepts since 0.35; earlier versions refuse "in (a,,)".
  /// A key is a name of at most 63 characters, optionally prefixed with a lowercase RFC 1123
  /// subdomain of at most 253 and '/'; a value has at most 63 characters. The error is of
  /// `ErrorKind::Other` and quotes the part that it did not understand.
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
