package main

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

func TestChangesFitTheInstalledRuntime(t *testing.T) {
	if !strings.HasPrefix(runtime.Version(), knownVersion) {
		t.Skip("made for another version of Go")
	}
	folder := t.TempDir()
	if err := write(folder); err != nil {
		t.Fatal(err)
	}
	list, err := os.ReadFile(filepath.Join(folder, "overlay.json"))
	if err != nil || strings.Count(string(list), folder) != 7 {
		t.Errorf("seven files should be replaced: %s %v", list, err)
	}
}

func TestRuntimeOfAnotherVersionIsRefused(t *testing.T) {
	_, err := changed(func(string) (string, error) { return "package runtime\n", nil })
	if err == nil || !strings.Contains(err.Error(), "runtime/synctest.go is not as this overlay knows it") {
		t.Errorf("the error is %v", err)
	}
}
