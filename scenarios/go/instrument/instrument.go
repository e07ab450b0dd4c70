// Package instrument writes an overlay of Go's runtime, sync and sync/atomic in which nothing in a bubble of
// testing/synctest is left to chance, and in which an exploration can choose whose turn it is.
//
// The overlay is made from the sources of the installed Go. docs/go-races.md says what to do for a new version.
package instrument

import (
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
)

//go:embed _runtime/*.go
var added embed.FS

// Toolchain is an installed Go.
type Toolchain struct{ Version, Root string }

// Go is its command.
func (t Toolchain) Go() string { return filepath.Join(t.Root, "bin", "go") }

// Environment is what its command needs to build with the overlay.
func (t Toolchain) Environment() []string { return []string{"GOROOT=" + t.Root, "GOTOOLCHAIN=local"} }

// Installed is the Go that the command go runs in this folder.
func Installed() (Toolchain, error) {
	environment, err := exec.Command("go", "env", "GOVERSION", "GOROOT").Output()
	if err != nil {
		return Toolchain{}, fmt.Errorf("there is no go: %w", err)
	}
	version, root, _ := strings.Cut(strings.TrimSpace(string(environment)), "\n")
	if strings.Contains(filepath.ToSlash(root), "/golang.org/toolchain@") {
		root, err = besideModules(root)
	}
	return Toolchain{version, root}, err
}

// besideModules is a link to a Go that GOTOOLCHAIN has downloaded: go lets nothing below its module cache be replaced.
func besideModules(root string) (string, error) {
	cache, err := os.UserCacheDir()
	if err != nil {
		return "", err
	}
	link := filepath.Join(cache, "watchlab", filepath.Base(root))
	if there, err := os.Readlink(link); err == nil && there == root {
		return link, nil
	}
	if err := os.MkdirAll(filepath.Dir(link), 0o755); err != nil {
		return "", err
	}
	part := fmt.Sprintf("%s.%d", link, os.Getpid())
	if err := os.Symlink(root, part); err != nil {
		return "", err
	}
	return link, os.Rename(part, link)
}

// minor is go1.26 of go1.26.8; empty for a version that the overlay does not know.
func (t Toolchain) minor() string {
	for _, known := range Known {
		if rest, found := strings.CutPrefix(t.Version, known); found && (rest == "" || strings.ContainsAny(rest[:1], ".r- ")) {
			return known
		}
	}
	return ""
}

// check refuses what the overlay does not fit, before anything is written.
func (t Toolchain) check() error {
	if t.minor() == "" {
		return fmt.Errorf("the overlay knows %s, and this is %s: choose one with GOTOOLCHAIN, or play without the overlay",
			strings.Join(Known, " and "), t.Version)
	}
	if runtime.GOARCH != "amd64" && runtime.GOARCH != "arm64" {
		return fmt.Errorf("the overlay needs frame pointers, as on amd64 and arm64, and this is %s", runtime.GOARCH)
	}
	return nil
}

// Write writes the overlay to the folder, and returns the file for the option -overlay.
func (t Toolchain) Write(folder string) (string, error) {
	if err := t.check(); err != nil {
		return "", err
	}
	sources := filepath.Join(t.Root, "src")
	texts, err := t.texts(func(file string) (string, error) {
		text, err := os.ReadFile(filepath.Join(sources, file))
		return string(text), err
	})
	if err != nil {
		return "", err
	}
	return t.write(folder, texts)
}

// WriteOwn writes an overlay with which Go's own scheduler goes on as it does, in bubbles where a deadlock of locks
// ends, and tests may have parts: to compare with.
func (t Toolchain) WriteOwn(folder string) (string, error) {
	texts := map[string]string{}
	for _, each := range append([]change{locksAreWaits}, tests...) {
		text, known := texts[each.file]
		if !known {
			read, err := os.ReadFile(filepath.Join(t.Root, "src", each.file))
			if err != nil {
				return "", err
			}
			text = string(read)
		}
		texts[each.file] = strings.Replace(text, each.old, each.new, 1)
	}
	return t.write(folder, texts)
}

func (t Toolchain) write(folder string, texts map[string]string) (string, error) {
	folder, err := filepath.Abs(folder)
	if err != nil {
		return "", err
	}
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return "", err
	}
	sources := filepath.Join(t.Root, "src")
	replace := map[string]string{}
	for file, text := range texts {
		place := filepath.Join(folder, strings.ReplaceAll(file, "/", "__"))
		replace[filepath.Join(sources, file)] = place
		if err := writeIfNew(place, text); err != nil {
			return "", err
		}
	}
	return writeList(folder, replace)
}

func writeList(folder string, replace map[string]string) (string, error) {
	list, err := json.MarshalIndent(map[string]any{"Replace": replace}, "", "  ")
	if err != nil {
		return "", err
	}
	overlay := filepath.Join(folder, "overlay.json")
	return overlay, writeIfNew(overlay, string(list)+"\n")
}

