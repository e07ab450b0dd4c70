#include "exercises/sandbox/loaded_program.hpp"

#include <fmt/format.h>
#include <sched.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <stdexcept>
#include <utility>
#include <vector>

#include "exercises/sandbox/processes.hpp"
#include "exercises/toolkit/protocol.hpp"
#include "exercises/toolkit/remote_protocol.hpp"

namespace watchlab::course {
namespace {

/// Sends settings, and a descriptor with them if there is one. Whether they arrive makes no
/// difference: a program that is not there does not answer.
void send_settings(int to, const std::string& settings, int descriptor) {
  iovec text{const_cast<char*>(settings.data()), settings.size()};
  alignas(cmsghdr) std::array<char, CMSG_SPACE(sizeof(int))> extra{};
  msghdr message{};
  message.msg_iov = &text;
  message.msg_iovlen = 1;
  if (descriptor >= 0) {
    message.msg_control = extra.data();
    message.msg_controllen = extra.size();
    cmsghdr* const header = CMSG_FIRSTHDR(&message);
    header->cmsg_level = SOL_SOCKET;
    header->cmsg_type = SCM_RIGHTS;
    header->cmsg_len = CMSG_LEN(sizeof descriptor);
    std::memcpy(CMSG_DATA(header), &descriptor, sizeof descriptor);
  }
  static_cast<void>(::sendmsg(to, &message, MSG_NOSIGNAL));
}

/// Of two programs one waits whenever the other runs: on one processor they take turns faster.
void keep_together(pid_t one, pid_t other) {
  cpu_set_t here;
  CPU_ZERO(&here);
  CPU_SET(static_cast<std::size_t>(::sched_getcpu()), &here);
  for (const pid_t process : {one, other}) {
    ::sched_setaffinity(process, sizeof here, &here);
  }
}

constexpr pid_t kNoAnswer = 0;
constexpr pid_t kHungUp = -1;

/// What the program has answered.
pid_t answer_of(int connection) {
  pid_t answer = kNoAnswer;
  const ssize_t size = ::recv(connection, &answer, sizeof answer, MSG_DONTWAIT);
  return size == sizeof answer ? answer : size == 0 ? kHungUp : kNoAnswer;
}

/// Hears nothing of what a program reports.
const Sandbox::Listener& deaf() {
  static const Sandbox::Listener listener = [](std::string_view) {};
  return listener;
}

/// The child of this process that is not one of those that there were `before`, and has the number
/// that the program answers; 0 when there is none. Whatever else the program answers must not be
/// followed, and least of all ended.
pid_t new_child(pid_t answer, const std::vector<pid_t>& before) {
  for (const pid_t child : children_of(::getpid())) {
    if (std::ranges::find(before, child) == before.end() && number_within(child) == answer) {
      return child;
    }
  }
  return 0;
}

}  // namespace

/// The process that waits, and what leads to it.
struct LoadedProgram::Waiting {
  Connection output;
  Connection reports;
  Connection settings{SOCK_SEQPACKET};
  pid_t process = 0;
  std::uint64_t endings = 0;  ///< of the sandbox, when it was loaded

