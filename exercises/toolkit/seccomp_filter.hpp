#pragma once

namespace watchlab::course {

/// The file that every library of a student is linked with. The loader raises the last wall when it
/// comes to it, which is after the student's library is in memory and before anything of it runs
/// (exercises/sandbox/wall_library.cpp).
inline constexpr const char* kWallLibrary = "libwatchlab-wall.so";

/// Takes the pages with the kernel's clock out of this process, for good. The kernel maps them into
/// every program, and functions beside them (the vDSO) read the time from there without a system
/// call, so that no filter sees it. Afterwards these functions are a SIGSEGV, so nothing in the
/// process may ask for the time. The functions themselves stay: on some processors signals return
/// through them, and what unwinds a stack looks at them.
///
/// False when they are not found, or the kernel keeps them where they are.
[[nodiscard]] bool unmap_clock_page();

/// Gets the last wall ready, in a process that holds no code of a student yet: from here on it can
/// be raised.
void prepare_seccomp_filter();

/// Where that file lies: beside the toolkit. What loads a student's library must be let to it.
[[nodiscard]] const char* path_of_wall_library();

}  // namespace watchlab::course

/// Raises the last wall around this process, for good, if it is ready; a second call does nothing.
///
/// Behind it the process may use memory and what is open, handle signals and end, and nothing else:
/// every other call of the kernel fails with EPERM. What is left gives no time and no number that
/// the kernel counts for the whole machine, and changes no such number: nothing can be made, opened
/// or looked at, and no call waits for a time. The number of the process, which goes up from run to
/// run, is 0. The kernel's clock that is read without a call is not in memory any more: to ask it
/// is a SIGSEGV.
extern "C" void watchlab_install_seccomp_filter();
