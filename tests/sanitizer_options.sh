# Sourced before a sanitized program runs: by the test lane and by digest_agreement.sh.
# shellcheck shell=bash
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
# Fibers need no fake stacks, which would make them ten times slower.
export ASAN_OPTIONS=detect_stack_use_after_return=0:${ASAN_OPTIONS:-}
export LSAN_OPTIONS=suppressions=$here/leaks.supp:print_suppressions=0
export UBSAN_OPTIONS=print_stacktrace=1:halt_on_error=1
export TSAN_OPTIONS=halt_on_error=1:second_deadlock_stack=1:suppressions=$here/races.supp
export ASAN_SYMBOLIZER_PATH=/usr/bin/llvm-symbolizer-16
export TSAN_SYMBOLIZER_PATH=$ASAN_SYMBOLIZER_PATH
