// Package watchlab lets Go programs that talk to a Kubernetes API server live in a story of
// watchlab: unmodified controllers, on the story's clock, with its network and its faults.
//
//	func TestOperator(t *testing.T) {
//		options := watchlab.Options{Scenario: "operator.yaml", Seed: 7}
//		watchlab.Test(t, options, func(ctx context.Context, cfg *rest.Config, note watchlab.Note) {
//			runOperator(ctx, cfg)
//		})
//	}
//
// The function runs in a bubble of testing/synctest. docs/go.md of watchlab says what it may do.
package watchlab

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"k8s.io/client-go/rest"
)

// Note puts a line into the record of the story, where conditions and expectations can see it.
type Note func(format string, args ...any)

// Options says which story is played.
type Options struct {
	// Scenario is the story's file, or the name of one that is shipped.
	Scenario string
	// Seed is that of all random draws; 0 is the file's own.
	Seed uint64
	// Program is the command watchlab; if left out $WATCHLAB, or what is found on the PATH or in this module.
	Program string
}

const (
	descriptorVariable = "WATCHLAB_LOCKSTEP"   // set by watchlab for the programs of a story
	programVariable    = "WATCHLAB_GO_PROGRAM" // of clients of the kind go that have no run
	serverVariable     = "WATCHLAB_URL"        // set by watchlab serve for the command behind --
)

// Test plays the story with body as its client of the kind go, and fails t when the story does not
// hold. The world starts this test once more, as a process of its own, in which body runs. Behind
// watchlab serve, body runs in real time against that server instead, until serve ends it.
//
// When ctx ends, body has to return: the story has asked the program to stop. All goroutines that
// it has started must have ended, or end with ctx.
func Test(t *testing.T, options Options, body func(ctx context.Context, cfg *rest.Config, note Note)) {
	t.Helper()
	if number := os.Getenv(descriptorVariable); number != "" {
		descriptor, err := strconv.Atoi(number)
		if err != nil {
			t.Fatalf("watchlab: %s is no descriptor: %q", descriptorVariable, number)
		}
		live(t, descriptor, body)
		return
	}
	if url := os.Getenv(serverVariable); url != "" {
		ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGTERM)
		defer stop()
		body(ctx, &rest.Config{Host: url}, t.Logf)
		return
	}
	command, err := storyCommand(t.Name(), options)
	if err != nil {
		t.Fatal(err)
	}
	printed, err := command.CombinedOutput()
	if err != nil {
		t.Fatalf("watchlab: the story %s: %v\n%s", options.Scenario, err, printed)
	}
	t.Logf("%s", printed)
}

// storyCommand is the command that plays the story with that test of this program.
func storyCommand(test string, options Options) (*exec.Cmd, error) {
	if options.Scenario == "" {
		return nil, fmt.Errorf("watchlab: Options.Scenario names no story")
	}
	self, err := os.Executable()
	if err != nil {
		return nil, fmt.Errorf("watchlab: this test does not know where its program is: %w", err)
	}
	folder, err := os.Getwd() // that of the package, wherever the story is
	if err != nil {
		return nil, err
	}
	watchlab, err := findProgram(options.Program, folder)
	if err != nil {
		return nil, err
	}
	words := []string{"run", options.Scenario}
	if options.Seed != 0 {
		words = append(words, "--seed", strconv.FormatUint(options.Seed, 10))
	}
	var pattern []string
	for _, part := range strings.Split(test, "/") {
		pattern = append(pattern, "^"+part+"$")
	}
	program, err := json.Marshal([]string{"sh", "-c", `cd "$0" && exec "$@"`, folder, self,
		"-test.run=" + strings.Join(pattern, "/"), "-test.count=1"})
	if err != nil {
		return nil, err
	}
	command := exec.Command(watchlab, words...)
	command.Env = append(os.Environ(), programVariable+"="+string(program))
	return command, nil
}
