package watchlab

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"strings"
	"sync"

	"example.org/watchlab/instrument"
)

// program is the test program with the overlay: this one, if it has it, or one that is built from the folder in
// which this test runs; with -race, if accesses to memory are to be points.
func program(race bool) (string, error) {
	if race && (runtime.GOARCH != "amd64" || !cgoWorks()) {
		return "", errors.New("Options.Race needs amd64, and a C compiler with CGO_ENABLED=1, as go test -race does")
	}
	if race && !raced() {
		return racedProgram()
	}
	return plainProgram()
}

var plainProgram = sync.OnceValues(func() (string, error) { return build(buildFlags()) })

var racedProgram = sync.OnceValues(func() (string, error) {
	if hooks != nil {
		return "", errors.New("Options.Race needs a test that is built with -race, when it is built with the overlay")
	}
	return build(append(buildFlags(), "-race"))
})

// executable is this program. In a sandbox without /proc nothing tells more than how it was started.
func executable() (string, error) {
	path, err := os.Executable()
	if err != nil && filepath.IsAbs(os.Args[0]) {
		return os.Args[0], nil
	}
	return path, err
}

func cgoWorks() bool {
	output, err := exec.Command("go", "env", "CGO_ENABLED", "CC").Output()
	enabled, compiler, _ := strings.Cut(strings.TrimSpace(string(output)), "\n")
	if err == nil && enabled == "1" {
		_, err = exec.LookPath(strings.Fields(compiler + " cc")[0])
	}
	return err == nil && enabled == "1"
}

func build(flags []string) (string, error) {
	if hooks != nil && hooks.version != hooksVersion {
		return "", fmt.Errorf("this test is built with an overlay of another version of watchlab: write it again with " +
			"go run example.org/watchlab/overlay")
	}
	if hooks != nil {
		return executable()
	}
	toolchain, err := instrument.Installed()
	if err != nil {
		return "", fmt.Errorf("%w: it builds the test again, with an overlay of Go's runtime", err)
	}
	overlay, err := toolchain.Keep()
	if err != nil {
		return "", err
	}
	built, err := kept(overlay, flags)
	if err != nil {
		return "", err
	}
	words := []string{"test", "-c", "-vet=off", "-overlay", overlay, "-o", built}
	words = append(append(append(words, instrument.CompilerFlags...), flags...), ".")
	command := exec.Command(toolchain.Go(), words...)
	command.Env = append(os.Environ(), toolchain.Environment()...)
	if printed, err := command.CombinedOutput(); err != nil {
		return "", fmt.Errorf("the test cannot be built with the overlay: %w\n%s", err, printed)
	}
	return built, nil
}

// kept is where the program of this package is kept from one go test to the next: one for each way to build it.
func kept(overlay string, flags []string) (string, error) {
	folder, err := os.Getwd()
	if err != nil {
		return "", err
	}
	of := sha256.Sum256([]byte(fmt.Sprint(folder, overlay, flags)))
	programs := filepath.Join(filepath.Dir(filepath.Dir(overlay)), "programs")
	return filepath.Join(programs, hex.EncodeToString(of[:8])+".test"), os.MkdirAll(programs, 0o755)
}

// buildFlags are those of this program that change what is built.
func buildFlags() (flags []string) {
	info, found := debug.ReadBuildInfo()
	if !found {
		return nil
	}
	for _, each := range info.Settings {
		switch {
		case each.Key == "-race" && each.Value == "true":
			flags = append(flags, "-race")
		case each.Key == "-tags" && each.Value != "":
			flags = append(flags, "-tags="+each.Value)
		}
	}
	return flags
}

func raced() bool {
	for _, flag := range buildFlags() {
		if flag == "-race" {
			return true
		}
	}
	return false
}
