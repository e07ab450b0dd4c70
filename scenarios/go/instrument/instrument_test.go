package instrument

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

// sources are those of a version: of the Go that runs this test, or of one that GOTOOLCHAIN has downloaded.
func sources(t *testing.T, minor string) Toolchain {
	t.Helper()
	if installed, err := Installed(); err == nil && installed.minor() == minor {
		return installed
	}
	home, err := os.UserHomeDir()
	if err != nil {
		t.Skip(err)
	}
	pattern := filepath.Join(home, "go/pkg/mod/golang.org", "toolchain@v0.0.1-"+minor+"*."+runtime.GOOS+"-"+runtime.GOARCH)
	found, _ := filepath.Glob(pattern)
	if len(found) == 0 {
		t.Skipf("no sources of %s here: GOTOOLCHAIN=%s.0 go version gets some", minor, minor)
	}
	root := found[len(found)-1]
	version, err := os.ReadFile(filepath.Join(root, "VERSION"))
	if err != nil {
		t.Fatal(err)
	}
	return Toolchain{strings.Fields(string(version))[0], root}
}

// If this fails for a new Go, docs/go-races.md says what to do.
func TestEachChangeFitsTheSourcesOfEachVersion(t *testing.T) {
	for _, minor := range Known {
		t.Run(minor, func(t *testing.T) {
			toolchain := sources(t, minor)
			folder := t.TempDir()
			overlay, err := toolchain.Write(folder)
			if err != nil {
				t.Fatal(err)
			}
			list, err := os.ReadFile(overlay)
			if err != nil || !strings.Contains(string(list), "runtime__explore_point.go") {
				t.Errorf("%s lacks what is added: %v", list, err)
			}
		})
	}
}

func TestChangedSourcesAreRefusedWithTheirPlace(t *testing.T) {
	_, err := Toolchain{"go1.26.1", ""}.texts(func(string) (string, error) { return "package runtime\n", nil })
	if err == nil || !strings.Contains(err.Error(), "runtime/synctest.go of go1.26.1 is not as this overlay knows it") {
		t.Errorf("the error is %v", err)
	}
}

func TestOtherVersionsAreRefusedWithTheList(t *testing.T) {
	for _, version := range []string{"go1.24.11", "go1.27.0", "go1.260", "devel go1.26-abc"} {
		_, err := Toolchain{version, ""}.Write(t.TempDir())
		if err == nil || !strings.Contains(err.Error(), "knows go1.25 and go1.26, and this is "+version) {
			t.Errorf("%s: the error is %v", version, err)
		}
	}
	for _, version := range []string{"go1.25", "go1.26.8", "go1.26rc1"} {
		if (Toolchain{version, ""}).minor() == "" {
			t.Errorf("%s is refused", version)
		}
	}
}

func TestTheOverlayIsKept(t *testing.T) {
	toolchain, err := Installed()
	if err != nil || toolchain.minor() == "" {
		t.Skip("made for other versions of Go")
	}
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	first, err := toolchain.Keep()
	if err != nil {
		t.Fatal(err)
	}
	before, _ := os.Stat(first)
	again, err := toolchain.Keep()
	if err != nil || again != first {
		t.Fatalf("%s, then %s (%v)", first, again, err)
	}
	if after, _ := os.Stat(again); !after.ModTime().Equal(before.ModTime()) {
		t.Error("it was written again")
	}
}
