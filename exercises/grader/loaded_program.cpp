#include "exercises/grader/loaded_program.hpp"

#include <fmt/format.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstring>
#include <stdexcept>
#include <utility>

namespace watchlab::course {
namespace {

/// A connection that keeps messages apart.
struct Connection : Ends {
  Connection() {
    if (::socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends.data()) != 0) {
      throw std::runtime_error(fmt::format("no connection: {}", std::strerror(errno)));
    }
  }
};

/// Whether `process` is a child of this one, and so what a copy is: whatever else the program
/// answers must not be followed, and least of all ended.
bool is_own_child(pid_t process) {
  siginfo_t ignored{};
  return process > 0 &&
         ::waitid(P_PID, static_cast<id_t>(process), &ignored, WEXITED | WNOHANG | WNOWAIT) == 0;
}

}  // namespace

/// The process that waits, and what leads to it.
struct LoadedProgram::Waiting {
  Pipe output;
  Pipe reports;
  Connection settings;
  pid_t process = 0;

  [[nodiscard]] Guard::Descriptors heard() const { return {output.ends[0], reports.ends[0]}; }
};

LoadedProgram::LoadedProgram(Sandbox& sandbox, Command command, Confinement confinement)
    : sandbox_(sandbox), command_(std::move(command)), confinement_(std::move(confinement)) {}

LoadedProgram::~LoadedProgram() { unload(); }

Ended LoadedProgram::run(const std::string& settings, const Sandbox::Ear& ear) {
  Ended ended;
  // A copy of before may have ended or stopped the program itself: then it is loaded once more.
  const bool was_loaded = waiting_ != nullptr;
  pid_t copy = copied(settings, ended);
  if (copy == 0 && was_loaded) {
    copy = copied(settings, ended);
  }
  if (copy == 0) {
    return ended;
  }
  Guard guard(copy, waiting_->heard(), confinement_, ear);
  static_cast<void>(guard.wait_for());
  const std::string output_before = ended.output;
  ended = guard.end();
  ended.output.insert(0, output_before);
  if (!sandbox_.has_no_other_child_than(waiting_->process)) {
    unload();
  }
  return ended;
}

void LoadedProgram::load() {
  waiting_ = std::make_unique<Waiting>();
  waiting_->process = sandbox_.start(command_, confinement_,
                                     {.output = waiting_->output.ends[1],
                                      .reports = waiting_->reports.ends[1],
                                      .settings = waiting_->settings.ends[1]});
  waiting_->output.close_end(1);
  waiting_->reports.close_end(1);
  waiting_->settings.close_end(1);
  waiting_->output.read_without_waiting();
  waiting_->reports.read_without_waiting();
}

void LoadedProgram::unload() {
  if (waiting_) {
    const pid_t process = waiting_->process;
    Guard(process, waiting_->heard(), confinement_, {}).end();
    sandbox_.end_leftovers(process);
    waiting_ = nullptr;
  }
}

/// The process that runs with `settings`; 0 when there is none, and then nothing is loaded.
pid_t LoadedProgram::copied(const std::string& settings, Ended& ended) {
  if (!waiting_) {
    load();
  }
  const int connection = waiting_->settings.ends[0];
  ::kill(waiting_->process, SIGCONT);  // a copy of before may have stopped it
  // Whether it can be sent makes no difference: a program that is not there does not answer.
  static_cast<void>(::send(connection, settings.data(), settings.size(), MSG_NOSIGNAL));
  const Sandbox::Ear deaf = [](std::string_view) {};
  // What the copy reports is not for this guard, which may still listen when it starts.
  Guard guard(waiting_->process, {.output = waiting_->output.ends[0]}, confinement_, deaf);
  pid_t copy = 0;
  // The answer of a program that has ended since then counts as well: its copy may have ended it.
  static_cast<void>(guard.wait_for(connection));
  const ssize_t answered = ::recv(connection, &copy, sizeof copy, MSG_DONTWAIT);
  if (answered == sizeof copy && copy != waiting_->process && is_own_child(copy)) {
    ended.output = guard.output();
    return copy;
  }
  if (answered == 0) {
    static_cast<void>(guard.wait_for());  // it hangs up a moment before it has ended
  }
  const pid_t process = waiting_->process;
  ended = guard.end();
  sandbox_.end_leftovers(process);
  waiting_ = nullptr;
  return 0;
}

}  // namespace watchlab::course
