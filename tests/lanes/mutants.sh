#!/usr/bin/env bash
# mutants [NAME…] [--long]      breaks the code in small ways and checks that a test fails
#
# A mutant is a patch in tests/mutants with one small defect. It is applied to copies, the library is built with it, and
# the test programs run until one fails, dies or hangs. The lane prints one line for each: how it ended, its name, the
# clause of the contract, how long it took and the case that noticed, which must pass without the defect. Without names
# it tries a sample that changes with the commit.
#
# The fixes of docs/known_live.md are tried as well: the test that shows a surprise must notice its fix.
#
#   NAME        a mutant (core/d04_replace_forgets_the_known) or the start of its name (core/d, fixes)
#   --long      all of them
#   --sample N  the N-th sample instead of the commit's
#   --list      lists them and what each breaks
#   --json      JSON Lines
#
# Examples:
#   ./dev mutants core/d
#   ./dev mutants fixes
#   ./dev mutants --long
#
# Exit: 0 all were killed, 1 one survived or a patch no longer applies, 2 bad usage.
: "${root:?a lane is run by ./dev}"

need product
need mutants
targets=()
if [[ " $* " != *' --list '* ]]; then
  build release build.ninja || exit 1  # so that the list of programs is that of today
  mapfile -t targets < <(awk '$1 != "tidy" { print $2 }' "$root/build/release/tests/programs.txt")
  build release "${targets[@]}" || exit 1
fi
exec python3 "$root/tests/mutants/run.py" "$@"
