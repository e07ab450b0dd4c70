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
  /// Whether one did: processes there are counted apart from the user's others.
  [[nodiscard]] bool has_user() const { return user_ >= 0; }

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

/// Shows the calling process a file system that holds nothing but `paths`, those that there are, at
/// their own places: what else lies there cannot even be asked for, and a folder above them that is
/// closed to the user that it becomes is not in the way. To be called in a child process, by root
/// or in a user namespace, before it gives up what it may. Throws std::runtime_error with what it
/// could not do.
void show_only(const std::vector<std::filesystem::path>& paths);

/// Whether this machine lets a process do that, once it has entered the user namespace of
/// `network`.
[[nodiscard]] bool can_show_only(const EmptyNetwork& network);

/// For machines that do not. Throws std::runtime_error with a sentence when another user cannot
/// come to one of `paths`, because a folder above it is closed to others, as /root and many a home
/// are.
void require_open(const std::vector<std::filesystem::path>& paths);

}  // namespace watchlab::course
