#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/linearizability/call.hpp"

namespace watchlab::sim::linearizability {

/// What a call comes to when it is carried out alone.
struct Outcome {
  std::string result;
  std::string state;  ///< afterwards
};

/// What an object promises, as if all calls came one after the other. A state is a text, equal for
/// equal states, that people can read. Models have no state of their own: one serves all checks.
class Model {
 public:
  Model() = default;
  Model(const Model&) = delete;
  Model& operator=(const Model&) = delete;
  virtual ~Model() = default;

  /// "store": what reports call the object.
  [[nodiscard]] virtual std::string_view name() const = 0;
  /// The state that it starts in.
  [[nodiscard]] virtual std::string initial() const { return ""; }
  /// All that the request may come to in that state; empty when it has to wait there. Throws
  /// `std::invalid_argument` for a method that the model does not know.
  [[nodiscard]] virtual std::vector<Outcome> outcomes(const std::string& state,
                                                      const Request& asked) const = 0;
  /// Whether it never changes the state.
  [[nodiscard]] virtual bool only_reads(const Request& asked) const = 0;
  /// Whether calls with different keys have nothing to do with each other, as long as each call of
  /// a history names a key. Histories are then checked key by key, which is much faster.
  [[nodiscard]] virtual bool splits_by_key() const { return false; }
};

/// Throws `std::invalid_argument` for a method that `model` does not know.
[[noreturn]] void refuse_method(const Model& model, const Request& asked);

}  // namespace watchlab::sim::linearizability