  [[nodiscard]] Guard::Descriptors received() const { return {output.ends[0], reports.ends[0]}; }
};

LoadedProgram::LoadedProgram(Sandbox& sandbox, Command command, Confinement confinement,
                             Files files)
    : sandbox_(sandbox),
      command_(std::move(command)),
      confinement_(std::move(confinement)),
      files_(std::move(files)) {}

LoadedProgram::~LoadedProgram() { unload(); }

Ended LoadedProgram::run(const std::string& settings, const Sandbox::Listener& listener,
                         const Library& beside) {
  LoadedProgram* const library = beside.program;
  forget_what_was_ended();
  if (library != nullptr) {
    library->forget_what_was_ended();
  }
  Ended ended;
  // As many messages as are read, and no more, whatever else has arrived: who sends two and reads
  // whether both are answered yet would have a clock.
  Connection between{SOCK_SEQPACKET};
  const pid_t library_copy =
      library != nullptr ? library->started(beside.settings, between.ends[1], ended) : 0;
  if (library != nullptr && library_copy == 0) {
    return ended;
  }
  const pid_t copy = started(settings, library != nullptr ? between.ends[0] : -1, ended);
  // From here on each end is closed when its program ends, which the other one so learns.
  between.close_end(0);
  between.close_end(1);
  if (copy != 0) {
    if (library != nullptr) {
      keep_together(copy, library_copy);
    }
    const std::string output_before = ended.output;
    ended = followed(copy, listener, beside, library_copy);
    ended.output.insert(0, output_before);
  } else if (library != nullptr) {
    library->unload();
  }
  if (!sandbox_.has_only_kept()) {
    unload();
    if (library != nullptr) {
      library->unload();
    }
  }
  return ended;
}

/// A copy; 0 when there is none. A copy of before may have ended or stopped the program itself:
/// then it is loaded once more.
pid_t LoadedProgram::started(const std::string& settings, int connected, Ended& ended) {
  const bool was_loaded = waiting_ != nullptr;
  const pid_t copy = copied(settings, connected, ended);
  return copy == 0 && was_loaded ? copied(settings, connected, ended) : copy;
}

Ended LoadedProgram::followed(pid_t copy, const Sandbox::Listener& listener, const Library& beside,
                              pid_t library_copy) {
  LoadedProgram* const library = beside.program;
  Guard::Descriptors received = waiting_->received();
  if (library != nullptr) {
    received.library_output = library->waiting_->output.ends[0];
    received.library_reports = beside.listener ? library->waiting_->reports.ends[0] : -1;
    received.library_listener = beside.listener;
  }
  Guard guard(copy, received, confinement_, listener);
  static_cast<void>(guard.wait_for());
  Ended ended = guard.end();
  if (library != nullptr) {
    Guard other(library_copy, {}, library->confinement_, deaf());
    const bool is_library_over =
        ended.how == Ended::How::Exited && ended.status == kLibraryEndedStatus;
    if (is_library_over) {
      static_cast<void>(other.wait_for());
    }
    const Ended library_ended = other.end();
    if (is_library_over) {
      ended.how = library_ended.how;
      ended.status = library_ended.status;
    }
  }
  return ended;
}

/// All that the sandbox had kept may have been ended because of another program.
void LoadedProgram::forget_what_was_ended() {
  if (waiting_ && waiting_->endings != sandbox_.endings()) {
    waiting_ = nullptr;
  }
}

/// False when the program has ended instead, or does not come to its end.
bool LoadedProgram::load(Ended& ended) {
  files_.show();
  waiting_ = std::make_unique<Waiting>();
  waiting_->endings = sandbox_.endings();
  waiting_->process = sandbox_.start(command_, confinement_,
                                     {.output = waiting_->output.ends[1],
                                      .reports = waiting_->reports.ends[1],
                                      .settings = waiting_->settings.ends[1]});
  waiting_->output.close_end(1);
  waiting_->reports.close_end(1);
  waiting_->settings.close_end(1);
  waiting_->output.read_without_waiting();
  waiting_->reports.read_without_waiting();
  Guard guard(waiting_->process, {.output = waiting_->output.ends[0]}, confinement_, deaf());
  static_cast<void>(guard.wait_for(waiting_->settings.ends[0]));
  const pid_t answer = answer_of(waiting_->settings.ends[0]);
  files_.hide();
  if (answer <= 0 || answer != number_within(waiting_->process)) {
    ended = ended_of(guard, answer);
  } else {
    sandbox_.keep(waiting_->process);
  }
  return waiting_ != nullptr;
}

void LoadedProgram::unload() {
  forget_what_was_ended();
  if (!waiting_) {
    return;
  }
  const pid_t process = waiting_->process;
  Guard(process, waiting_->received(), confinement_, deaf()).end();
  waiting_ = nullptr;
  sandbox_.end_leftovers(process);
}

/// How a program ended that should wait; nothing is loaded any more.
Ended LoadedProgram::ended_of(Guard& guard, pid_t answer) {
  if (answer == kHungUp) {
    static_cast<void>(guard.wait_for());  // it hangs up a moment before it has ended
  }
  const pid_t process = waiting_->process;
  Ended ended = guard.end();
  sandbox_.end_leftovers(process);
  waiting_ = nullptr;
  return ended;
}

/// The process that runs with `settings`; 0 when there is none, and then nothing is loaded.
pid_t LoadedProgram::copied(const std::string& settings, int connected, Ended& ended) {
  if (!waiting_ && !load(ended)) {
    return 0;
  }
  const int connection = waiting_->settings.ends[0];
  const std::vector<pid_t> before = children_of(::getpid());
  ::kill(waiting_->process, SIGCONT);  // a copy of before may have stopped it
  send_settings(connection, settings, connected);
  // What the copy reports is not for this guard, which may still listen when it starts.
  Guard guard(waiting_->process, {.output = waiting_->output.ends[0]}, confinement_, deaf());
  // The answer of a program that has ended since then counts as well: its copy may have ended it.
  static_cast<void>(guard.wait_for(connection));
  const pid_t answer = answer_of(connection);
  if (const pid_t copy = answer > 0 ? new_child(answer, before) : 0; copy != 0) {
    ended.output = guard.output();
    return copy;
  }
  ended = ended_of(guard, answer);
  return 0;
}

}  // namespace watchlab::course
