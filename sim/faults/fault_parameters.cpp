#include "sim/faults/fault_parameters.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "core/runtime/ensure.hpp"
#include "sim/faults/fault_effects.hpp"

namespace watchlab::sim {

namespace {

bool fits(const FaultParameter& parameter, const ParameterValue& value) {
  switch (parameter.kind) {
    case ParameterKind::Integer:
      return std::holds_alternative<std::int64_t>(value) &&
             std::get<std::int64_t>(value) >= parameter.least;
    case ParameterKind::Duration:
      return std::holds_alternative<runtime::Duration>(value) &&
             std::get<runtime::Duration>(value).count() >= parameter.least;
    case ParameterKind::Boolean:
      return std::holds_alternative<bool>(value);
    case ParameterKind::Failure:
      return std::holds_alternative<std::string>(value) &&
             failure_for(std::get<std::string>(value)).has_value();
    case ParameterKind::Text:
    case ParameterKind::Key:
    case ParameterKind::Resource:
      break;
  }
  return std::holds_alternative<std::string>(value);
}

}  // namespace

FaultParameters::FaultParameters(const std::vector<FaultParameter>& known,
                                 const std::map<std::string, ParameterValue, std::less<>>& given) {
  for (const auto& [name, value] : given) {
    const auto found =
        std::find_if(known.begin(), known.end(),
                     [&name = name](const FaultParameter& each) { return each.name == name; });
    if (found == known.end()) {
      throw std::invalid_argument(fmt::format("the fault has no parameter \"{}\"", name));
    }
    if (!fits(*found, value)) {
      throw std::invalid_argument(
          fmt::format("the parameter \"{}\" of the fault cannot have this value", name));
    }
    values_.emplace(name, value);
  }
  for (const FaultParameter& each : known) {
    if (values_.contains(each.name)) {
      continue;
    }
    if (!each.standard) {
      throw std::invalid_argument(fmt::format("the fault needs its parameter \"{}\"", each.name));
    }
    values_.emplace(each.name, *each.standard);
  }
}

const ParameterValue& FaultParameters::value(std::string_view name) const {
  const auto found = values_.find(name);
  runtime::ensure(found != values_.end(), "a fault asks only for parameters that it declares");
  return found->second;
}

const std::string& FaultParameters::text(std::string_view name) const {
  return std::get<std::string>(value(name));
}

std::int64_t FaultParameters::integer(std::string_view name) const {
  return std::get<std::int64_t>(value(name));
}

runtime::Duration FaultParameters::duration(std::string_view name) const {
  return std::get<runtime::Duration>(value(name));
}

bool FaultParameters::boolean(std::string_view name) const { return std::get<bool>(value(name)); }

}  // namespace watchlab::sim
