package watchlab

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// install puts a program that does nothing there.
func install(t *testing.T, path ...string) string {
	t.Helper()
	program := filepath.Join(path...)
	if err := os.MkdirAll(filepath.Dir(program), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(program, []byte("#!/bin/sh\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	return program
}

func wantProgram(t *testing.T, named, folder, want string) {
	t.Helper()
	if found, err := findProgram(named, folder); err != nil || found != want {
		t.Errorf("found %q, %v instead of %q", found, err, want)
	}
}

func TestProgramIsFound(t *testing.T) {
	t.Setenv("WATCHLAB", "")
	t.Setenv("PATH", t.TempDir())
	outside := t.TempDir()
	module := filepath.Join(outside, "module")
	folder := filepath.Join(module, "pkg", "operator")
	if err := os.MkdirAll(folder, 0o755); err != nil {
		t.Fatal(err)
	}
	install(t, module, "go.mod")
	install(t, outside, ".venv", "bin", "watchlab") // not ours
	if found, err := findProgram("", folder); err == nil || !strings.Contains(err.Error(), "To get it") {
		t.Errorf("found %q, %v where there is none", found, err)
	}
	install(t, module, "watchlab-0.2.0-linux-x86_64", "bin", "watchlab")
	wantProgram(t, "", folder, install(t, module, "watchlab-0.3.0-linux-x86_64", "bin", "watchlab"))
	wantProgram(t, "", folder, install(t, module, "node_modules", ".bin", "watchlab"))
	wantProgram(t, "", folder, install(t, module, ".venv", "bin", "watchlab"))
	wantProgram(t, "", folder, install(t, os.Getenv("PATH"), "watchlab"))
	elsewhere := install(t, outside, "elsewhere")
	t.Setenv("WATCHLAB", elsewhere)
	wantProgram(t, "", folder, elsewhere)
	named := install(t, outside, "named")
	wantProgram(t, named, folder, named)
	if _, err := findProgram(filepath.Join(outside, "gone"), folder); err == nil || !strings.Contains(err.Error(), "gone") {
		t.Errorf("a program that is not there is refused with: %v", err)
	}
}
