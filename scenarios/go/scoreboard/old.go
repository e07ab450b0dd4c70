package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"

	"example.org/watchlab/instrument"
)

// An oldBug is a bug of client-go that was fixed long ago. It has the name of its piece in the museum, and the test of
// docs/go/races that finds it. Its edits bring it back into the source of 0.32, where oldBug is its name.
type oldBug struct {
	name, test string
	edits      []sourceEdit
}

// A sourceEdit changes a file of the modules. The replaced text occurs in it once.
type sourceEdit struct{ file, old, new string }

const (
	oldVersion   = "0.32.13"
	deltaFIFO    = "client-go/tools/cache/delta_fifo.go"
	informerFile = "client-go/tools/cache/shared_informer.go"
	mux          = "apimachinery/pkg/watch/mux.go"
	streams      = "apimachinery/pkg/watch/streamwatcher.go"
	lockIncoming = "\tm.incomingBlock.Lock()\n\tdefer m.incomingBlock.Unlock()\n"
	action       = "func (m *Broadcaster) Action(action EventType, obj runtime.Object) error {\n"
	actionOrDrop = "func (m *Broadcaster) ActionOrDrop(action EventType, obj runtime.Object) (bool, error) {\n"
)

var oldBugs = []oldBug{
	{"close_misses_a_sleeper", "TestACloseWakesAllPoppers", []sourceEdit{
		insertAfter(deltaFIFO, "\n\tclosed bool\n", "\tclosedLock sync.Mutex\n"),
		insertAfter(deltaFIFO, "func (f *DeltaFIFO) Close() {\n", `	if oldBug == "close_misses_a_sleeper" {
		f.closedLock.Lock()
		f.closed = true
		f.closedLock.Unlock()
		f.cond.Broadcast()
		return
	}
`),
		{deltaFIFO, "\t\t\tif f.closed {\n", "\t\t\tif f.closedNow() {\n"},
	}},
	{"delete_overtakes_store", "TestHandlersSeeWhatTheServerHas", []sourceEdit{
		{deltaFIFO, "!exists && !itemsExist {", `!exists && (!itemsExist || oldBug == "delete_overtakes_store") {`}}},
	{"ghost_after_relist", "TestAListOvertakesNothing", []sourceEdit{
		{deltaFIFO, "\t\tif keys.Has(k) {\n\t\t\tcontinue\n\t\t}\n\t\t// Delete pre-existing",
			"\t\tif keys.Has(k) || oldBug == \"ghost_after_relist\" {\n\t\t\tcontinue\n\t\t}\n\t\t// Delete pre-existing"}}},
	{"recreated_object_lost", "TestAListOvertakesNothing", []sourceEdit{
		{deltaFIFO, "\tif f.emitDeltaTypeReplaced {\n", "\tif f.emitDeltaTypeReplaced && oldBug != \"recreated_object_lost\" {\n"},
		insertBefore(deltaFIFO, "\toldDeltas := f.items[id]\n", `	if newest := f.items[id].Newest(); oldBug == "recreated_object_lost" && actionType == Sync && newest != nil && newest.Type == Deleted {
		return nil
	}
`)}},
	{"resurrected_by_resync", "TestAResyncBringsNothingBack", []sourceEdit{
		{deltaFIFO, "\tif len(f.items[id]) > 0 {\n\t\treturn nil\n", `	if len(f.items[id]) > 0 && oldBug != "resurrected_by_resync" &&
		(oldBug != "resync_goes_back" || f.items[id].Newest().Type == Deleted) {
		return nil
`}}},
	{"resync_goes_back", "TestAResyncBringsNothingBack", nil}, // the edit of the one before
	{"resync_in_two_steps", "TestAResyncBringsNothingBack", []sourceEdit{
		insertAfter(deltaFIFO, "func (f *DeltaFIFO) Resync() error {\n", "\tif oldBug == \"resync_in_two_steps\" {\n\t\treturn f.resyncInTwoSteps()\n\t}\n")}},
	{"sent_into_a_closed_channel", "TestABroadcasterIsShutDownAtAnyMoment", []sourceEdit{
		{mux, action + lockIncoming, action + unlessOld("sent_into_a_closed_channel", lockIncoming)},
		{mux, actionOrDrop + lockIncoming, actionOrDrop + unlessOld("sent_into_a_closed_channel", lockIncoming)}}},
	{"started_twice", "TestHandlersSeeWhatTheServerHas", []sourceEdit{
		insertAfter(informerFile, "\thandle := s.processor.addListener(listener)\n", "\ts.processor.startTwice(listener)\n")}},
	{"stop_behind_a_full_queue", "TestAStoppedReaderHoldsUpNobody", []sourceEdit{
		insertAfter(mux, "func (m *Broadcaster) distribute(event Event) {\n", `	if oldBug == "stop_behind_a_full_queue" {
		for _, w := range m.watchers {
			w.result <- event
		}
		return
	}
`)}},
	{"stream_without_a_reader", "TestAStreamEndsWithoutAReader", []sourceEdit{
		insertBefore(streams, "\t\tselect {\n\t\tcase <-sw.done:\n\t\t\treturn\n\t\tcase sw.result <- Event{\n\t\t\tType:   action,", `		if oldBug == "stream_without_a_reader" {
			select {
			case <-sw.done:
				return
			default:
			}
			sw.result <- Event{Type: action, Object: obj}
			continue
		}
`)}},
	{"synced_but_not_told", "TestARegistrationInSyncHasSeenTheList", []sourceEdit{
		insertBefore(informerFile, "\treturn p.syncTracker.HasSynced()\n", "\tif oldBug == \"synced_but_not_told\" {\n\t\treturn p.syncTracker.UpstreamHasSynced()\n\t}\n")}},
}

