// A library that every library of a student is linked with, and that raises the last wall.
//
// The loader first maps a library and all that it needs, for which it opens files; then it
// relocates them, those that others need before the others; and then it initialises them in the
// same order. Code of the student may run from the second step on: a function of it may be chosen
// by another one when addresses are filled in (an "ifunc"), and after that come its initialisers.
// So this library has such a function, too: what chooses it raises the wall, when everything is
// mapped and before the student's library is relocated. It is called by no name, and no name that
// it uses is one that a student's library can take: those of the toolkit come first.
#include "exercises/toolkit/seccomp_filter.hpp"
#include "sim/kernel/fiber.hpp"

#if !defined(WATCHLAB_ASAN) && !defined(WATCHLAB_TSAN)

extern "C" {

[[gnu::visibility("hidden")]] void (*watchlab_choose())();
[[gnu::visibility("hidden")]] void watchlab_chosen() __attribute__((ifunc("watchlab_choose")));

static void nothing() {}

void (*watchlab_choose())() {
  watchlab_install_seccomp_filter();
  return &nothing;
}
}

/// So that there is an address to fill in.
[[gnu::used]] static void (*const volatile filled_in)() = &watchlab_chosen;

#endif
