#pragma once

#include <string_view>
#include <vector>

#include "sim/http/table_view.hpp"

namespace boost::json {
class array;
class value;
}  // namespace boost::json

namespace watchlab::sim {

/// The columns of a custom resource: Name, then those that its additionalPrinterColumns describe.
[[nodiscard]] std::vector<TableColumn> printer_columns(const boost::json::array& described);

/// The values that a path of kubectl's JSONPath leads to, as far as columns use it: names, as in
/// `.spec.size` and `['a.b']`, indices and `[*]`, and elements that have a value, as in
/// `[?(@.type=="Ready")]`. None for a path that is written otherwise.
[[nodiscard]] std::vector<const boost::json::value*> values_at(const boost::json::value& object,
                                                               std::string_view path);

}  // namespace watchlab::sim