// newFiles has the code that the edits call.
var newFiles = map[string]string{
	"apimachinery/pkg/watch/old_bug.go": "package watch\n\nimport \"os\"\n\nvar oldBug = os.Getenv(\"" + oldBugVariable + "\")\n",
	"client-go/tools/cache/old_bug.go": `package cache

import "os"

var oldBug = os.Getenv("` + oldBugVariable + `")

func (f *DeltaFIFO) closedNow() bool {
	if oldBug == "close_misses_a_sleeper" {
		f.closedLock.Lock()
		defer f.closedLock.Unlock()
	}
	return f.closed
}

func (f *DeltaFIFO) resyncInTwoSteps() error {
	var known []interface{}
	for _, key := range f.knownObjects.ListKeys() {
		if object, exists, err := f.knownObjects.GetByKey(key); exists && err == nil {
			known = append(known, object)
		}
	}
	f.lock.Lock()
	defer f.lock.Unlock()
	for _, object := range known {
		if id, err := f.KeyOf(object); err == nil && len(f.items[id]) == 0 {
			if err := f.queueActionLocked(Sync, object); err != nil {
				return err
			}
		}
	}
	return nil
}

func (p *sharedProcessor) startTwice(listener *processorListener) {
	p.listenersLock.Lock()
	defer p.listenersLock.Unlock()
	if oldBug == "started_twice" && !p.listenersStarted {
		p.wg.Start(listener.run)
		p.wg.Start(listener.pop)
	}
}
`}

const oldBugVariable = "WATCHLAB_OLD_BUG"

func insertAfter(file, place, text string) sourceEdit { return sourceEdit{file, place, place + text} }

func insertBefore(file, place, text string) sourceEdit { return sourceEdit{file, place, text + place} }

func unlessOld(name, text string) string {
	return "\tif oldBug != \"" + name + "\" {\n" + text + "\t}\n"
}

// oldModule writes a module into the folder: the tests of docs/go/races, with client-go and apimachinery as they are in
// the module cache, and the edits.
func oldModule(folder, repository string) error {
	run := func(words ...string) (string, error) {
		command := exec.Command(words[0], words[1:]...)
		command.Dir = folder
		output, err := command.CombinedOutput()
		if err != nil {
			err = fmt.Errorf("%s: %w\n%s", strings.Join(words, " "), err, output)
		}
		return strings.TrimSpace(string(output)), err
	}
	mod := "module watchlab/examples\n\ngo 1.25.0\n\nreplace example.org/watchlab => " + filepath.Join(repository, "scenarios/go") + "\n\nrequire example.org/watchlab v0.0.0\n"
	for _, each := range []string{"api", "apimachinery", "client-go"} {
		mod += "\nrequire k8s.io/" + each + " v" + oldVersion + "\n"
	}
	if err := os.WriteFile(filepath.Join(folder, "go.mod"), []byte(mod), 0o644); err != nil {
		return err
	}
	for _, each := range []string{"apimachinery", "client-go"} {
		from, err := run("go", "mod", "download", "-json", "k8s.io/"+each+"@v"+oldVersion)
		if err != nil {
			return err
		}
		match := regexp.MustCompile(`"Dir": "(.*)"`).FindStringSubmatch(from)
		if match == nil {
			return fmt.Errorf("go mod download names no folder: %s", from)
		}
		if err := os.CopyFS(filepath.Join(folder, each), os.DirFS(match[1])); err != nil {
			return err
		}
		if _, err := run("go", "mod", "edit", "-replace", "k8s.io/"+each+"=./"+each); err != nil {
			return err
		}
	}
	if err := bringBack(folder); err != nil {
		return err
	}
	files, err := filepath.Glob(filepath.Join(repository, "docs/go/races/*_test.go"))
	if err != nil || len(files) == 0 {
		return fmt.Errorf("%s has no docs/go/races (%v)", repository, err)
	}
	if err := os.Mkdir(filepath.Join(folder, "races"), 0o755); err != nil {
		return err
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			return err
		}
		text = regexp.MustCompile(`(?m)^.* // not 0\.32\n`).ReplaceAll(text, nil)
		if err := os.WriteFile(filepath.Join(folder, "races", filepath.Base(file)), text, 0o644); err != nil {
			return err
		}
	}
	var tests strings.Builder
	for _, each := range oldBugs {
		fmt.Fprintf(&tests, "\t\ttesting.InternalTest{Name: %q, F: %s},\n", each.name, each.test)
	}
	all := "package races\n\nimport (\n\t\"testing\"\n\n\twatchlab \"example.org/watchlab/goroutines\"\n)\n\nfunc TestWatchlab(t *testing.T) {\n\twatchlab.Each(t,\n" +
		tests.String() + "\t)\n}\n"
	if err := os.WriteFile(filepath.Join(folder, "races/all_test.go"), []byte(all), 0o644); err != nil {
		return err
	}
	_, err = run("go", "mod", "tidy")
	return err
}

