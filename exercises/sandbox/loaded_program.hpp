#pragma once

#include <sys/types.h>

#include <functional>
#include <memory>
#include <string>

#include "exercises/sandbox/guard.hpp"
#include "exercises/sandbox/sandbox.hpp"

namespace watchlab::course {

/// A contained test program that was loaded once and waits, before any code of the student has run;
/// each run is a copy of it, because loading a program takes several times as long as copying it. A
/// copy does not see what earlier copies did: the loaded program itself only waits and copies
/// itself (exercises/toolkit/copies.hpp), and is loaded again after a copy has left anything
/// behind.
///
/// Only one run at a time among all loaded programs of a sandbox; not for several threads.
class LoadedProgram {
 public:
  /// What is done about the files that it loads, each time.
  struct Files {
    std::function<void()> show = [] {};  ///< before it is started
    std::function<void()> hide = [] {};  ///< when it is loaded, and nothing of the student has run
  };

  /// Nothing is started before the first run. `sandbox` outlives it.
  LoadedProgram(Sandbox& sandbox, Command command, Confinement confinement, Files files);
  LoadedProgram(const LoadedProgram&) = delete;
  LoadedProgram& operator=(const LoadedProgram&) = delete;
  ~LoadedProgram();

  /// Runs a copy to its end, or ends it; `settings` is what it reads. If the program cannot even be
  /// loaded, the result says how loading ended. No process that the copy has started is left
  /// afterwards.
  ///
  /// With a `library`, a copy of that program runs beside it, connected with it by
  /// `kLibraryDescriptor`, and ends with it. If the library ended or stopped answering, the result
  /// is that of the library.
  struct Library {
    LoadedProgram* program = nullptr;
    std::string settings;
    Sandbox::Listener listener;  ///< hears its reports; empty for a program that has none
  };
  Ended run(const std::string& settings, const Sandbox::Listener& listener, const Library& library);
  /// Ends the loaded program and all others of the sandbox that wait; the next run loads it again.
  void unload();

 private:
  struct Waiting;

  void forget_what_was_ended();
  [[nodiscard]] bool load(Ended& ended);
  [[nodiscard]] pid_t copied(const std::string& settings, int connected, Ended& ended);
  [[nodiscard]] Ended ended_of(Guard& guard, pid_t answer);
  [[nodiscard]] pid_t started(const std::string& settings, int connected, Ended& ended);
  [[nodiscard]] Ended followed(pid_t copy, const Sandbox::Listener& listener,
                               const Library& library, pid_t library_copy);

  Sandbox& sandbox_;
  Command command_;
  Confinement confinement_;
  Files files_;
  std::unique_ptr<Waiting> waiting_;  ///< null while nothing is loaded
};

}  // namespace watchlab::course
