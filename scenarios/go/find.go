package watchlab

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
)

// places are where the program is in a module that has it from a Python wheel, an npm package, or an unpacked archive.
var places = []string{
	".venv/bin/watchlab", "venv/bin/watchlab", "node_modules/.bin/watchlab", "watchlab-*-linux-*/bin/watchlab",
}

// findProgram finds the command watchlab: the one that is named, else $WATCHLAB, else the one on the PATH, else what is
// installed in folder or in one above it, up to the one with go.mod.
func findProgram(named, folder string) (string, error) {
	if named == "" {
		named = os.Getenv("WATCHLAB")
	}
	if named != "" {
		found, err := exec.LookPath(named)
		if err != nil {
			return "", fmt.Errorf("watchlab: the program that Options.Program or $WATCHLAB names cannot be started: %w", err)
		}
		return found, nil
	}
	if found, err := exec.LookPath("watchlab"); err == nil {
		return found, nil
	}
	for {
		for _, place := range places {
			matches, _ := filepath.Glob(filepath.Join(folder, place))
			slices.Sort(matches)
			for _, found := range slices.Backward(matches) { // the newest
				if _, err := exec.LookPath(found); err == nil {
					return found, nil
				}
			}
		}
		_, err := os.Stat(filepath.Join(folder, "go.mod"))
		if above := filepath.Dir(folder); err != nil && above != folder {
			folder = above
			continue
		}
		return "", errors.New("watchlab: there is no program watchlab on the PATH, in $WATCHLAB, or in this module. To get it, " +
			"unpack watchlab-VERSION-linux-x86_64.tar.gz beside go.mod, or install the wheel there: python3 -m venv .venv && " +
			".venv/bin/pip install ./watchlab-VERSION-….whl")
	}
}
