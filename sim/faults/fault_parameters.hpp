#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "core/runtime/time.hpp"

namespace watchlab::sim {

/// The type of a fault's parameter. `Failure` is a word of `failure_words()`, `Key` an object's
/// "namespace/name", `Resource` a plural name.
enum class ParameterKind : std::uint8_t {
  Text,
  Integer,
  Duration,
  Boolean,
  Failure,
  Key,
  Resource
};

using ParameterValue = std::variant<std::string, std::int64_t, runtime::Duration, bool>;

/// One parameter of a fault, for everything that offers faults to users.
struct FaultParameter {
  std::string_view name;
  ParameterKind kind = ParameterKind::Text;
  std::optional<ParameterValue> standard;  ///< the default; unset if the parameter is required
  std::string_view doc;                    ///< a sentence
  std::int64_t least = 0;        ///< the smallest number, or the shortest duration in nanoseconds
  std::string_view former = {};  ///< an older name, which scenarios may still use
};

/// The parameters of a fault: those that were given, and defaults for the rest.
class FaultParameters {
 public:
  /// Throws `std::invalid_argument`, with a message, for an unknown name, a value of another kind,
  /// and a missing required parameter.
  FaultParameters(const std::vector<FaultParameter>& known,
                  const std::map<std::string, ParameterValue, std::less<>>& given);

  /// It is a bug to ask for a parameter that the fault did not declare.
  [[nodiscard]] const std::string& text(std::string_view name) const;
  [[nodiscard]] std::int64_t integer(std::string_view name) const;
  [[nodiscard]] runtime::Duration duration(std::string_view name) const;
  [[nodiscard]] bool boolean(std::string_view name) const;

 private:
  [[nodiscard]] const ParameterValue& value(std::string_view name) const;

  std::map<std::string, ParameterValue, std::less<>> values_;
};

}  // namespace watchlab::sim
