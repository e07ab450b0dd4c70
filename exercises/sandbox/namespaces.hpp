#pragma once

#include <sys/types.h>

#include <filesystem>
#include <functional>
#include <vector>

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
  /// Puts the calling process only into the user namespace that came with it, if one did.
  [[nodiscard]] bool enter_user() const;

 private:
  void keep_those_of(pid_t process, bool with_user);

  int user_ = -1;
  int network_ = -1;
};

/// A program in a numbering of processes of its own, and the first process there, which does
/// nothing: whatever loses its parent becomes its child, and when it is ended, so is all that is
/// there.
struct Numbered {
  pid_t program = 0;  ///< 0 when there can be none; a child of the calling process
  pid_t first = 0;    ///< a child as well
};

/// Starts a process that does `work`, in a new numbering: it cannot see or name any process but its
/// own. `network` is entered before, because it may bring the right to this. The result has no
/// program where this machine gives no such right; nothing is left then.
[[nodiscard]] Numbered start_numbered(const EmptyNetwork& network,
                                      const std::function<void()>& work);

/// Lets another user come to `paths` although a folder above them is closed to others, as /root and
/// many a home are: in a file system view of its own the calling process sees that folder with
/// nothing in it but the way to these paths, at their usual places. Does nothing where no folder is
/// in the way. To be called as root in a child process that is about to become another user. Throws
/// std::runtime_error with a sentence when the system does not let it.
void make_reachable(const std::vector<std::filesystem::path>& paths);

}  // namespace watchlab::course