// Extend writes an overlay to the folder that has more files than the given one: by their places, where they are.
func Extend(overlay, folder string, more map[string]string) (string, error) {
	text, err := os.ReadFile(overlay)
	if err != nil {
		return "", err
	}
	var list struct{ Replace map[string]string }
	if err := json.Unmarshal(text, &list); err != nil {
		return "", err
	}
	for place, file := range more {
		list.Replace[place] = file
	}
	return writeList(folder, list.Replace)
}

// writeIfNew leaves a file alone that has the text, and never shows a part of it: tests of several packages
// may ask for the overlay at once.
func writeIfNew(place, text string) error {
	if there, err := os.ReadFile(place); err == nil && string(there) == text {
		return nil
	}
	part, err := os.CreateTemp(filepath.Dir(place), "part-*")
	if err != nil {
		return err
	}
	_, err = part.WriteString(text)
	if err = errors.Join(err, part.Close(), os.Chmod(part.Name(), 0o644)); err != nil {
		return err
	}
	return os.Rename(part.Name(), place)
}

// Keep writes the overlay once to the user's cache, and returns the file for the option -overlay.
func (t Toolchain) Keep() (string, error) {
	cache, err := os.UserCacheDir()
	if err != nil {
		return "", err
	}
	of := sha256.New()
	fmt.Fprint(of, t, sameEachTime, tests, turns, points, methods, functions, overlayVersion)
	files, err := added.ReadDir("_runtime")
	if err != nil {
		return "", err
	}
	for _, file := range files {
		text, err := added.ReadFile("_runtime/" + file.Name())
		if err != nil {
			return "", err
		}
		of.Write(text)
	}
	return t.Write(filepath.Join(cache, "watchlab", "overlay-"+t.Version+"-"+hex.EncodeToString(of.Sum(nil)[:6])))
}

// texts are the files of the overlay, by their place below src.
func (t Toolchain) texts(read func(file string) (string, error)) (map[string]string, error) {
	texts := map[string]string{}
	of := func(file string) error {
		if _, known := texts[file]; known {
			return nil
		}
		text, err := read(file)
		texts[file] = text
		return err
	}
	minor := t.minor()
	for _, each := range slices.Concat(sameEachTime, tests, turns, points) {
		if each.only != "" && each.only != minor {
			continue
		}
		if err := of(each.file); err != nil {
			return nil, err
		}
		if strings.Count(texts[each.file], each.old) != 1 {
			return nil, fmt.Errorf("%s of %s is not as this overlay knows it: %q should stand there once",
				each.file, t.Version, strings.TrimSpace(each.old))
		}
		texts[each.file] = strings.Replace(texts[each.file], each.old, each.new, 1)
	}
	for _, each := range methods {
		if each.only != "" && each.only != minor {
			continue
		}
		if err := of(each.file); err != nil {
			return nil, err
		}
		pattern := regexp.MustCompile(each.pattern)
		if !pattern.MatchString(texts[each.file]) {
			return nil, fmt.Errorf("%s of %s is not as this overlay knows it: it has no methods like %s",
				each.file, t.Version, each.pattern)
		}
		texts[each.file] = pattern.ReplaceAllString(texts[each.file],
			"$0\n\truntime_explore("+each.op+", unsafe.Pointer("+each.object+"))\n\t")
	}
	texts["sync/atomic/type.go"] += "\n//go:linkname runtime_explore\n//go:noescape\nfunc runtime_explore(op uint32, object unsafe.Pointer)\n"
	if err := t.functionsAndAccesses(texts, of); err != nil {
		return nil, err
	}
	for _, file := range []string{"sync/map.go", "sync/hashtriemap.go"} {
		if text, found := texts[file]; found {
			texts[file] = strings.Replace(text, "import (\n", "import (\n\t\"unsafe\"\n", 1)
		}
	}
	texts["runtime/synctest.go"] += functions
	return texts, addFiles(texts)
}

// addFiles adds the runtime's new files, with the names of the standard library's packages.
func addFiles(texts map[string]string) error {
	files, err := added.ReadDir("_runtime")
	if err != nil {
		return err
	}
	for _, file := range files {
		text, err := added.ReadFile("_runtime/" + file.Name())
		if err != nil {
			return err
		}
		texts["runtime/"+file.Name()] = string(text)
	}
	list, err := exec.Command("go", "list", "std").Output()
	if err != nil {
		return fmt.Errorf("go list std: %w", err)
	}
	var names strings.Builder
	names.WriteString("package runtime\n\nfunc exploreStandard(pkg string) bool {\n\tswitch pkg {\n\tcase ")
	names.WriteString(`"example.org/watchlab"`) // the border of a story's program: no part of what is explored
	for _, name := range strings.Fields(string(list)) {
		fmt.Fprintf(&names, ",\n\t\t%q", name)
	}
	names.WriteString(":\n\t\treturn true\n\t}\n\treturn false\n}\n")
	texts["runtime/explore_standard.go"] = names.String()
	return nil
}
