#pragma once

#include <cstddef>
#include <string_view>

namespace watchlab::sim {

/// Two bodies, read side by side without making anything of either. Most updates change the value
/// of a member and nothing else, and to see that takes a tenth of the time of reading both.
class BodyPair {
 public:
  BodyPair(std::string_view a, std::string_view b) : a_(a), b_(b) {}

  /// True when both are JSON objects of one shape that differ in some strings. False says nothing:
  /// the bodies may be the same, or differ in a way that only reading them shows. Gives up on
  /// spaces, escapes, what is not ASCII, and members that come twice or in another order.
  [[nodiscard]] bool differs_plainly();

 private:
  [[nodiscard]] bool pass_value(int depth);
  [[nodiscard]] bool pass_object(int depth);
  [[nodiscard]] bool pass_array(int depth);
  [[nodiscard]] bool pass_strings();
  [[nodiscard]] bool pass_same_word();
  /// Both go on with this sign.
  [[nodiscard]] bool pass(char sign);

  std::string_view a_;  // what is left of it
  std::string_view b_;
  bool differ_ = false;
};

}  // namespace watchlab::sim
