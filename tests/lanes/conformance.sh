#!/usr/bin/env bash
# conformance [--stories N]     plays the stories to the real client-go and compares what it does
#
# All shipped scenarios and N generated stories with legal faults are played by watchlab, and each
# client's part of them by client-go 0.32 in virtual time. docs/conformance.md says what is compared.
# Needs Go 1.25 or later; without it there is one line that says so, and with CI=true a failure.
#
#   --stories N  how many generated stories (300 if left out), seeds 1 to N
#
# Examples:
#   ./watchlab conformance
#   ./watchlab conformance --stories 20000
#
# Exit: 0 no difference (or no Go), 1 differences or no Go in CI, 2 the call was wrong.
: "${root:?a lane is run by ./watchlab}"

stories=300
while (($#)); do
  case $1 in
    --stories)
      [[ ${2:-} =~ ^[1-9][0-9]*$ ]] || refuse "conformance: --stories takes a number, as in --stories 300"
      stories=$2
      shift 2
      ;;
    *) refuse "conformance: there is no argument $1; see ./watchlab conformance --help" ;;
  esac
done

without_go() {
  if [[ ${CI:-} ]]; then
    say "conformance: $1; in CI that is a failure"
    exit 1
  fi
  say "conformance: skipped: $1"
  exit 0
}

command -v go >/dev/null || without_go "there is no Go here, and 1.25 or later is needed"
version=$(go env GOVERSION)
[[ $version =~ ^go1\.([0-9]+) ]] || without_go "the version of Go, '$version', says nothing"
((BASH_REMATCH[1] >= 25)) || without_go "Go 1.25 or later is needed, here is $version"

need product
build release "${program:?set by ./watchlab}" || exit 1
here=$root/build/conformance
mkdir -p "$here"
(cd "$root/tests/conformance/client-go" && go test -c -o "$here/client-go" .) || {
  say "conformance: the Go program cannot be built"
  exit 1
}
"$root/build/release/$program" transcribe --quiet "$root/scenarios" --stories "1..$stories" \
  -o "$here/transcripts.jsonl" || exit 1
WATCHLAB_TRANSCRIPTS=$here/transcripts.jsonl "$here/client-go" -test.v -test.timeout 2h \
  >"$here/client-go.log" 2>&1 && status=0 || status=1
sed -n '/SUMMARY/d; s/^ *conformance_test.go:[0-9]*: //p' "$here/client-go.log"
summary=$(sed -n 's/^.*SUMMARY //p' "$here/client-go.log")
[[ $summary ]] || {
  cat "$here/client-go.log" >&2
  say "conformance: the Go program did not come to its end"
  exit 1
}
echo "$summary"
exit "$status"
