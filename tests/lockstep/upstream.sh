#!/usr/bin/env bash
# upstream.sh VERSION   plays client-go's and controller-runtime's own tests in stories, with our server in the place
#                       of their fake client
#
# The tests are those of the downloaded modules, of client-go 0.VERSION. In the source of each the import of its fake
# client is replaced by a package of tests/lockstep/upstream, and nothing else; a file beside it, written here, hands
# the tests to a story. docs/go.md lists the tests, and those that fit no server.
#
# Environment: root is the repository, watchlab the program. Prints a line for each package.
# Exit: 0 all have passed, 1 one has not, 3 the modules cannot be had.
: "${root:?}" "${watchlab:?}"
version=$1
place=$root/build/lockstep/upstream/$version
go=k8s.io/client-go runtime=sigs.k8s.io/controller-runtime

# PACKAGE FILE FAKE, and the tests.
case $version in
  37)
    candidates=v1beta1
    modules=("$go@v0.37.2" k8s.io/api@v0.37.2 k8s.io/apimachinery@v0.37.2 "$runtime@v0.25.2")
    rows=("$go/examples/fake-client main_test.go $go/kubernetes/fake TestFakeClient"
      "$go/kubernetes_test fake_client_test.go $go/kubernetes/fake Test_ConfigMapFakeClient"
      "$go/dynamic/dynamicinformer informer_test.go $go/dynamic/fake TestFilteredDynamicSharedInformerFactory"
      "$go/tools/leaderelection leasecandidate_test.go $go/kubernetes/fake TestLeaseCandidateCreation
        TestLeaseCandidateAck"
      "$go/tools/leaderelection/resourcelock leaselock_test.go $go/kubernetes/fake TestGetError TestGet
        TestRecordEventSuccess TestRecordEventNilRecorder TestCreateError
        TestUpdateWithNilLabelsOnLease TestUpdateWithNilLabelsOnLeaseLock"
      "$runtime/pkg/envtest/komega komega_test.go $runtime/pkg/client/fake TestGet TestList TestUpdate
        TestUpdateStatus TestObject TestObjectList")
    ;;
  32)
    candidates=v1alpha2
    modules=("$go@v0.32.13" k8s.io/api@v0.32.13 k8s.io/apimachinery@v0.32.13 "$runtime@v0.20.4")
    rows=("$go/examples/fake-client main_test.go $go/kubernetes/fake TestFakeClient"
      "$go/kubernetes_test fake_client_test.go $go/kubernetes/fake Test_ConfigMapFakeClient"
      "$go/dynamic/dynamicinformer informer_test.go $go/dynamic/fake TestFilteredDynamicSharedInformerFactory"
      "$go/tools/leaderelection leasecandidate_test.go $go/kubernetes/fake TestLeaseCandidateCreation
        TestLeaseCandidateAck"
      "$runtime/pkg/envtest/komega komega_test.go $runtime/pkg/client/fake TestGet TestList TestUpdate
        TestUpdateStatus TestObject TestObjectList")
    ;;
esac

make_module() {
  rm -rf "$place"
  mkdir -p "$place"
  cp -r "$root/tests/lockstep/upstream/." "$place/"
  printf 'module upstream\n\ngo 1.26.0\n\nrequire example.org/watchlab v0.0.0\n\nreplace example.org/watchlab => %s\n' \
    "$root/scenarios/go" >"$place/go.mod"
  cd "$place" || return 1
  local each
  for each in "${modules[@]}"; do go mod edit -require "$each"; done
  # The versions stay as they are, and what the tests need as well is added.
  timeout 300 go mod tidy && timeout 300 go list -mod=mod -deps -test "${rows[@]%% *}" >/dev/null
}

# Builds the tests of a row, with our fake in the place of its import, as $place/program. The sources of its package
# are copied, since Go builds nothing else in the folder of a downloaded module.
build_tests() {
  local package=$1 file=$2 fake=$3 ours=clientgo folder name each
  shift 3
  [[ $fake != "$runtime"* ]] || ours=controller_runtime
  folder=$(go list -f '{{.Dir}}' "$package") || return 1
  [[ $(grep -c "\"$fake\"" "$folder/$file") == 1 ]] || return 1
  rm -rf tested && mkdir tested || return 1
  for each in "$folder"/*.go; do [[ $each == *_test.go ]] || cp "$each" tested/; done
  sed "s#\(\w* *\)\"$fake\"#\1\"upstream/$ours\"#" "$folder/$file" >"tested/$file"
  { printf '%s\n\nimport (\n\t"testing"\n\n\t"upstream/story"\n)\n\n' "$(grep -m1 '^package ' "$folder/$file")"
    printf 'func TestInStory(t *testing.T) {\n\tstory.Play(t, map[string]func(*testing.T){\n'
    for name in "$@"; do printf '\t\t"%s": %s,\n' "$name" "$name"; done
    printf '\t})\n}\n'; } >tested/in_story_test.go
  go test -c -mod=mod -o program ./tested
}

write_story() {
  cat >story.yaml <<YAML
apiVersion: watchlab/v1
name: story
story: A test of another module asks our server instead of its fake client.
server:
  resources:
    - {kind: LeaseCandidate, plural: leasecandidates, group: coordination.k8s.io, version: $candidates}
  objects:
    - {kind: Namespace, name: foo-ns}
    - {kind: Namespace, name: ns-foo}
    - {kind: Namespace, name: test-ns}
    - {kind: Namespace, name: test-namespace}
clients:
  - {name: test, kind: go, run: [./program, -test.v, -test.run=^TestInStory\$]}
script:
  - {when: {noted: passed}, crash: test}
expect:
  - notes: {exactly: [passed]}
YAML
}

play_row() {
  local package=$1 name output
  if ! output=$(build_tests "$@" 2>&1); then
    echo "FAIL  upstream: $package cannot be built"
    echo "$output"
    return 1
  fi
  for name in "${@:4}"; do
    # Without the overlay two runs may differ, as in which of two ready cases a select takes: no matter here.
    if ! output=$(WATCHLAB_UPSTREAM=$name "$watchlab" run --quiet story.yaml 2>&1) &&
      [[ $GOFLAGS == *-overlay* || $output != *$'\ndivergence: '* ]]; then
      echo "FAIL  upstream: $name of $package"
      echo "$output"
      return 1
    fi
  done
  echo "pass  upstream: $(($# - 3)) tests of $package, 0.$version"
}

cd "$root" || exit 1
output=$(make_module 2>&1) || { echo "$output"; exit 3; }
cd "$place" || exit 1
write_story
failed=0
for row in "${rows[@]}"; do
  read -rd '' -a words <<<"$row"
  play_row "${words[@]}" || failed=1
done
exit "$failed"