// bringBack applies the edits to the copies of the modules.
func bringBack(folder string) error {
	for name, text := range newFiles {
		if err := os.WriteFile(filepath.Join(folder, name), []byte(text), 0o644); err != nil {
			return err
		}
	}
	for _, bug := range oldBugs {
		for _, each := range bug.edits {
			file := filepath.Join(folder, each.file)
			text, err := os.ReadFile(file)
			if err != nil {
				return err
			}
			if n := strings.Count(string(text), each.old); n != 1 {
				return fmt.Errorf("%s: %s has %d places like %q, not one", bug.name, each.file, n, each.old)
			}
			if err := os.Chmod(file, 0o644); err != nil {
				return err
			}
			if err := os.WriteFile(file, []byte(strings.Replace(string(text), each.old, each.new, 1)), 0o644); err != nil {
				return err
			}
		}
	}
	return nil
}

// measureOld measures the old bugs, for the board of client-go.
func measureOld(s settings, wanted *regexp.Regexp) (bool, error) {
	folder, err := os.UserCacheDir() // always the same folder, so that Go's build cache helps
	if err != nil {
		return false, err
	}
	folder = filepath.Join(folder, "watchlab", "old-bugs")
	if err := os.RemoveAll(folder); err != nil {
		return false, err
	}
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return false, err
	}
	if err := oldModule(folder, s.clientGo); err != nil {
		return false, err
	}
	toolchain, err := instrument.Installed()
	if err != nil {
		return false, err
	}
	overlay, err := toolchain.Keep()
	if err != nil {
		return false, err
	}
	explored := filepath.Join(folder, "explored.test")
	if err := compile(toolchain, folder, "./races", explored, append([]string{"-overlay", overlay}, instrument.CompilerFlags...)); err != nil {
		return false, err
	}
	plain := filepath.Join(folder, "plain.test")
	if overlay, err = toolchain.WriteOwn(filepath.Join(folder, "own")); err != nil {
		return false, err
	}
	if err := compile(toolchain, folder, "./races", plain, []string{"-overlay", overlay}); err != nil {
		return false, err
	}
	ports, err := portFigures(filepath.Join(s.clientGo, "docs/museum.md"))
	if err != nil {
		return false, err
	}
	b := board{mark: "client-go"}
	b.head(s)
	for _, bug := range oldBugs {
		if !wanted.MatchString(bug.name) {
			continue
		}
		if err := os.Setenv(oldBugVariable, bug.name); err != nil {
			return false, err
		}
		k := &kernel{name: bug.name, published: ports[bug.name]}
		k.explored = play(explored, k, s.ours())
		if s.own > 0 {
			k.own = play(plain, k, s.ownTrials())
		}
		b.add(k)
	}
	return b.end(s)
}

// portFigures returns the runs that our C++ port of client-go needs with random, pct and pos, from the museum's table.
func portFigures(page string) (map[string]string, error) {
	text, err := os.ReadFile(page)
	figures := map[string]string{}
	for _, line := range strings.Split(string(text), "\n") {
		cells := strings.Split(line, "|")
		if len(cells) < 7 || !strings.HasPrefix(cells[1], " `") {
			continue
		}
		var runs []string
		for _, cell := range cells[3:6] {
			median, _, _ := strings.Cut(strings.TrimSpace(cell), ";")
			runs = append(runs, median)
		}
		figures[strings.Trim(cells[1], " `")] = strings.Join(runs, ", ")
	}
	return figures, err
}
