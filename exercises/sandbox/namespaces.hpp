#pragma once

#include <sys/types.h>

#include <filesystem>
#include <functional>
#include <vector>

namespace watchlab::course {

/// An empty network namespace, made once and entered by each contained program, because making one
/// takes longer than starting a program. Where only a user namespace gives the right to make it, it
/// includes that user namespace.
class EmptyNetwork {
 public:
  EmptyNetwork();
  EmptyNetwork(const EmptyNetwork&) = delete;
  EmptyNetwork& operator=(const EmptyNetwork&) = delete;
  ~EmptyNetwork();

  /// Whether it can be made on this machine.
  [[nodiscard]] bool is_there() const { return network_ >= 0; }
  /// Puts the calling process into it; false when that cannot be done.
  [[nodiscard]] bool enter() const;
  /// Puts the calling process only into the user namespace that came with it, if one did.
  [[nodiscard]] bool enter_user() const;
  /// Whether there is one: its processes are counted separately from the user's others.
  [[nodiscard]] bool has_user() const { return user_ >= 0; }

 private:
  void keep_those_of(pid_t process, bool with_user);

  int user_ = -1;
  int network_ = -1;
};

/// A program in its own PID namespace, and the first process of that namespace, which does nothing:
/// processes that lose their parent become its children, and when it is ended, all others there are
/// ended too.
struct PidNamespace {
  pid_t program = 0;  ///< 0 when there can be none; a child of the calling process
  pid_t first = 0;    ///< a child as well
};

/// Starts a process that does `work`, in a new PID namespace: it can see and name only its own
/// processes. It enters `network` first, which may give the right to do this. The result has no
/// program on machines without this right; then no process is left.
[[nodiscard]] PidNamespace start_numbered(const EmptyNetwork& network,
                                          const std::function<void()>& work);

/// Gives the calling process a file system that contains only those of `paths` that exist, at the
/// same places: other files cannot even be asked for, and closed folders above `paths` do not
/// prevent access. Call it in a child process, as root or in a user namespace, before the process
/// gives up its rights. Throws std::runtime_error with the step that failed.
void show_only(const std::vector<std::filesystem::path>& paths);

/// Whether a process can do that on this machine, once it has entered the user namespace of
/// `network`.
[[nodiscard]] bool can_show_only(const EmptyNetwork& network);

/// For machines where it cannot. Throws std::runtime_error with a sentence when another user cannot
/// reach one of `paths`, because a folder above it is closed to others, as /root and many home
/// folders are.
void require_open(const std::vector<std::filesystem::path>& paths);

}  // namespace watchlab::course
