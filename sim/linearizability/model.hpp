#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace watchlab::sim::linearizability {

/// What a call asks for, as words that a `Model` understands.
struct Request {
  std::string method;    ///< "add"
  std::string key;       ///< what it is about; "" for all there is
  std::string argument;  ///< a value; "" for none

  /// "add a 1".
  [[nodiscard]] std::string to_string() const;
};

/// One call of a history: who asked for what, what came back, and when. Moments count all
/// invocations and returns of a history; steps are those of the run, for people.
struct Call {
  std::string task;
  Request asked;
  std::optional<std::string> result;  ///< nothing while it is pending
  std::size_t invoked = 0;            ///< a moment
  std::size_t returned = 0;           ///< a moment after `invoked`, once there is a result
  std::size_t invoked_step = 0;
  std::size_t returned_step = 0;

  /// "add a 1 -> ok", "pop -> …" while it is pending.
  [[nodiscard]] std::string to_string() const;
};

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
  /// Whether it never changes the state: unless a model says otherwise, the methods get, has, list,
  /// list_keys, read and size.
  [[nodiscard]] virtual bool only_reads(const Request& asked) const;
  /// Whether calls with different keys have nothing to do with each other, as long as each call of
  /// a history names a key. Histories are then checked key by key, which is much faster.
  [[nodiscard]] virtual bool splits_by_key() const { return false; }
};

/// Throws `std::invalid_argument` for a method that `model` does not know.
[[noreturn]] void refuse_method(const Model& model, const Request& asked);

/// Values by key, as the states of models hold them.
using Entries = std::map<std::string, std::string>;

/// "a=1; b=2". Keys hold no '=', and neither keys nor values "; ".
[[nodiscard]] std::string to_string(const Entries& entries);
/// What `to_string` wrote; a word without '=' is a key with the value "".
[[nodiscard]] Entries entries_of(std::string_view text);

/// "a; b", and back. "" is no word.
[[nodiscard]] std::string joined_words(const std::vector<std::string>& words);
[[nodiscard]] std::vector<std::string> words_of(std::string_view text);

}  // namespace watchlab::sim::linearizability
