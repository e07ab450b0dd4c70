package instrument

import (
	"fmt"
	"regexp"
	"runtime"
	"strings"
)

// overlayVersion goes up when what this file writes changes.
const overlayVersion = 1

// The functions of sync/atomic are instructions where the compiler knows them, and assembly elsewhere. CompilerFlags
// let it forget them in all that is not of Go, and then they are functions with a point.
var CompilerFlags = []string{"-gcflags=all=-d=ssa/intrinsics/off", "-gcflags=std="}

const plain = "plain" // comes before the name of what was in assembly

// atomicFunction is one that is declared in Go: its name, its other parameters, and its result. What works on
// pointers is written in Go, and has no stack for a point.
var atomicFunction = regexp.MustCompile(`//go:noescape\nfunc (\w+)\((addr \*u?int(?:32|64|ptr))([^)]*)\)( \([^)]*\))?\n`)

// functionsAndAccesses puts points before the functions of sync/atomic, and before each access to memory of a build
// with -race.
func (t Toolchain) functionsAndAccesses(texts map[string]string, of func(file string) error) error {
	files := []string{"sync/atomic/doc.go", "sync/atomic/doc_64.go", "sync/atomic/asm.s", "runtime/race_amd64.s",
		"runtime/race_arm64.s", "runtime/race.go", "runtime/atomic_pointer.go"}
	for _, file := range files {
		if err := of(file); err != nil {
			return err
		}
	}
	var names []string
	for _, file := range files[:2] {
		texts[file] = atomicFunction.ReplaceAllStringFunc(texts[file], func(text string) string {
			match := atomicFunction.FindStringSubmatch(text)
			names = append(names, match[1])
			return before(match[1], match[2], match[3], match[4])
		})
	}
	if len(names) < 20 {
		return t.unknown("sync/atomic/doc.go", "the functions")
	}
	texts[files[1]] = strings.Replace(texts[files[1]], "package atomic\n", "package atomic\n\nimport \"unsafe\"\n", 1)
	assembly := regexp.MustCompile(`(sync∕atomic|sync/atomic|\t|TEXT )([·.])(` + strings.Join(names, "|") + `)\b`)
	for _, file := range files[2:] {
		texts[file] = assembly.ReplaceAllString(texts[file], "${1}${2}"+plain+"${3}")
	}
	if runtime.GOARCH != "amd64" { // docs/go-races.md says so
		return nil
	}
	for _, name := range []string{"raceread", "racewrite", "racereadrange", "racewriterange"} {
		if err := t.access(texts, name); err != nil {
			return err
		}
	}
	return nil
}

// before is a function with a point that does what the one of assembly did.
func before(name, address, others, result string) string {
	arguments := []string{"addr"}
	for _, each := range strings.Split(others, ",")[1:] {
		arguments = append(arguments, strings.Fields(each)[0])
	}
	call := plain + name + "(" + strings.Join(arguments, ", ") + ")"
	if result != "" {
		call = "return " + call
	}
	signature := name + "(" + address + others + ")" + result
	return "func " + signature + " {\n\truntime_explore(" + opAtomicFunction + ", unsafe.Pointer(addr))\n\t" + call +
		"\n}\n\n//go:noescape\nfunc " + plain + signature + "\n"
}

const accessHeader = "//go:build race\n\npackage runtime\n\nimport (\n\t\"internal/runtime/sys\"\n\t\"unsafe\"\n)\n"

// access puts a point before what the compiler calls before an access. What it did is told the place. The address is
// a pointer, since the stack can move at the point.
func (t Toolchain) access(texts map[string]string, name string) error {
	const goFile, assembly, newFile = "runtime/race.go", "runtime/race_amd64.s", "runtime/explore_race.go"
	pc, register, size, pass := "RARG2", "BX", "", ""
	if strings.HasSuffix(name, "range") {
		pc, register, size, pass = "RARG3", "CX", ", size", ", size"
	}
	start, rest, found := strings.Cut(texts[assembly], "TEXT\truntime·"+name+"<ABIInternal>(SB)")
	declared := "\nfunc " + name + "(addr" + size + " uintptr)\n"
	if !found || strings.Count(texts[goFile], declared) != 1 {
		return t.unknown(assembly, name)
	}
	texts[assembly] = start + "TEXT\truntime·" + plain + name + "<ABIInternal>(SB)" +
		strings.Replace(rest, "MOVQ\t(SP), "+pc, "MOVQ\t"+register+", "+pc, 1)
	texts[goFile] = strings.Replace(texts[goFile], declared, "\n", 1)
	if size != "" {
		size += " uintptr"
	}
	if texts[newFile] == "" {
		texts[newFile] = accessHeader
	}
	texts[newFile] += "\nfunc " + name + "(addr unsafe.Pointer" + size + ") {\n\texploreAccess(addr)\n\t" + plain + name +
		"(addr" + pass + ", sys.GetCallerPC())\n}\n\n//go:noescape\nfunc " + plain + name + "(addr unsafe.Pointer" + size + ", pc uintptr)\n"
	return nil
}

func (t Toolchain) unknown(file, what string) error {
	return fmt.Errorf("%s of %s is not as this overlay knows it: it has not %s", file, t.Version, what)
}
