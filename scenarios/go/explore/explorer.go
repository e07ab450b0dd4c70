package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"

	watchlab "example.org/watchlab/goroutines"
	"example.org/watchlab/instrument"
)

// explorer builds the tests of packages with the overlay, and plays them.
type explorer struct {
	toolchain instrument.Toolchain
	overlay   string
	options   watchlab.Options
	wanted    *regexp.Regexp
	folder    string
	count     map[string]int
	out       io.Writer
}

func newExplorer(options watchlab.Options, wanted *regexp.Regexp) (*explorer, error) {
	toolchain, err := instrument.Installed()
	if err != nil {
		return nil, err
	}
	overlay, err := toolchain.Keep()
	if err != nil {
		return nil, err
	}
	folder, err := os.MkdirTemp("", "watchlab-")
	return &explorer{toolchain, overlay, options, wanted, folder, map[string]int{}, os.Stdout}, err
}

func (e *explorer) close() { os.RemoveAll(e.folder) }

func (e *explorer) summary() string {
	return fmt.Sprintf("%d passed, %d found, %d do not fit", e.count[watchlab.Passed], e.count[watchlab.Found], e.count[watchlab.Unfit])
}

// say prints a verdict: a line, and for a finding what comes after it.
func (e *explorer) say(p goPackage, v watchlab.Verdict) {
	e.count[v.Kind]++
	first, rest, _ := strings.Cut(strings.TrimPrefix(v.Text, "watchlab: "), "\n")
	if v.Kind == watchlab.Passed {
		rest = ""
	}
	fmt.Fprintf(e.out, "%-6s %s %s: %s\n", v.Kind, p.ImportPath, v.Test, first)
	if rest != "" {
		fmt.Fprintln(e.out, "       "+strings.ReplaceAll(strings.TrimSpace(rest), "\n", "\n       "))
	}
}

// explore plays the wanted tests of a package, each by a process of its own.
func (e *explorer) explore(p goPackage) {
	both, err := halves(p)
	if err != nil {
		e.say(p, watchlab.Verdict{Test: "all", Kind: watchlab.Unfit, Text: err.Error()})
		return
	}
	program, built := "", error(nil)
	for _, h := range both {
		for _, test := range h.explored {
			if e.wanted.MatchString(test) {
				e.say(p, watchlab.Verdict{Test: test, Kind: watchlab.Unfit, Text: "it calls Explore itself: go test plays it"})
			}
		}
		for _, test := range h.tests {
			if !e.wanted.MatchString(test) {
				continue
			}
			if program == "" && built == nil {
				program, built = e.build(p, both)
			}
			if built != nil {
				e.say(p, watchlab.Verdict{Test: "all", Kind: watchlab.Unfit, Text: built.Error()})
				return
			}
			e.say(p, e.play(p, program, h, test))
		}
	}
}

// build builds the tests of the package, and the file that hands them over.
func (e *explorer) build(p goPackage, both []half) (string, error) {
	replaced := map[string]string{}
	for _, h := range both {
		if len(h.tests) == 0 {
			continue
		}
		name := "watchlab_" + h.name + "_each_test.go"
		file := filepath.Join(e.folder, name)
		if err := os.WriteFile(file, []byte(h.source()), 0o644); err != nil {
			return "", err
		}
		replaced[filepath.Join(p.Dir, name)] = file
	}
	overlay, err := instrument.Extend(e.overlay, e.folder, replaced)
	if err != nil {
		return "", err
	}
	program := filepath.Join(e.folder, "program.test")
	words := append([]string{"test", "-c", "-vet=off", "-overlay", overlay, "-o", program}, instrument.CompilerFlags...)
	if e.options.Race {
		words = append(words, "-race")
	}
	command := exec.Command(e.toolchain.Go(), append(words, p.ImportPath)...)
	command.Env = append(os.Environ(), e.toolchain.Environment()...)
	if output, err := command.CombinedOutput(); err != nil {
		return "", fmt.Errorf("it cannot be built with the overlay: %s", strings.TrimSpace(string(output)))
	}
	return program, nil
}

func (e *explorer) play(p goPackage, program string, h half, test string) watchlab.Verdict {
	command := exec.Command(program, "-test.run=^"+h.wrapper+"$/^"+test+"$", "-test.timeout=0")
	command.Dir = p.Dir
	flags := ""
	if e.options.Race {
		flags = "-race "
	}
	asked := watchlab.Asked{Options: e.options, Replay: fmt.Sprintf("go run example.org/watchlab/explore %s-run '^%s$' %s", flags, test, p.ImportPath)}
	text, err := json.Marshal(asked)
	if err != nil {
		return watchlab.Verdict{Test: test, Kind: watchlab.Unfit, Text: err.Error()}
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
	last := output.String()
	return watchlab.Verdict{Test: test, Kind: watchlab.Unfit, Text: fmt.Sprintf("it has ended without a verdict (%v): %s", ended, last[max(0, len(last)-500):])}
}
