package main

import (
	"go/parser"
	"go/token"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	watchlab "example.org/watchlab/goroutines"
)

// A program with the form of those of GoKer.
const leaking = `package demo1

import "testing"

/*
 * Flaky: 7/100
 */

func TestDemo1(t *testing.T) {
	answers, stop := make(chan int), make(chan int)
	go func() { answers <- 1 }()
	go func() { close(stop) }()
	select {
	case <-answers:
	case <-stop:
	}
}
`

func copyOfOne(t *testing.T) string {
	t.Helper()
	folder := t.TempDir()
	place := filepath.Join(folder, "gobench/goker/blocking/demo/1")
	if err := os.MkdirAll(place, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(place, "demo1_test.go"), []byte(leaking), 0o644); err != nil {
		t.Fatal(err)
	}
	return folder
}

func TestAKernelIsFoundAndCompared(t *testing.T) {
	all, err := kernels(copyOfOne(t), regexp.MustCompile("demo"))
	if err != nil || len(all) != 1 || all[0].name != "blocking/demo/1" || all[0].test != "TestDemo1" || all[0].published != "7/100" {
		t.Fatalf("%+v (%v)", all, err)
	}
	folder := t.TempDir()
	for _, own := range []bool{false, true} {
		program, err := build(folder, all, own, false)
		if err != nil {
			t.Fatal(err)
		}
		v := play(program, all[0], watchlab.Asked{Trials: 2, Own: own, Options: watchlab.Options{Runs: 1000}})
		if v.Kind == watchlab.Unfit || len(v.Trials) != 2 {
			t.Fatalf("own %v: %+v", own, v)
		}
		if each := v.Trials[0]; !own && (each.Kind != "leak" || each.Run < 1 || each.Run > 50) {
			t.Errorf("%+v", each)
		}
	}
}

func TestAFolderWithoutKernelsIsRefused(t *testing.T) {
	if _, err := kernels(t.TempDir(), regexp.MustCompile("")); err == nil || !strings.Contains(err.Error(), "has no such kernels") {
		t.Errorf("the error is %v", err)
	}
}

func TestWhatWasNotFoundIsLongerThanAll(t *testing.T) {
	for want, of := range map[string][]watchlab.Trial{
		"3 [1, 40]":    {{Run: 9}, {Run: 2}, {Run: 3}, {Run: 1}, {Run: 40}},
		"– [2, –] 2/5": {{Run: 4}, {}, {Run: 2}, {}, {}},
		"missed":       {{}, {}},
	} {
		if text := runs(of); text != want {
			t.Errorf("%q, not %q", text, want)
		}
	}
	var twenty []watchlab.Trial
	for i := range 20 {
		twenty = append(twenty, watchlab.Trial{Run: 20 - i})
	}
	if text := runs(twenty); text != "10.5 [6, 15]" { // as in the tables of order statistics
		t.Error(text)
	}
}

// Each edit finds its place once, and the result is still Go.
func TestTheOldBugsFitTheirSources(t *testing.T) {
	folder := t.TempDir()
	for _, file := range []string{deltaFIFO, informerFile, mux, streams} {
		module, rest, _ := strings.Cut(file, "/")
		output, err := exec.Command("go", "mod", "download", "-json", "k8s.io/"+module+"@v"+oldVersion).Output()
		match := regexp.MustCompile(`"Dir": "(.*)"`).FindSubmatch(output)
		if err != nil || match == nil {
			t.Skipf("%s of %s cannot be had (%v)", module, oldVersion, err)
		}
		text, err := os.ReadFile(filepath.Join(string(match[1]), rest))
		if err != nil {
			t.Fatal(err)
		}
		if err := os.MkdirAll(filepath.Join(folder, filepath.Dir(file)), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(folder, file), text, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if err := bringBack(folder); err != nil {
		t.Fatal(err)
	}
	for _, file := range []string{deltaFIFO, informerFile, mux, streams} {
		if _, err := parser.ParseFile(token.NewFileSet(), filepath.Join(folder, file), nil, parser.SkipObjectResolution); err != nil {
			t.Error(err)
		}
	}
	if err := bringBack(folder); err == nil || !strings.Contains(err.Error(), "close_misses_a_sleeper: ") {
		t.Errorf("a second time the error is %v", err)
	}
}

func TestTheFiguresOfThePortAreRead(t *testing.T) {
	figures, err := portFigures("../../../docs/museum.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, each := range oldBugs {
		if strings.Count(figures[each.name], ", ") != 2 && !strings.Contains(figures[each.name], "of") {
			t.Errorf("%s: %q", each.name, figures[each.name])
		}
	}
}

func TestTheRowsGoBetweenTheMarks(t *testing.T) {
	page := filepath.Join(t.TempDir(), "page.md")
	b := board{mark: "goker", within: 1, fit: 2, rows: []row{{"| a |", true}, {"| b |", false}}}
	if err := os.WriteFile(page, []byte("before\n<!-- goker board -->\nold\n<!-- end -->\nafter\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := b.write(page); err != nil {
		t.Fatal(err)
	}
	text, _ := os.ReadFile(page)
	for _, part := range []string{"before\n<!--", "1 of the 2 programs that fit", "|---|\n| b |\n| a |\n", "<!-- end -->\nafter"} {
		if !strings.Contains(string(text), part) {
			t.Errorf("%q is not in\n%s", part, text)
		}
	}
	if err := b.write(filepath.Join("..", "go.mod")); err == nil || !strings.Contains(err.Error(), "has no place for goker board") {
		t.Errorf("the error is %v", err)
	}
}
