package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io"
	"os/exec"
	"path/filepath"
	"strings"
	"unicode"
	"unicode/utf8"
)

// goPackage is what go list says of a package.
type goPackage struct {
	Dir, ImportPath, Name     string
	TestGoFiles, XTestGoFiles []string
}

// list has the packages that have tests.
func list(patterns []string) (packages []goPackage, err error) {
	output, err := goOutput(append([]string{"list", "-json=Dir,ImportPath,Name,TestGoFiles,XTestGoFiles"}, patterns...))
	if err != nil {
		return nil, err
	}
	for decoder := json.NewDecoder(bytes.NewReader(output)); ; {
		var each goPackage
		if err := decoder.Decode(&each); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			return nil, err
		}
		if len(each.TestGoFiles)+len(each.XTestGoFiles) > 0 {
			packages = append(packages, each)
		}
	}
	if len(packages) == 0 {
		return nil, fmt.Errorf("no package of %s has tests", strings.Join(patterns, " "))
	}
	return packages, nil
}

func goOutput(words []string) ([]byte, error) {
	output, err := exec.Command("go", words...).Output()
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		return nil, fmt.Errorf("go %s: %s", words[0], strings.TrimSpace(string(exit.Stderr)))
	}
	return output, err
}

// A half is the test files of a package that share a name: those inside of it, or those of NAME_test.
type half struct {
	name, wrapper string
	tests         []string
	explored      []string // tests that call Explore themselves
}

const wrapperTest = "TestWatchlab"

// halves has the tests of a package, in the order of the files.
func halves(p goPackage) (both []half, err error) {
	for _, each := range []struct {
		files         []string
		name, wrapper string
	}{{p.TestGoFiles, p.Name, wrapperTest}, {p.XTestGoFiles, p.Name + "_test", wrapperTest + "Outside"}} {
		h := half{name: each.name, wrapper: each.wrapper}
		for _, file := range each.files {
			parsed, err := parser.ParseFile(token.NewFileSet(), filepath.Join(p.Dir, file), nil, parser.SkipObjectResolution)
			if err != nil {
				return nil, err
			}
			for _, declared := range parsed.Decls {
				function, ok := declared.(*ast.FuncDecl)
				if !ok || !isTest(function) {
					continue
				}
				if callsExplore(function) {
					h.explored = append(h.explored, function.Name.Name)
				} else {
					h.tests = append(h.tests, function.Name.Name)
				}
			}
		}
		both = append(both, h)
	}
	return both, nil
}

func isTest(function *ast.FuncDecl) bool {
	rest, found := strings.CutPrefix(function.Name.Name, "Test")
	first, _ := utf8.DecodeRuneInString(rest)
	parameters := function.Type.Params.List
	if !found || unicode.IsLower(first) || function.Recv != nil || len(parameters) != 1 || function.Type.TypeParams != nil {
		return false
	}
	pointer, ok := parameters[0].Type.(*ast.StarExpr)
	if !ok {
		return false
	}
	selector, ok := pointer.X.(*ast.SelectorExpr)
	return ok && selector.Sel.Name == "T"
}

func callsExplore(function *ast.FuncDecl) (calls bool) {
	ast.Inspect(function, func(n ast.Node) bool {
		if call, ok := n.(*ast.CallExpr); ok {
			if selector, ok := call.Fun.(*ast.SelectorExpr); ok && selector.Sel.Name == "Explore" {
				pkg, ok := selector.X.(*ast.Ident)
				calls = calls || ok && pkg.Name == "watchlab"
			}
		}
		return !calls
	})
	return calls
}

// source is a test file that hands the tests over.
func (h half) source() string {
	var b strings.Builder
	fmt.Fprintf(&b, "package %s\n\nimport (\n\t\"testing\"\n\n\twatchlab \"example.org/watchlab/goroutines\"\n)\n\nfunc %s(t *testing.T) {\n\twatchlab.Each(t,\n",
		h.name, h.wrapper)
	for _, test := range h.tests {
		fmt.Fprintf(&b, "\t\ttesting.InternalTest{Name: %q, F: %s},\n", test, test)
	}
	b.WriteString("\t)\n}\n")
	return b.String()
}
