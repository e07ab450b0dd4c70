package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"sort"
	"strings"

	watchlab "example.org/watchlab/goroutines"
	"example.org/watchlab/instrument"
)

// A kernel is a small program of the collection.
type kernel struct {
	name      string // blocking/etcd/7443
	file      string
	test      string
	published string // in how many of a hundred runs it failed, for those who collected it

	explored, own watchlab.Verdict
}

var (
	testName  = regexp.MustCompile(`(?m)^func (Test\w+)\(\w+ \*testing\.T\)`)
	flakyRate = regexp.MustCompile(`(?i)flaky: *(\d+/\d+)`)
)

// kernels has those of the copy that are wanted, by name.
func kernels(from string, wanted *regexp.Regexp) (all []*kernel, err error) {
	files, err := filepath.Glob(filepath.Join(from, "gobench", "goker", "*", "*", "*", "*_test.go"))
	if err != nil {
		return nil, err
	}
	for _, file := range files {
		parts := strings.Split(filepath.ToSlash(filepath.Dir(file)), "/")
		k := &kernel{name: strings.Join(parts[len(parts)-3:], "/"), published: "-"}
		if !wanted.MatchString(k.name) {
			continue
		}
		if k.file, err = filepath.Abs(file); err != nil {
			return nil, err
		}
		text, err := os.ReadFile(file)
		if err != nil {
			return nil, err
		}
		match := testName.FindSubmatch(text)
		if match == nil {
			continue
		}
		k.test = string(match[1])
		if match := flakyRate.FindSubmatch(text); match != nil {
			k.published = string(match[1])
		}
		all = append(all, k)
	}
	if len(all) == 0 {
		return nil, fmt.Errorf("%s has no such kernels: there should be %s/gobench/goker/blocking/etcd and others", from, from)
	}
	sort.Slice(all, func(i, j int) bool { return all[i].name < all[j].name })
	return all, nil
}

func ofKind(all []*kernel, kind string) (some []*kernel) {
	for _, each := range all {
		if strings.HasPrefix(each.name, kind+"/") {
			some = append(some, each)
		}
	}
	return some
}

// languageOfThen lets the iterations of a loop share its variable, which some of the bugs need.
const languageOfThen = "//go:build go1.21\n\n"

// build makes one program of all kernels: their packages exist in the overlay only, and so does the test that has
// them all.
func build(folder string, some []*kernel, own, race bool) (string, error) {
	toolchain, err := instrument.Installed()
	if err != nil {
		return "", err
	}
	module, err := exec.Command("go", "env", "GOMOD").Output()
	if err != nil {
		return "", err
	}
	root := filepath.Dir(strings.TrimSpace(string(module)))
	more := map[string]string{}
	var imports, tests strings.Builder
	for i, each := range some {
		place := fmt.Sprintf("scoreboard/kernels/k%d", i)
		text, err := os.ReadFile(each.file)
		if err != nil {
			return "", err
		}
		file := filepath.Join(folder, fmt.Sprintf("kernel%d.go", i))
		if err := os.WriteFile(file, append([]byte(languageOfThen), text...), 0o644); err != nil {
			return "", err
		}
		more[filepath.Join(root, place, "kernel.go")] = file
		fmt.Fprintf(&imports, "\tk%d \"example.org/watchlab/%s\"\n", i, place)
		fmt.Fprintf(&tests, "\t\ttesting.InternalTest{Name: %q, F: k%d.%s},\n", each.testName(), i, each.test)
	}
	all := filepath.Join(folder, "all_test.go")
	text := "package kernels\n\nimport (\n\t\"testing\"\n\n\twatchlab \"example.org/watchlab/goroutines\"\n" + imports.String() +
		")\n\nfunc TestWatchlab(t *testing.T) {\n\twatchlab.Each(t,\n" + tests.String() + "\t)\n}\n"
	if err := os.WriteFile(all, []byte(text), 0o644); err != nil {
		return "", err
	}
	more[filepath.Join(root, "scoreboard/kernels/all_test.go")] = all
	overlay, err := "", error(nil)
	if own {
		overlay, err = toolchain.WriteOwn(filepath.Join(folder, "own"))
	} else {
		overlay, err = toolchain.Keep()
	}
	if err != nil {
		return "", err
	}
	merged := filepath.Join(folder, fmt.Sprint("merged-", own, race))
	if err := os.MkdirAll(merged, 0o755); err != nil {
		return "", err
	}
	if overlay, err = instrument.Extend(overlay, merged, more); err != nil {
		return "", err
	}
	program := filepath.Join(merged, "program.test")
	words := []string{"-overlay", overlay}
	if !own {
		words = append(words, instrument.CompilerFlags...)
	}
	if race {
		words = append(words, "-race")
	}
	return program, compile(toolchain, root, "./scoreboard/kernels", program, words)
}

// compile builds the tests of a package.
func compile(toolchain instrument.Toolchain, folder, pkg, program string, flags []string) error {
	words := append([]string{"test", "-c", "-vet=off", "-o", program}, flags...)
	command := exec.Command(toolchain.Go(), append(words, pkg)...)
	command.Dir, command.Env = folder, append(os.Environ(), toolchain.Environment()...)
	if output, err := command.CombinedOutput(); err != nil {
		return fmt.Errorf("%s cannot be built: %w\n%s", pkg, err, output)
	}
	return nil
}

// testName has no slash, which would be one of subtests.
func (k *kernel) testName() string { return strings.ReplaceAll(k.name, "/", "_") }

// play makes the trials of a kernel.
func play(program string, k *kernel, asked watchlab.Asked) watchlab.Verdict {
	command := exec.Command(program, "-test.run=^TestWatchlab$/^"+k.testName()+"$", "-test.timeout=0")
	text, err := json.Marshal(asked)
	if err != nil {
		return watchlab.Verdict{Kind: watchlab.Unfit, Text: err.Error()}
	}
	command.Env = append(os.Environ(), watchlab.AskedVariable+"="+string(text))
	var output bytes.Buffer
	command.Stdout, command.Stderr = &output, &output
	ended := command.Run()
	for _, line := range strings.Split(output.String(), "\n") {
		var v watchlab.Verdict
		if rest, found := strings.CutPrefix(line, watchlab.VerdictLine); found && json.Unmarshal([]byte(rest), &v) == nil {
			return v
		}
	}
	return watchlab.Verdict{Kind: watchlab.Unfit, Text: fmt.Sprintf("it has ended without a verdict: %v", ended)}
}
