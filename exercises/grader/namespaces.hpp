#pragma once

#include <sys/types.h>

namespace watchlab::course {

/// A network that has nothing in it, made once and entered by each contained program: to make one
/// takes longer than to start a program. Where only a user namespace gives the right to make it,
/// that one comes with it.
class EmptyNetwork {
 public:
  EmptyNetwork();
  EmptyNetwork(const EmptyNetwork&) = delete;
  EmptyNetwork& operator=(const EmptyNetwork&) = delete;
  ~EmptyNetwork();

  /// Whether this machine lets one be made.
  [[nodiscard]] bool is_there() const { return network_ >= 0; }
  /// Puts the calling process into it; false when that cannot be done.
  [[nodiscard]] bool enter() const;

 private:
  void keep_those_of(pid_t process, bool with_user);

  int user_ = -1;
  int network_ = -1;
};

}  // namespace watchlab::course
